// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "setting.h"
#include "tap.h"
#include "task.h"

void task_each(task_fn fn, void *arg)
{
	char path[64], comm[64];
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	if (!proc)
		tap_bail("/proc");
	while ((entry = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%.20s/comm", entry->d_name);
		if (atoi(entry->d_name) <= 0 || !setting_read(path, comm, sizeof(comm)))
			continue;
		comm[strcspn(comm, "\n")] = 0;
		fn(comm, atoi(entry->d_name), arg);
	}
	closedir(proc);
}

struct wanted {
	const char *name;
	pid_t pid;
};

static void look_at(const char *name, pid_t pid, void *arg)
{
	struct wanted *wanted = arg;

	if (!strcmp(name, wanted->name))
		wanted->pid = pid;
}

pid_t task_named(const char *name)
{
	struct wanted wanted = { name, 0 };

	task_each(look_at, &wanted);
	return wanted.pid;
}
