// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject.h"
#include "tap.h"
#include "task.h"

#define KNOBS	"/sys/kernel/debug/"

static const char *const kinds[] = { "failslab", "fail_page_alloc" };

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

static void set_kind(const char *kind, const char *knob, const char *value)
{
	char path[128];
	int err;

	snprintf(path, sizeof(path), KNOBS "%s/%s", kind, knob);
	err = write_text(path, value);
	if (err)
		tap_bail("%s: %s", path, strerror(-err));
}

static void set_both(const char *knob, const char *value)
{
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		set_kind(kinds[i], knob, value);
}

const char *inject_why_not(void)
{
	if (access("/proc/self/fail-nth", W_OK))
		return "this kernel was built without CONFIG_FAULT_INJECTION";
	if (access(KNOBS "failslab", F_OK) || access(KNOBS "fail_page_alloc", F_OK))
		return "this kernel fails no allocations of slab memory or of pages";
	return NULL;
}

/*
 * glibc gives each thread an area for restartable sequences, into which the kernel writes when
 * the thread returns to user space.  If there is no memory for its page then, as after a fork,
 * the kernel ends the thread.
 */
static void without_rseq(char *const argv[])
{
	static const char name[] = "GLIBC_TUNABLES", value[] = "glibc.pthread.rseq=0";
	const char *now = getenv(name);

	if (now && !strcmp(now, value))
		return;
	setenv(name, value, 1);
	execv(argv[0], argv);
	tap_bail("%s: %s", argv[0], strerror(errno));
}

void inject_prepare(char *const argv[])
{
	without_rseq(argv);
	/* No stack of each failure in the log, where it would pass for a complaint. */
	set_both("verbose", "0");
	/* Those that may sleep, and those of highmem, fail as well. */
	set_both("ignore-gfp-wait", "0");
	set_kind("fail_page_alloc", "ignore-gfp-highmem", "0");
	set_kind("fail_page_alloc", "min-order", "0");
}

/* The file of the calling thread: a child has inherited that of its parent. */
static int open_own(void)
{
	static __thread pid_t owner;
	static __thread int fd = -1;
	pid_t tid = syscall(SYS_gettid);

	if (owner == tid)
		return fd;
	if (fd >= 0)
		close(fd);
	fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		tap_bail("fail-nth: %s", strerror(errno));
	owner = tid;
	return fd;
}

static void set_nth(unsigned int nth)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(open_own(), text, length, 0) != length)
		tap_bail("fail-nth: %s", strerror(errno));
}

void inject_begin(unsigned int nth)
{
	set_nth(nth);
}

int inject_end(void)
{
	char text[16] = "";

	if (pread(open_own(), text, sizeof(text) - 1, 0) <= 0)
		tap_bail("fail-nth: %s", strerror(errno));
	set_nth(0);
	return !atoi(text);
}

/* The names that are looked for, what is written for them, and for how many it was. */
struct marking {
	const char *const *names;
	const char *value;
	unsigned int marked;
};

static void mark(const char *name, pid_t pid, void *arg)
{
	struct marking *marking = arg;
	const char *const *names = marking->names;
	char path[64];

	while (*names && strcmp(name, *names))
		names++;
	if (!*names)
		return;
	snprintf(path, sizeof(path), "/proc/%d/make-it-fail", pid);
	marking->marked += !write_text(path, marking->value);
}

static unsigned int mark_kthreads(const char *const names[], const char *value)
{
	struct marking marking = { names, value, 0 };

	task_each(mark, &marking);
	return marking.marked;
}

static const char *const *marked;

void inject_kthreads(const char *const names[])
{
	marked = names;
	set_both("task-filter", "1");
	set_both("interval", "1");
	set_both("times", "-1");
	if (!mark_kthreads(names, "1"))
		tap_bail("no thread is called %s", *names);
	set_both("probability", "100");
}

void inject_kthreads_end(void)
{
	set_both("probability", "0");
	mark_kthreads(marked, "0");
	set_both("task-filter", "0");
}
