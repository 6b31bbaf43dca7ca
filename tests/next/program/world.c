// SPDX-License-Identifier: GPL-2.0-only
/* What the library asks of the system, beside netlink; the module answers it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <netlink/msg.h>

#include "fake_kernel.h"
#include "taskrt.h"
#include "world.h"

const struct module *world;

/* The scenario is always played on the same day, so that files are alike. */
#define BOOTED_NS	(1700000000 * 1000000000ULL)
static const char boot_id[] = "01234567-89ab-cdef-0123-456789abcdef\n";

/* As far as a thread reads itself behind the clock, so that it reads the present instant. */
uint64_t world_ahead_ns = 64;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	uint64_t ns;

	if (!world || (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME))
		return syscall(SYS_clock_gettime, clock, now);
	ns = world->now() + world_ahead_ns;
	if (clock == CLOCK_REALTIME)
		ns += BOOTED_NS;
	now->tv_sec = ns / 1000000000;
	now->tv_nsec = ns % 1000000000;
	return 0;
}

int world_device_errno;

/* The kernel's own clock, which the library would find, is not the module's. */
void *dlopen(const char *name, int flags)
{
	if (name && !strcmp(name, "linux-vdso.so.1"))
		return NULL;
	return dlmopen(LM_ID_BASE, name, flags);
}

/* Nothing is sent on it, and an emulator of another architecture knows only this protocol. */
int socket(int domain, int type, int protocol)
{
	if (domain == AF_NETLINK)
		protocol = NETLINK_ROUTE;
	return syscall(SYS_socket, domain, type, protocol);
}

static int open_boot_id(void)
{
	int fd = memfd_create("boot_id", MFD_CLOEXEC);

	if (write(fd, boot_id, sizeof(boot_id) - 1) < 0)
		abort();
	lseek(fd, 0, SEEK_SET);
	return fd;
}

int open(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	if (world && !strcmp(path, TASKRT_DEVICE)) {
		errno = world_device_errno;
		return errno ? -1 : dup(world->page_fd());
	}
	if (world && !strcmp(path, "/proc/sys/kernel/random/boot_id"))
		return open_boot_id();
	va_start(rest, flags);
	mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static void answer(struct nlmsghdr *request)
{
	static char bytes[65536];
	int length = world->answer(request, bytes, sizeof(bytes));

	if (length < 0) {
		fake_verdict(request, length, NULL, true);
		return;
	}
	if (length)
		fake_send(nlmsg_convert((struct nlmsghdr *)bytes));
	if (request->nlmsg_flags & NLM_F_DUMP)
		fake_done(0, NULL);
	else
		fake_verdict(request, 0, NULL, true);
}

void world_tell(const void *bytes, int length)
{
	if (length <= 0)
		abort();
	fake_notify(nlmsg_convert((struct nlmsghdr *)bytes));
}

void world_open(const char *path)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	world = object ? dlsym(object, "module") : NULL;
	if (!world) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	fake_reset(answer);
}
