// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "clock.h"
#include "tap.h"

uint64_t cgroup_id(const char *folder)
{
	char path[256];
	struct stat st;

	/* The folder counts only if a cgroup file system is mounted there. */
	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	return stat(path, &st) || stat(folder, &st) ? 0 : st.st_ino;
}

uint64_t cgroup_make(void)
{
	uint64_t id = 0;

	mkdir(CGROUP_OWN, 0755);
	if (!mkdir(CGROUP_BELOW, 0755) || errno == EEXIST)
		id = cgroup_id(CGROUP_OWN);
	if (!id)
		cgroup_remove();
	return id;
}

/* A task that has ended may not have left the cgroup yet. */
static void remove_one(const char *folder)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;

	while (rmdir(folder) && errno == EBUSY && clock_now() < end)
		clock_sleep(10 * MS);
}

void cgroup_remove(void)
{
	remove_one(CGROUP_BELOW);
	remove_one(CGROUP_OWN);
}

void cgroup_move(pid_t pid, const char *folder)
{
	char path[256], text[16];
	int fd, n;

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	n = snprintf(text, sizeof(text), "%d", pid);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, n) != n)
		tap_bail("process %d cannot be moved to %s: %s", pid, folder, strerror(errno));
	close(fd);
}
