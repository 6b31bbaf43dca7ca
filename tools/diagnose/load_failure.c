// SPDX-License-Identifier: GPL-2.0-only
/* The load failures: why the file of the module is not loaded. */
#include <string.h>

#include "diagnose/diagnose.h"

/* Suggest to rebuild the file. */
static void fix_file(struct findings *findings, const struct system *system)
{
	struct dkms dkms;

	dkms_look(system, &dkms);
	if (dkms.state == DKMS_NO_SOURCE)
		finding_fix(findings,
			     "rebuild it from the sources of taskrt, for kernel %s", system->release);
	else
		finding_fix(findings,
			     "dkms remove taskrt/%s -k %s; dkms install taskrt/%s -k %s%s",
			     dkms.version, system->release, dkms.version, system->release,
			     build_failure_then_load(system));
}

/* Compare all but the release, which the kernel ignores if it can compare symbols. */
static int has_other_flags(const struct system *system, const struct module *module)
{
	char common[128];

	module_common_vermagic(system, common);
	return *common && strcmp(strchrnul(module->vermagic, ' '), strchrnul(common, ' '));
}

static void check_file(struct findings *findings, const struct system *system,
		       const struct module *module)
{
	const size_t length = strcspn(module->vermagic, " ");
	const int other = strncmp(module->vermagic, system->release, length) ||
			  system->release[length];

	if (!module->readable) {
		finding_problem(findings, "damaged", "/%s is not a module, or is damaged",
				module->path);
		fix_file(findings, system);
	} else if (has_other_flags(system, module) ||
		   (other && !strstr(module->vermagic, "modversions"))) {
		finding_problem(findings, "other_kernel",
				"/%s was built for another kernel (%s)", module->path,
				module->vermagic);
		fix_file(findings, system);
	} else if (other) {
		finding_note(findings, "other_release",
			     "/%s was built for kernel %.*s: this kernel accepts it only if its symbols are the same",
			     module->path, (int)length, module->vermagic);
	}
	if (!module->listed) {
		finding_problem(findings, "not_listed",
				"/%s is there, but modprobe does not know of it yet", module->path);
		finding_fix(findings, "depmod -a %s%s", system->release,
			    build_failure_then_load(system));
	}
}

/* Check the configuration for lines that prevent loading. */
static void check_configuration(struct findings *findings, const struct system *system)
{
	struct modprobe_line line;
	char list[512], name[] = "module_blacklist";

	if (system->running && kernel_argument(system, name, list, sizeof(list)) &&
	    strstr(list, "taskrt")) {
		finding_problem(findings, "module_blacklist",
				"the kernel's command line forbids it: %s=%s", name, list);
		finding_fix(findings, "take taskrt out of %s and reboot", name);
	}
	if (modprobe_find(system, "install", NULL, &line)) {
		finding_problem(findings, "install_line",
				"%s makes modprobe run another command instead of loading it: %s",
				line.place, line.text);
		finding_fix(findings, "modprobe --ignore-install taskrt");
	}
	if (modprobe_find(system, "blacklist", NULL, &line))
		finding_note(findings, "blacklist", "%s prevents it from being loaded at boot: %s",
			     line.place, line.text);
}

static void fix_key(struct findings *findings, const struct signing *signing)
{
	if (signing->key == SIGNING_KEY_WAITS)
		finding_fix(findings, "reboot, and choose \"Enroll MOK\" when the firmware asks");
	else
		finding_fix(findings, "mokutil --import %s && reboot", signing->certificate);
}

static void fix_signing(struct findings *findings, const struct system *system,
			const struct signing *signing)
{
	char value[64];

	if (signing->secure_boot)
		fix_file(findings, system);
	else if (kernel_argument(system, "module.sig_enforce", value, sizeof(value)))
		finding_fix(findings,
			     "take module.sig_enforce out of the kernel's command line and reboot");
	else if (kernel_argument(system, "lockdown", value, sizeof(value)))
		finding_fix(findings, "take lockdown= out of the kernel's command line and reboot");
	else
		finding_fix(findings, "sign it with a key that this kernel trusts");
}

/* Check whether a required signature is missing or unknown. */
static void check_signing(struct findings *findings, const struct system *system,
			  const struct module *module, const struct signing *signing)
{
	if (!system->running || !module->readable || !signing->wanted_by)
		return;
	if (!module->has_signature) {
		finding_problem(findings, "unsigned",
				"this kernel accepts only signed modules (%s), and /%s is not signed",
				signing->wanted_by, module->path);
		fix_signing(findings, system, signing);
	} else if (signing->secure_boot && signing_is_signer(system, signing, module->signer) &&
		   (signing->key == SIGNING_KEY_UNKNOWN || signing->key == SIGNING_KEY_WAITS)) {
		finding_problem(
			findings, "key_unknown",
			"this kernel accepts only signed modules (%s), and does not know the key that signed /%s (%s)",
			signing->wanted_by, module->path, module->signer);
		fix_key(findings, signing);
	}
}

static void fix_parameter(struct findings *findings, const struct system *system)
{
	struct modprobe_line line;

	if (modprobe_find(system, "options", NULL, &line))
		finding_fix(findings, "correct %s, then: modprobe taskrt", line.place);
	else
		finding_fix(findings, "modprobe taskrt");
}

/* Nothing else was found, so look for the refusal of an earlier attempt. */
static void check_log(struct findings *findings, const struct system *system,
		      const struct module *module, const struct signing *signing)
{
	char words[256];
	int found = log_last_failure(system, module->made, words, sizeof(words));

	if (found < 0) {
		finding_note(findings, "log_unread",
			     "the kernel log says whether it was refused, but only root can read it");
	} else if (found && log_wants_signature(words)) {
		/* The line does not name the module, and the requirement may have been lifted since. */
		if (!signing->wanted_by)
			return;
		finding_problem(findings, "key_unknown",
				"this kernel accepts only signed modules (%s), and its log says: %s",
				signing->wanted_by, words);
		fix_signing(findings, system, signing);
	} else if (found) {
		finding_problem(findings, "refused", "the last attempt to load it was refused: %s",
				words);
		if (strstr(words, "parameter "))
			fix_parameter(findings, system);
		else
			fix_file(findings, system);
	}
}

void load_failure_collect(struct findings *findings, const struct system *system,
			  const struct module *module)
{
	struct signing signing;

	signing_look(system, &signing);
	check_file(findings, system, module);
	check_configuration(findings, system);
	check_signing(findings, system, module, &signing);
	if (system->running && !findings->problems)
		check_log(findings, system, module, &signing);
}
