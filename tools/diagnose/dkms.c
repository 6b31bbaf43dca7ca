// SPDX-License-Identifier: GPL-2.0-only
/* The state of the module in DKMS, which builds it for each kernel. */
#include <stdlib.h>
#include <string.h>

#include "diagnose/machine.h"

#define TREE	"var/lib/dkms/taskrt"

static int keep_added(const struct system *system, const char *folder, const char *name, void *arg)
{
	struct dkms *dkms = arg;

	if (strlen(name) < sizeof(dkms->version) &&
	    system_has(system, "%s/%s/source", folder, name)) {
		snprintf(dkms->version, sizeof(dkms->version), "%s", name);
		dkms->state = DKMS_NOT_BUILT;
	}
	return 0;
}

static int keep_source(const struct system *system, const char *folder, const char *name, void *arg)
{
	struct dkms *dkms = arg;

	if (!strncmp(name, "taskrt-", 7) && strlen(name + 7) < sizeof(dkms->version) &&
	    system_has(system, "%s/%s/dkms.conf", folder, name)) {
		snprintf(dkms->version, sizeof(dkms->version), "%s", name + 7);
		dkms->state = DKMS_NOT_ADDED;
	}
	return 0;
}

static int keep_module(const struct system *system, const char *folder, const char *name, void *arg)
{
	(void)system;
	(void)folder;
	(void)arg;
	return !strncmp(name, "taskrt.ko", 9);
}

/* Look into the folder of an architecture, below the folder of a kernel. */
static int keep_built(const struct system *system, const char *folder, const char *name, void *arg)
{
	char path[SYSTEM_PATH];

	return !system_path(path, "%s/%s/module", folder, name) &&
	       system_each(system, path, keep_module, arg);
}

static int keep_kernel(const struct system *system, const char *folder, const char *name, void *arg)
{
	struct dkms *dkms = arg;
	size_t used = strlen(dkms->kernels);
	char path[SYSTEM_PATH];

	if (!strcmp(name, "source") || !strcmp(name, "build") ||
	    system_path(path, "%s/%s", folder, name) ||
	    !system_each(system, path, keep_built, NULL))
		return 0;
	snprintf(dkms->kernels + used, sizeof(dkms->kernels) - used, "%s%s", used ? ", " : "",
		 name);
	if (!strcmp(name, system->release))
		dkms->state = DKMS_BUILT;
	return 0;
}

static int is_error(const char *line)
{
	return strstr(line, "error:") || strstr(line, "*** ") || strstr(line, "Error!");
}

/* Take the first error in the log of this kernel: the others are usually consequences. */
static void read_log(const struct system *system, struct dkms *dkms)
{
	FILE *stream = system_stream(system, "%s", dkms->log);
	char *line = NULL, title[128];
	int is_meant = 0;
	size_t size = 0;

	snprintf(title, sizeof(title), " for kernel %s ", system->release);
	while (stream && getline(&line, &size, stream) > 0) {
		if (strstr(line, "DKMS make.log for")) {
			is_meant = strstr(line, title) != NULL;
			dkms->error[0] = '\0';
			dkms->state = is_meant ? DKMS_FAILED : DKMS_NOT_BUILT;
		} else if (is_meant && !*dkms->error && is_error(line)) {
			line[strcspn(line, "\n")] = '\0';
			snprintf(dkms->error, sizeof(dkms->error), "%s", line);
		}
	}
	free(line);
	if (stream)
		fclose(stream);
}

void dkms_look(const struct system *system, struct dkms *dkms)
{
	char path[SYSTEM_PATH];

	memset(dkms, 0, sizeof(*dkms));
	dkms->is_there = system_has(system, "usr/sbin/dkms") || system_has(system, "usr/bin/dkms");
	system_each(system, TREE, keep_added, dkms);
	if (dkms->state == DKMS_NO_SOURCE) {
		system_each(system, "usr/src", keep_source, dkms);
		return;
	}
	system_path(dkms->log, TREE "/%s/build/make.log", dkms->version);
	read_log(system, dkms);
	system_path(path, TREE "/%s", dkms->version);
	system_each(system, path, keep_kernel, dkms);
}
