// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "leftover.h"
#include "module.h"
#include "patience.h"
#include "raw.h"

#define KPROBES	"/sys/kernel/debug/kprobes/list"

/* A line with both of the texts. */
static int are_in_file(const char *path, const char *text, const char *other)
{
	char line[512];
	int found = 0;
	FILE *file = fopen(path, "r");

	while (file && fgets(line, sizeof(line), file))
		found |= strstr(line, text) && strstr(line, other);
	if (file)
		fclose(file);
	return found;
}

static int is_in_file(const char *path, const char *text)
{
	return are_in_file(path, text, "");
}

/* The threads that fill the stocks of records. */
static int is_thread(const char *tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%.20s/comm", tid);
	return is_in_file(path, "taskrt_thread") || is_in_file(path, "taskrt_process");
}

static int has_thread(void)
{
	struct dirent *entry;
	DIR *proc = opendir("/proc");
	int found = 0;

	while (proc && (entry = readdir(proc)))
		found |= atoi(entry->d_name) > 0 && is_thread(entry->d_name);
	if (proc)
		closedir(proc);
	return found;
}

int leftover_kprobe(void)
{
	return is_in_file(KPROBES, "+0x");
}

int leftover_is_disabled(const char *function)
{
	return are_in_file(KPROBES, function, "[DISABLED]");
}

static int has_family(void)
{
	struct raw raw;

	if (raw_open(&raw))
		return 0;
	raw_close(&raw);
	return 1;
}

/* Where the kernel has merged it with another cache, its name is a link, which stays for ever. */
static int is_cache(const char *path)
{
	struct stat file;

	return !lstat(path, &file) && S_ISDIR(file.st_mode);
}

static int has_cache(void)
{
	return is_cache("/sys/kernel/slab/taskrt_thread") ||
	       is_cache("/sys/kernel/slab/taskrt_process");
}

const char *leftover(void)
{
	if (module_loaded(MODULE_TASKRT) || is_in_file("/proc/modules", "taskrt "))
		return "the module";
	if (!access("/dev/taskrt", F_OK) || is_in_file("/proc/misc", " taskrt"))
		return "the device";
	if (has_family())
		return "the family";
	if (leftover_kprobe())
		return "a kprobe";
	/* An older kernel removes it from there a little later. */
	while (has_cache() && patience_lasts())
		clock_sleep(MS);
	if (has_cache())
		return "a cache";
	return has_thread() ? "a kernel thread" : NULL;
}
