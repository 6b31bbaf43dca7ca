// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "memcg.h"

#define V2		"/sys/fs/cgroup"
#define V1		"/tmp/taskrt-memory"
#define CANNOT_MOVE	250

static const char *group;	/* its folder */

static int put(const char *folder, const char *file, const char *text)
{
	char path[128];
	int fd, ok;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return ok;
}

static int has(const char *folder, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	return !access(path, F_OK);
}

/* The controller is in one of the two hierarchies, in which is up to who booted. */
static const char *make_v2(void)
{
	if (!put(V2, "cgroup.subtree_control", "+memory"))
		return NULL;
	if (mkdir(V2 "/taskrt-memory", 0755) && errno != EEXIST)
		return NULL;
	return has(V2 "/taskrt-memory", "memory.current") ? V2 "/taskrt-memory" : NULL;
}

static const char *make_v1(void)
{
	mkdir(V1, 0755);
	if (mount("cgroup", V1, "cgroup", 0, "memory"))
		return NULL;
	if (mkdir(V1 "/group", 0755) && errno != EEXIST)
		return NULL;
	return has(V1 "/group", "memory.usage_in_bytes") ? V1 "/group" : NULL;
}

static int is_v1(void)
{
	return !strncmp(group, V1, strlen(V1));
}

const char *memcg_make(void)
{
	group = make_v2() ?: make_v1();
	return group;
}

int memcg_remove(void)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;
	int gone;

	while (rmdir(group) && errno == EBUSY && clock_now() < end)
		clock_sleep(10 * MS);
	gone = access(group, F_OK);
	if (is_v1())
		umount2(V1, MNT_DETACH);
	return gone;
}

void memcg_enter(void)
{
	if (!put(group, "cgroup.procs", "0"))
		_exit(CANNOT_MOVE);
}

uint64_t memcg_usage(void)
{
	char path[128], text[32] = "";
	int fd;

	snprintf(path, sizeof(path), "%s/%s", group,
		 is_v1() ? "memory.usage_in_bytes" : "memory.current");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		_exit(CANNOT_MOVE);
	close(fd);
	return strtoull(text, NULL, 10);
}

int memcg_limit(uint64_t bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)bytes);
	return put(group, is_v1() ? "memory.limit_in_bytes" : "memory.max", text);
}

int memcg_high(uint64_t bytes)
{
	char text[32] = "max";

	if (bytes)
		snprintf(text, sizeof(text), "%llu", (unsigned long long)bytes);
	return !is_v1() && put(group, "memory.high", text);
}

uint64_t memcg_events(const char *name)
{
	unsigned long long number = 0;
	char path[128], word[32];
	FILE *file;

	snprintf(path, sizeof(path), "%s/memory.events", group);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (fscanf(file, "%31s %llu", word, &number) == 2 && strcmp(word, name))
		number = 0;
	fclose(file);
	return number;
}
