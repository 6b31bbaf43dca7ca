// SPDX-License-Identifier: GPL-2.0-only
/* Cgroups of version 2, by path or by id. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "common/arg.h"
#include "common/error.h"
#include "report/report.h"

/* Where systemd and others mount it: alone, or beside version 1. */
static const char * const roots[] = { "", "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };

/* Without file handles, the inode number is the id if it has 64 bits. */
static int get_inode(const char *path, uint64_t *id)
{
	struct stat about;

	if (stat(path, &about))
		return -errno;
	*id = about.st_ino;
	return 0;
}

/* The id of a cgroup is in the file handle of its folder. */
static int get_id(const char *path, uint64_t *id)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(*id)];
	} name = { .handle.handle_bytes = sizeof(*id) };
	int mount;

	if (name_to_handle_at(AT_FDCWD, path, &name.handle, &mount, 0))
		return errno == ENOSYS ? get_inode(path, id) : -errno;
	memcpy(id, name.handle.f_handle, sizeof(*id));
	return 0;
}

static int look_up(const char *path, uint64_t *id)
{
	struct statfs about;

	if (statfs(path, &about))
		return -errno;
	if (about.f_type != CGROUP2_SUPER_MAGIC)
		return -ENOTDIR;
	return get_id(path, id);
}

/* Below the root at i; "web.slice" is "/web.slice" there.  Return: as look_up(). */
static int look_below(size_t i, const char *text, uint64_t *id)
{
	const char *separator = i && text[0] != '/' ? "/" : "";
	char path[4096];

	if (snprintf(path, sizeof(path), "%s%s%s", roots[i], separator, text) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	return look_up(path, id);
}

int cgroup_find(const char *text, uint64_t *id)
{
	int first = 0;
	size_t i;

	if (*text && strspn(text, "0123456789") == strlen(text))
		return arg_number(text, "a cgroup's id", id);
	for (i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		int error = look_below(i, text, id);

		if (!error)
			return 0;
		if (!i)
			first = error;
	}
	if (first == -ENOTDIR)
		return error_fail("'%.256s' is not in a cgroup2 file system", text);
	return error_fail("there is no cgroup '%.256s': %s", text, strerror(-first));
}

/* "0::/system.slice/web.service" in /proc/PID/cgroup. */
static int read_path(pid_t tid, char path[CGROUP_PATH_MAX])
{
	char name[32], line[CGROUP_PATH_MAX + 3];
	FILE *stream;
	int found = 0;

	snprintf(name, sizeof(name), "/proc/%d/cgroup", tid);
	stream = fopen(name, "re");
	while (stream && !found && fgets(line, sizeof(line), stream))
		found = !strncmp(line, "0::", 3);
	if (stream)
		fclose(stream);
	if (!found)
		return -1;
	line[strcspn(line, "\n")] = '\0';
	strcpy(path, line + 3);
	return 0;
}

int cgroup_path(pid_t tid, uint64_t id, char path[CGROUP_PATH_MAX])
{
	uint64_t found;
	size_t i;

	if (read_path(tid, path))
		return -1;
	for (i = 1; i < sizeof(roots) / sizeof(roots[0]); i++)
		if (!look_below(i, path, &found) && found == id)
			return 0;
	return -1;
}
