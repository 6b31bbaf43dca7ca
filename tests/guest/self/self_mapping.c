// SPDX-License-Identifier: GPL-2.0-only
/* How /dev/taskrt may be mapped, what becomes of a mapping, and that its memory is freed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "memory.h"
#include "modinfo.h"
#include "page.h"
#include "tap.h"


static int device;
static unsigned long whole;	/* all there is to map */

static void refused(int fd, unsigned long length, int protection, int flags, long offset,
		    int error, const char *name)
{
	const struct taskrt_page *page = page_try(fd, length, protection, flags, offset);

	tap_errno(page ? 0 : errno, error, "refused: %s", name);
	if (page)
		munmap((void *)page, length);
}

static void arguments(void)
{
	unsigned long unit = sysconf(_SC_PAGESIZE), length = whole;
	int writable = open(TASKRT_DEVICE, O_RDWR | O_CLOEXEC);

	refused(device, length + unit, PROT_READ, MAP_SHARED, 0, EINVAL, "a page too long");
	refused(device, 64 * length, PROT_READ, MAP_SHARED, 0, EINVAL, "much too long");
	refused(device, unit, PROT_READ, MAP_SHARED, unit, EINVAL, "the second page alone");
	refused(device, unit, PROT_READ, MAP_SHARED, length, EINVAL, "a page behind it");
	refused(device, length, PROT_READ, MAP_SHARED, unit, EINVAL, "the second page on");
	refused(device, length, PROT_READ, MAP_SHARED, 1L << 40, EINVAL, "far behind");
	refused(device, length, PROT_READ, MAP_PRIVATE, 0, EINVAL, "a private mapping");
	refused(device, length, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0, EINVAL,
		"a private mapping to write to");
	refused(device, length, PROT_READ | PROT_WRITE, MAP_SHARED, 0, EACCES,
		"to write to, of a file opened for reading");
	if (writable < 0) {
		tap_errno(errno, EACCES, "or not even opened for writing");
		return;
	}
	refused(writable, length, PROT_READ | PROT_WRITE, MAP_SHARED, 0, EINVAL, "to write to");
	refused(writable, length, PROT_WRITE, MAP_SHARED, 0, EINVAL, "only to write to");
	close(writable);
}

/* Any number of whole pages can be mapped, up to all; each mapping begins as the header says. */
static void shorter(void)
{
	unsigned long unit = sysconf(_SC_PAGESIZE), length;
	const struct taskrt_page *page;
	unsigned int wrong = 0;

	for (length = unit; length <= whole; length += unit) {
		page = page_try(device, length, PROT_READ, MAP_SHARED, 0);
		if (!tap_ok(page != NULL, "%lu of %lu bytes may be mapped", length, whole))
			continue;
		wrong += page->tid != (uint32_t)gettid() || page->map_size != whole ||
			 page->status != TASKRT_PAGE_LIVE;
		munmap((void *)page, length);
	}
	/* The kernel itself rounds the length up to whole pages. */
	page = page_try(device, 1, PROT_READ, MAP_SHARED, 0);
	if (tap_ok(page != NULL, "1 byte is a page"))
		munmap((void *)page, 1);
	tap_equal(wrong, 0, "and each is this thread's, and knows how long all of it is");
}

/*
 * Sends a request that is longer or shorter than today's, as a caller of another version
 * may have it.
 */
static int alert_sized(const void *request, size_t size)
{
	return ioctl(device, _IOC(_IOC_WRITE, 0xF7, _IOC_NR(TASKRT_IOC_ALERT), size), request) ?
	       errno : 0;
}

static void request_sizes(void)
{
	struct {
		struct taskrt_alert_request alert;
		char rest[192];
	} longer = { .alert = { .tag = "a longer one" } };

	tap_errno(alert_sized(&longer, sizeof(longer)), ENODATA,
		  "a longer request, the rest zeros");
	longer.rest[sizeof(longer.rest) - 1] = 1;
	tap_errno(alert_sized(&longer, sizeof(longer)), E2BIG, "a longer one, the last byte not 0");
	longer.rest[sizeof(longer.rest) - 1] = 0;
	longer.rest[0] = 1;
	tap_errno(alert_sized(&longer, sizeof(longer)), E2BIG, "a longer one, the next byte not 0");
	tap_errno(alert_sized(&longer, sizeof(longer.alert) + 1), E2BIG, "longer by that byte");
	tap_errno(alert_sized(&longer, sizeof(longer.alert)), ENODATA, "of its own size");
	tap_errno(alert_sized("", 1), ENODATA, "of one byte: the rest is zeros");
	tap_errno(alert_sized("", 16), ENODATA, "of some");
	tap_errno(alert_sized(NULL, 16), EFAULT, "of 16 bytes, from a bad address");
}

static void device_itself(void)
{
	struct taskrt_alert_request alert = { .tag = "nobody armed this" };
	struct stat st;
	char byte;

	tap_ok(!stat(TASKRT_DEVICE, &st) && S_ISCHR(st.st_mode), "a character device");
	tap_equal(st.st_mode & 07777, 0666, "for everybody");
	tap_ok(read(device, &byte, 1) < 0 && errno, "nothing to read(2)");
	tap_errno(ioctl(device, TASKRT_IOC_ALERT, &alert) ? errno : 0, ENODATA,
		  "an alert of a thread that is not armed");
	tap_errno(ioctl(device, TASKRT_IOC_ALERT, NULL) ? errno : 0, EFAULT,
		  "an alert from a bad address");
	tap_errno(ioctl(device, _IO(0xF7, 99), NULL) ? errno : 0, ENOTTY, "another request");
	tap_errno(ioctl(device, _IOW(0xF7, 2, struct taskrt_alert_request), &alert) ? errno : 0,
		  ENOTTY, "the number that is reserved");
	tap_errno(ioctl(device, _IOW('t', 1, struct taskrt_alert_request), &alert) ? errno : 0,
		  ENOTTY, "another device's");
}

static void changes(void)
{
	const struct taskrt_page *page = page_map(device);
	unsigned long length = page_length(page);
	void *area = (void *)page;

	tap_errno(mprotect(area, length, PROT_READ | PROT_WRITE) ? errno : 0, EACCES,
		  "not made writable later");
	tap_ok(mremap(area, length, 2 * length, MREMAP_MAYMOVE) == MAP_FAILED, "not grown");
	tap_ok(page->tid == (uint32_t)gettid(), "and still there");
	page_unmap(page);
}

/* What a process does to its own mapping affects no other; it happens in a child. */
static int torn_apart(void *how)
{
	const struct taskrt_page *page = page_map(device);
	unsigned long unit = sysconf(_SC_PAGESIZE), length = page_length(page);
	uint32_t tid = gettid();
	void *moved;

	switch (*(int *)how) {
	case 0:	/* Cut in the middle; the rest lives on. */
		if (length > unit && munmap((char *)page + unit, length - unit))
			return errno;
		return page->tid != tid;
	case 1:
		moved = mremap((void *)page, length, length, MREMAP_MAYMOVE | MREMAP_DONTUNMAP);
		if (moved == MAP_FAILED)
			return 0;
		return ((struct taskrt_page *)moved)->tid != tid;
	case 2:
		moved = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		moved = mremap((void *)page, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, moved);
		if (moved == MAP_FAILED)
			return 0;
		return ((struct taskrt_page *)moved)->tid != tid;
	case 3:	/* Thrown away: refused, or still the same. */
		madvise((void *)page, length, MADV_DONTNEED);
		return page->tid != tid;
	case 4:	/* Made inheritable: refused, or still the same. */
		madvise((void *)page, length, MADV_DOFORK);
		return page->tid != tid;
	}
	return 200;
}

static void rude(void)
{
	static const char *const names[] = {
		"half of it unmapped", "moved away", "moved over another", "thrown away",
		"made inheritable",
	};
	int how, status;
	pid_t pid;

	for (how = 0; how < 5; how++) {
		pid = fork();
		if (!pid)
			_exit(torn_apart(&how));
		waitpid(pid, &status, 0);
		/* Where the kernel allows MADV_DONTNEED, the pages are gone. */
		tap_ok(!status || (how == 3 && WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS),
		       "%s: it is still one's own, or nothing (%#x)", names[how], status);
	}
}

/* Not even madvise(MADV_DOFORK) gives a child access. */
static void inherited_by_force(void)
{
	const struct taskrt_page *page = page_map(device);
	unsigned char there[64];	/* one a page */
	pid_t pid;
	int status;

	if (madvise((void *)page, page_length(page), MADV_DOFORK)) {
		tap_ok(1, "MADV_DOFORK is refused");
		page_unmap(page);
		return;
	}
	pid = fork();
	if (!pid)
		_exit(!mincore((void *)page, page_length(page), there));
	waitpid(pid, &status, 0);
	tap_equal(status, 0, "MADV_DOFORK: the child has nothing there");
	page_unmap(page);
}

static int as_somebody(void *who)
{
	const struct taskrt_page *page;
	struct page_copy copy;
	int fd;

	ask_become(who);
	fd = open(TASKRT_DEVICE, O_RDONLY);
	if (fd < 0)
		return errno;
	page = page_try_all(fd);
	if (!page)
		return errno;
	page_read(page, &copy);
	return page->tid != (uint32_t)gettid() || page->uid != getuid() ||
	       !page_adds_up(page, &copy);
}

static void everybody(void)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	static const struct ask_who powerless = { 0, 0, 0, 0 };

	tap_errno(ask_in_child(as_somebody, (void *)&user), 0, "a user maps the user's own");
	tap_errno(ask_in_child(as_somebody, (void *)&powerless), 0,
		  "so does root without capabilities");
}

/* Two mappings show the same thread twice. */
static void twice(void)
{
	const struct taskrt_page *first = page_map(device), *second = page_map(device);
	struct page_copy one, two, three;

	page_read(first, &one);
	page_read(second, &two);
	page_read(first, &three);
	tap_ok(first->tid == second->tid && first->start_time_ns == second->start_time_ns,
	       "mapped twice: the same thread");
	tap_ok(!page_copy_falls(&one, &two) && !page_copy_falls(&two, &three),
	       "mapped twice: the same counters");
	page_unmap(first);
	page_read(second, &two);
	tap_ok(!page_copy_falls(&three, &two) && page_status(second) == TASKRT_PAGE_LIVE,
	       "the second one stays when the first one goes");
	page_unmap(second);
}

static void memory(void)
{
	unsigned long rounds = tap_setting("TASKRT_TEST_MAPPINGS", 10000), before, i;
	uint64_t held;

	/* After the first time, some memory stays in the lists of each CPU. */
	for (i = 0; i < rounds; i++)
		page_unmap(page_map(device));
	before = memory_free_kib();
	held = modinfo(TASKRT_INFO_A_MEMORY);
	for (i = 0; i < rounds; i++)
		page_unmap(page_map(device));
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "%lu times mapped: none is left",
		  rounds);
	tap_at_least(memory_free_again_kib(before - MEMORY_KEPT_KIB),
		     before - MEMORY_KEPT_KIB, "memory came back");
	held += MEMORY_KEPT_KIB * 1024ULL;
	tap_at_most(modinfo_await_at_most(TASKRT_INFO_A_MEMORY, held), held, "and INFO says so");
}

int main(void)
{
	const struct taskrt_page *page;

	device = page_device();
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "no thread has its counters mapped");
	device_itself();
	request_sizes();
	page = page_map(device);
	whole = page_length(page);
	tap_equal(page->version, TASKRT_PAGE_VERSION, "version");
	tap_equal(page->size, TASKRT_PAGE_SIZE, "size");
	tap_ok(page_is_sound(page), "all arrays are in it");
	page_unmap(page);
	arguments();
	shorter();
	page = page_map(device);
	tap_equal(modinfo(TASKRT_INFO_A_MAPPED), 1, "INFO counts one");
	page_unmap(page);
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "and none when it is unmapped");
	changes();
	rude();
	inherited_by_force();
	everybody();
	twice();
	memory();
	return tap_done();
}
