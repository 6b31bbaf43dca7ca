// SPDX-License-Identifier: GPL-2.0-only
/*
 * Why the module is not loaded or does not answer, and how to fix that.
 *
 * The order is from the outside in: what prevents any module from being loaded; why there
 * is no file for this kernel; or why the file is not loaded.  Nothing here is guessed:
 * every finding is about a file that was read.
 */
#include <errno.h>
#include <string.h>

#include "diagnose/diagnose.h"

#define LOADED	"sys/module/taskrt"

/* Containers have PID namespaces of their own, except those that share their host's. */
static int is_container(struct findings *findings, const struct system *system)
{
	char name[64];
	const char *container = kernel_container(system, name);

	if (!container)
		return 0;
	if (kernel_has_initial_pids(system)) {
		finding_note(findings, "host_pids",
			     "this looks like a container (%s), but is in the initial PID namespace: if it is one, the module must be loaded on its host",
			     container);
		return 0;
	}
	finding_problem(findings, "container",
			"this is a container (%s), which uses the kernel of its host: the module must be loaded there",
			container);
	finding_fix(findings, "on the host: modprobe taskrt");
	return 1;
}

/* Check whether any module can be loaded at all. */
static int is_hopeless(struct findings *findings, const struct system *system)
{
	if (!system->running)
		return 0;
	if (is_container(findings, system))
		return 1;
	if (system_has(system, "proc/version") && !system_has(system, "proc/modules")) {
		finding_problem(findings, "no_modules",
				"kernel %s was built without loadable modules (CONFIG_MODULES)",
				system->release);
		finding_fix(findings, "boot a kernel that has them");
		return 1;
	}
	return 0;
}

static void check_disabled(struct findings *findings, const struct system *system)
{
	if (!system->running || kernel_says(system, "proc/sys/kernel/modules_disabled", "1") != 1)
		return;
	finding_problem(findings, "modules_disabled",
			"the kernel accepts no more modules until the next boot (kernel.modules_disabled = 1)");
	finding_fix(findings, "reboot");
}

void not_loaded_collect(struct findings *findings, const struct system *system,
			const struct module *module)
{
	if (is_hopeless(findings, system))
		return;
	check_disabled(findings, system);
	if (!*module->path)
		build_failure_collect(findings, system);
	else
		load_failure_collect(findings, system, module);
	if (!system->running || findings->problems)
		return;
	finding_problem(findings, "not_loaded", "the module is ready, but has not been loaded");
	finding_fix(findings, "modprobe taskrt");
}

void not_loaded_answer(struct findings *findings, const struct system *system, int error)
{
	if (error == -EPROTO) {
		finding_problem(findings, "protocol",
				"the loaded module does not speak this library's version (%s) of the protocol: load the module of the same release",
				taskrt_version());
	} else if (error == -ENOMEM || error == -EMFILE || error == -ENFILE) {
		finding_problem(findings, "no_resources", "cannot query the module: %s", strerror(-error));
	} else if (error != -ENOENT) {
		finding_problem(findings, "no_netlink",
				"this program may not use netlink here (%s): a sandbox's rule forbids it",
				strerror(-error));
		finding_fix(findings, "allow it AF_NETLINK, or run it outside");
	} else if (kernel_says(system, LOADED "/initstate", "live") != 1) {
		finding_problem(findings, "in_between",
				"the module is being loaded or removed, or is stuck in that");
		finding_fix(findings, "wait, and reboot if that does not help");
	} else {
		finding_problem(findings, "no_family",
				"the module is loaded, but its netlink family \"taskrt\" is missing");
		finding_fix(findings, "modprobe -r taskrt && modprobe taskrt");
	}
}
