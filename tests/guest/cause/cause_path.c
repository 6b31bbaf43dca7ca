// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls on paths and files wait for a file system, and all of them in the same state: this
 * one is FUSE, whose server answers late, as a network file system whose server has stalled.
 * After a signal they wait uninterruptibly: for the disk, if the call is to write to it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
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
#define THERE	"there"

static int device;
static int file, file_sync, file_dsync;	/* the one that is there */
static volatile int *signals;		/* does the server send one to the caller? */

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

/* True if that was the answer, at once. */
static int serve_now(const struct fuse_in_header *in)
{
	const int root = in->nodeid == FUSE_ROOT_ID;
	const struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_write = 4096,
		.flags = FUSE_POSIX_LOCKS | FUSE_FLOCK_LOCKS,
	};
	const struct fuse_attr attr = {
		.ino = in->nodeid, .mode = root ? S_IFDIR | 0755 : S_IFREG | 0644, .nlink = 2,
	};
	const struct fuse_attr_out attributes = { .attr = attr };
	const struct fuse_entry_out entry = {
		.nodeid = 2, .attr = { .ino = 2, .mode = S_IFREG | 0644, .nlink = 1 },
	};
	const struct fuse_open_out opened = { .fh = 1, .open_flags = root ? 0 : FOPEN_DIRECT_IO };

	switch (in->opcode) {
	case FUSE_INIT:
		answer(in->unique, 0, &init, sizeof(init));
		return 1;
	case FUSE_FORGET:
	case FUSE_INTERRUPT:
		return 1;
	case FUSE_GETATTR:
		answer(in->unique, 0, &attributes, sizeof(attributes));
		return 1;
	case FUSE_OPENDIR:
	case FUSE_OPEN:
		answer(in->unique, 0, &opened, sizeof(opened));
		return 1;
	case FUSE_RELEASEDIR:
	case FUSE_RELEASE:
	case FUSE_FLUSH:
		answer(in->unique, 0, "", 0);
		return 1;
	case FUSE_LOOKUP:
		if (strcmp((const char *)(in + 1), THERE))
			return 0;
		answer(in->unique, 0, &entry, sizeof(entry));
		return 1;
	}
	return 0;
}

/* There is one file, and the root, whose attributes are never cached. */
static void serve(const struct fuse_in_header *in)
{
	const struct fuse_statfs_out fs = { .st = { .bsize = 4096 } };

	if (serve_now(in))
		return;
	if (*signals)
		syscall(SYS_tkill, in->pid, SIGUSR1);
	clock_sleep(D);
	switch (in->opcode) {
	case FUSE_STATFS:
		return answer(in->unique, 0, &fs, sizeof(fs));
	case FUSE_READDIR:
	case FUSE_READDIRPLUS:
	case FUSE_FSYNC:
	case FUSE_SETLKW:
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

static void by_lock(void)
{
	struct flock lock = { .l_type = F_WRLCK };

	fcntl(file, F_SETLKW, &lock);
}

static void by_flock(void)
{
	flock(file, LOCK_EX);
}

static void write_byte(int fd)
{
	if (write(fd, "x", 1) > 0)
		tap_bail("it was written");
}

static void by_write(void)
{
	write_byte(file);
}

static void by_sync_write(void)
{
	write_byte(file_sync);
}

static void by_dsync_write(void)
{
	write_byte(file_dsync);
}

static void by_pwritev2(void)
{
	const struct iovec piece = { .iov_base = "x", .iov_len = 1 };

	if (pwritev2(file, &piece, 1, 0, RWF_DSYNC) > 0)
		tap_bail("it was written");
}

static void by_fsync(void)
{
	fsync(file);
}

static void by_fdatasync(void)
{
	fdatasync(file);
}

struct row {
	const char *name;
	void (*fn)(void);
};

static const struct row rows[] = {
	{ "stat", by_stat },		{ "statx", by_statx },		{ "access", by_access },
	{ "statfs", by_statfs },	{ "open", by_open },		{ "rename", by_rename },
	{ "link", by_link },		{ "unlink", by_unlink },	{ "mkdir", by_mkdir },
	{ "readlink", by_readlink },	{ "chmod", by_chmod },		{ "chown", by_chown },
	{ "truncate", by_truncate },	{ "utimes", by_utimes },	{ "getxattr", by_getxattr },
	{ "chdir", by_chdir },		{ "inotify_add_watch", by_watch },
	{ "getdents", by_getdents },	{ "execve", by_execve },	{ "fcntl", by_lock },
	{ "flock", by_flock },		{ "write", by_write },		{ "fsync", by_fsync },
};

/* After a signal. */
static const struct row others[] = { { "stat", by_stat }, { "write", by_write } };
static const struct row syncs[] = {
	{ "fsync", by_fsync },		{ "fdatasync", by_fdatasync },
	{ "write, O_SYNC", by_sync_write }, { "write, O_DSYNC", by_dsync_write },
	{ "pwritev2, RWF_DSYNC", by_pwritev2 },
};

static void call(void *arg)
{
	((const struct row *)arg)->fn();
}

static void one(const struct row *row, unsigned int state)
{
	struct window window;
	char name[64];

	snprintf(name, sizeof(name), "%s%s", row->name, *signals ? ", after a signal" : "");
	do {
		window_observe(&window, call, (void *)row);
	} while (window.delta.times.states_ns[state] < MOST && patience_lasts());
	window_check_state(&window, state, MOST, name);
}

static void each(const struct row *row, size_t count, unsigned int state)
{
	while (count--)
		one(row++, state);
}

#define EACH(rows, state)	each(rows, sizeof(rows) / sizeof(*(rows)), state)

static void ignore(int signal)
{
	(void)signal;
}

static int open_file(int flags)
{
	int fd = open(ROOT "/" THERE, O_RDWR | O_CLOEXEC | flags);

	if (fd < 0)
		tap_bail("open: %s", strerror(errno));
	return fd;
}

static void check(void)
{
	const struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART };

	file = open_file(0);
	file_sync = open_file(O_SYNC);
	file_dsync = open_file(O_DSYNC);
	sigaction(SIGUSR1, &action, NULL);
	EACH(rows, TASKRT_STATE_SLEEPING_FILE);
	*signals = 1;
	EACH(others, TASKRT_STATE_BLOCKED_OTHER);
	EACH(syncs, TASKRT_STATE_BLOCKED_IO);
	close(file);
	close(file_sync);
	close(file_dsync);
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
	pid_t pid;

	signals = mmap(NULL, sizeof(*signals), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (!mounted()) {
		tap_skip("calls on paths", "no FUSE");
		return tap_done();
	}
	pid = fork();
	if (!pid)
		server();
	/* If the server ends, the calls fail instead of waiting for ever. */
	close(device);
	check();
	umount2(ROOT, MNT_DETACH);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return tap_done();
}
