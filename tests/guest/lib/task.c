// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "setting.h"
#include "tap.h"
#include "task.h"

pid_t task_named(const char *name)
{
	char path[64], comm[32];
	struct dirent *entry;
	pid_t found = 0;
	DIR *proc = opendir("/proc");

	if (!proc)
		tap_bail("/proc");
	while (!found && (entry = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%.20s/comm", entry->d_name);
		if (!setting_read(path, comm, sizeof(comm)))
			continue;
		comm[strcspn(comm, "\n")] = 0;
		if (!strcmp(comm, name))
			found = atoi(entry->d_name);
	}
	closedir(proc);
	return found;
}
