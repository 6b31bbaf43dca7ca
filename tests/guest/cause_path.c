// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls on paths and files wait for a file system, and all of them in the same state: this
 * one is FUSE, whose server answers late, as a network file system whose server has stalled.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "tap.h"
#include "window.h"

#define D	(100 * MS)
#define MOST	(D / 2)
#define ROOT	"/tmp/slow"
#define NAME	ROOT "/file"

static int device;

static void answer(uint64_t unique, int error, const void *body, size_t size)
{
	struct fuse_out_header header = { .len = sizeof(header), .error = error, .unique = unique };
	char out[256];

	if (!error)
		header.len += size;
	memcpy(out, &header, sizeof(header));
	if (!error)
		memcpy(out + sizeof(header), body, size);
	if (write(device, out, header.len) < 0 && errno != ENOENT)
		_exit(1);
}

/* There is no file; but the root can be opened, and has attributes that are never cached. */
static void serve(const struct fuse_in_header *in)
{
	const struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_write = 4096,
	};
	const struct fuse_attr_out attr = {
		.attr = { .ino = 1, .mode = S_IFDIR | 0755, .nlink = 2 },
	};
	const struct fuse_open_out opened = { .fh = 1 };
	const struct fuse_statfs_out fs = { .st = { .bsize = 4096 } };

	switch (in->opcode) {
	case FUSE_INIT:
		return answer(in->unique, 0, &init, sizeof(init));
	case FUSE_FORGET:
	case FUSE_INTERRUPT:
		return;
	case FUSE_GETATTR:
		return answer(in->unique, 0, &attr, sizeof(attr));
	case FUSE_OPENDIR:
		return answer(in->unique, 0, &opened, sizeof(opened));
	case FUSE_RELEASEDIR:
		return answer(in->unique, 0, "", 0);
	}
	clock_sleep(D);
	switch (in->opcode) {
	case FUSE_STATFS:
		return answer(in->unique, 0, &fs, sizeof(fs));
	case FUSE_READDIR:
	case FUSE_READDIRPLUS:
		return answer(in->unique, 0, "", 0);
	default:
		return answer(in->unique, -ENOENT, NULL, 0);
	}
}

static void server(void)
{
	static char buffer[FUSE_MIN_READ_BUFFER + 4096];

	while (read(device, buffer, sizeof(buffer)) > 0)
		serve((const struct fuse_in_header *)buffer);
	_exit(0);
}

static void by_stat(void)
{
	struct stat st;

	stat(NAME, &st);
}

static void by_statx(void)
{
	struct statx st;

	statx(AT_FDCWD, NAME, 0, STATX_ALL, &st);
}

static void by_access(void)
{
	access(NAME, R_OK);
}

static void by_statfs(void)
{
	struct statfs fs;

	statfs(ROOT, &fs);
}

static void by_open(void)
{
	open(NAME, O_RDONLY | O_CLOEXEC);
}

static void by_rename(void)
{
	rename(NAME, ROOT "/other");
}

static void by_link(void)
{
	link(NAME, ROOT "/other");
}

static void by_unlink(void)
{
	unlink(NAME);
}

static void by_mkdir(void)
{
	mkdir(NAME, 0755);
}

static void by_readlink(void)
{
	char to[64];

	if (readlink(NAME, to, sizeof(to)) >= 0)
		tap_bail("there is a link");
}

static void by_chmod(void)
{
	chmod(NAME, 0644);
}

static void by_chown(void)
{
	if (!chown(NAME, 0, 0))
		tap_bail("there is a file");
}

static void by_truncate(void)
{
	if (!truncate(NAME, 0))
		tap_bail("there is a file");
}

static void by_utimes(void)
{
	utimes(NAME, NULL);
}

static void by_getxattr(void)
{
	char value[8];

	getxattr(NAME, "user.x", value, sizeof(value));
}

static void by_chdir(void)
{
	if (!chdir(NAME))
		tap_bail("there is a folder");
}

static void by_watch(void)
{
	int fd = inotify_init1(IN_CLOEXEC);

	inotify_add_watch(fd, NAME, IN_MODIFY);
	close(fd);
}

static void by_getdents(void)
{
	DIR *dir = opendir(ROOT);

	if (!dir)
		tap_bail("opendir: %s", strerror(errno));
	readdir(dir);
	closedir(dir);
}

static void by_execve(void)
{
	static char *const nothing[] = { NULL };

	execve(NAME, nothing, nothing);
}

static const struct {
	const char *name;
	void (*fn)(void);
} cases[] = {
	{ "stat", by_stat },		{ "statx", by_statx },		{ "access", by_access },
	{ "statfs", by_statfs },	{ "open", by_open },		{ "rename", by_rename },
	{ "link", by_link },		{ "unlink", by_unlink },	{ "mkdir", by_mkdir },
	{ "readlink", by_readlink },	{ "chmod", by_chmod },		{ "chown", by_chown },
	{ "truncate", by_truncate },	{ "utimes", by_utimes },	{ "getxattr", by_getxattr },
	{ "chdir", by_chdir },		{ "inotify_add_watch", by_watch },
	{ "getdents", by_getdents },	{ "execve", by_execve },
};

static void call(void *arg)
{
	(*(void (*const *)(void))arg)();
}

static void one(unsigned int i)
{
	struct window window;

	do {
		window_observe(&window, call, (void *)&cases[i].fn);
	} while (window.delta.times.states_ns[TASKRT_STATE_SLEEPING_FILE] < MOST &&
		 patience_lasts());
	window_check_state(&window, TASKRT_STATE_SLEEPING_FILE, MOST, cases[i].name);
}

static int mounted(void)
{
	char options[64];

	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	mkdir(ROOT, 0755);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
	return device >= 0 && !mount("slow", ROOT, "fuse", 0, options);
}

int main(void)
{
	unsigned int i;
	pid_t pid;

	if (!mounted()) {
		tap_skip("calls on paths", "no FUSE");
		return tap_done();
	}
	pid = fork();
	if (!pid)
		server();
	/* If the server ends, the calls fail instead of waiting for ever. */
	close(device);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		one(i);
	umount2(ROOT, MNT_DETACH);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return tap_done();
}
