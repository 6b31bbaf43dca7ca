// SPDX-License-Identifier: GPL-2.0-only
/* The build failures: why there is no file of the module for a kernel. */
#include <string.h>

#include "diagnose/diagnose.h"

#ifndef TASKRT_KERNELS
#error "the Makefile passes TASKRT_KERNELS, from dkms.conf"
#endif

/* The command that follows one that makes the module's file. */
const char *build_failure_then_load(const struct system *system)
{
	return system->running ? " && modprobe taskrt" : "";
}

/* Read the range from the module's source; without it, use the range of this release. */
static void read_range(const struct system *system, const struct dkms *dkms, char text[64])
{
	FILE *stream = system_stream(system, "usr/src/taskrt-%s/dkms.conf", dkms->version);
	char line[128];

	strcpy(text, TASKRT_KERNELS);
	while (stream && fgets(line, sizeof(line), stream))
		sscanf(line, "TASKRT_KERNELS=\"%63[^\"]", text);
	if (stream)
		fclose(stream);
}

/* DKMS builds nothing for a kernel outside of the range. */
static int is_out_of_range(struct findings *findings, const struct system *system,
			   const struct dkms *dkms)
{
	struct kernel_range range;
	char text[64];
	int order;

	read_range(system, dkms, text);
	if (kernel_read_range(&range, text)) {
		finding_note(findings, "range_unread",
			     "the kernels that taskrt %s supports are not known: its dkms.conf says \"%s\"",
			     dkms->version, text);
		return 0;
	}
	order = kernel_compare(system, &range);
	if (!order)
		return 0;
	finding_problem(findings, order < 0 ? "kernel_old" : "kernel_new",
			"kernel %s is too %s: taskrt%s%s is for kernels from %d.%d to %d.%d",
			system->release, order < 0 ? "old" : "new", *dkms->version ? " " : "",
			dkms->version, range.oldest[0], range.oldest[1], range.newest[0],
			range.newest[1]);
	finding_fix(findings, order < 0 ? "boot a newer kernel" : "install a newer taskrt");
	return 1;
}

static void no_source(struct findings *findings, const struct system *system,
		      const struct dkms *dkms, const char *headers)
{
	char command[DISTRIBUTION_MAX];

	finding_problem(findings, "not_installed", "the module is not installed%s",
			headers ? ", and neither are the headers of this kernel" : "");
	if (distribution_has_module(system)) {
		distribution_install(system, "taskrt-dkms", command);
		finding_fix(findings, "%s%s%s%s", command, headers ? " " : "",
			    headers ? strrchr(headers, ' ') + 1 : "",
			    build_failure_then_load(system));
		return;
	}
	distribution_install(system, "dkms", command);
	finding_fix(findings,
		    "%s%s%s%smake dkms-install%s, in the sources of taskrt, whose INSTALL.md says more",
		    headers ? headers : "", headers ? " && " : "", dkms->is_there ? "" : command,
		    dkms->is_there ? "" : " && ", build_failure_then_load(system));
}

static void no_dkms(struct findings *findings, const struct system *system,
		    const struct dkms *dkms)
{
	char command[DISTRIBUTION_MAX];

	distribution_install(system, "dkms", command);
	finding_problem(findings, "no_dkms",
			"the source of taskrt %s is there, but not DKMS, which builds it for each kernel",
			dkms->version);
	finding_fix(findings, "%s && dkms install taskrt/%s -k %s%s", command, dkms->version,
		    system->release, build_failure_then_load(system));
}

static void no_headers(struct findings *findings, const struct system *system,
		       const struct dkms *dkms, const char *headers)
{
	finding_problem(findings, "no_headers",
			"taskrt %s cannot be built for this kernel, because the kernel's headers are missing (/lib/modules/%s/build)",
			dkms->version, system->release);
	finding_fix(findings, "%s && dkms install taskrt/%s -k %s%s", headers, dkms->version,
		    system->release, build_failure_then_load(system));
}

static void not_built(struct findings *findings, const struct system *system,
		      const struct dkms *dkms)
{
	if (dkms->state == DKMS_FAILED)
		finding_problem(findings, "build_failed",
				"taskrt %s could not be built for this kernel: %s (all of it: /%s)",
				dkms->version, *dkms->error ? dkms->error : "for an unknown reason",
				dkms->log);
	else if (dkms->state == DKMS_BUILT)
		finding_problem(findings, "built_not_installed",
				"taskrt %s is built for this kernel, but was not installed for it",
				dkms->version);
	else
		finding_problem(findings, dkms->state == DKMS_NOT_ADDED ? "not_added" : "not_built",
				"the source of taskrt %s is there, but was not built for this kernel",
				dkms->version);
	finding_fix(findings, "%sdkms install taskrt/%s -k %s%s",
		     dkms->state == DKMS_FAILED ? "when that is fixed: " : "", dkms->version,
		     system->release, build_failure_then_load(system));
}

static int keep_kernel(const struct system *system, const char *folder, const char *name, void *arg)
{
	(void)arg;
	return system_has(system, "%s/%s/modules.dep", folder, name);
}

/* A newer package may have replaced the files of the running kernel. */
static int is_replaced(struct findings *findings, const struct system *system)
{
	if (!system->running || system_has(system, "lib/modules/%s", system->release) ||
	    !system_each(system, "lib/modules", keep_kernel, NULL))
		return 0;
	finding_problem(findings, "kernel_replaced",
			"the running kernel's files are gone (/lib/modules/%s): it was replaced by another",
			system->release);
	finding_fix(findings, "reboot");
	return 1;
}

void build_failure_collect(struct findings *findings, const struct system *system)
{
	char command[DISTRIBUTION_MAX], *headers = NULL;
	struct dkms dkms;

	dkms_look(system, &dkms);
	if (is_replaced(findings, system) || is_out_of_range(findings, system, &dkms))
		return;
	if (!system_has(system, "lib/modules/%s/build/Makefile", system->release)) {
		distribution_headers(system, command);
		headers = command;
	}
	if (dkms.state == DKMS_NO_SOURCE)
		no_source(findings, system, &dkms, headers);
	else if (!dkms.is_there)
		no_dkms(findings, system, &dkms);
	else if (headers && dkms.state != DKMS_BUILT)
		no_headers(findings, system, &dkms, headers);
	else
		not_built(findings, system, &dkms);
	if (*dkms.kernels)
		finding_note(findings, "built_for", "it is built for: %s", dkms.kernels);
}

