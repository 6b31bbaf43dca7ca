// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "quiet.h"
#include "tap.h"
#include "window.h"

static unsigned int count_entries(const char *folder)
{
	unsigned int count = 0;
	struct dirent *entry;
	DIR *dir = opendir(folder);

	/* The process has ended meanwhile. */
	if (!dir)
		return 0;
	while ((entry = readdir(dir)))
		count += atoi(entry->d_name) > 0;
	closedir(dir);
	return count;
}

unsigned int quiet_tasks(void)
{
	char folder[64];
	unsigned int count = 0;
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	if (!proc)
		tap_bail("/proc");
	while ((entry = readdir(proc))) {
		if (atoi(entry->d_name) <= 0)
			continue;
		snprintf(folder, sizeof(folder), "/proc/%.20s/task", entry->d_name);
		count += count_entries(folder);
	}
	closedir(proc);
	return count;
}

static int is_quiet(const struct taskrt_info *info, unsigned int tasks)
{
	return !info->listeners && !info->armed && !info->mapped && !info->backlog_bytes &&
	       info->threads == tasks;
}

void quiet_check(const char *name)
{
	const uint64_t end = clock_now() + 2 * CLOCK_PATIENCE;
	struct taskrt *handle = window_open();
	struct taskrt_info info;
	unsigned int tasks;

	do {
		clock_sleep(50 * MS);
		tasks = quiet_tasks();
		window_info(handle, &info);
	} while (!is_quiet(&info, tasks) && clock_now() < end);
	if (!tap_ok(is_quiet(&info, tasks), "%s: as many records as tasks, and nothing else", name))
		tap_diag("%llu records of %u tasks, %u listeners, %u armed, %u mapped, backlog %llu",
			 (unsigned long long)info.threads, tasks, info.listeners, info.armed,
			 info.mapped, (unsigned long long)info.backlog_bytes);
	taskrt_close(handle);
}
