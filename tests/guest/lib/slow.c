// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "slow.h"
#include "state.h"
#include "tap.h"
#include "window.h"

struct slow {
	char *area;
	size_t length;
	uint64_t ns;
	struct taskrt *handle;	/* NULL: for ever */
	int uffd;
	int released;		/* eventfd: readable for ever once released */
	int ended;		/* eventfd: the server is to go */
	pthread_t server;
};

static void wait_released(const struct slow *slow)
{
	struct pollfd end = { .fd = slow->released, .events = POLLIN };
	struct timespec ts = { slow->ns / SEC, slow->ns % SEC };

	ppoll(&end, 1, slow->ns == SLOW_FOR_EVER ? NULL : &ts, NULL);
}

static void serve_one(const struct slow *slow)
{
	struct uffdio_zeropage zero = { 0 };
	long page = sysconf(_SC_PAGESIZE);
	struct taskrt_reading reading;
	struct uffd_msg msg;

	if (read(slow->uffd, &msg, sizeof(msg)) != sizeof(msg) ||
	    msg.event != UFFD_EVENT_PAGEFAULT)
		return;
	/* The kernel reports the fault before the thread has left its CPU. */
	if (slow->handle)
		state_await(slow->handle, msg.arg.pagefault.feat.ptid,
			    TASKRT_STATE_BLOCKED_FAULT, &reading);
	wait_released(slow);
	zero.range.start = msg.arg.pagefault.address & ~(page - 1);
	zero.range.len = page;
	ioctl(slow->uffd, UFFDIO_ZEROPAGE, &zero);
}

static void *serve(void *arg)
{
	const struct slow *slow = arg;
	struct pollfd fds[] = {
		{ .fd = slow->uffd, .events = POLLIN },
		{ .fd = slow->ended, .events = POLLIN },
	};

	for (;;) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[1].revents)
			return NULL;
		serve_one(slow);
	}
}

struct slow *slow_new(size_t pages, uint64_t ns)
{
	struct uffdio_api api = { .api = UFFD_API, .features = UFFD_FEATURE_THREAD_ID };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct slow *slow = calloc(1, sizeof(*slow));

	slow->length = pages * sysconf(_SC_PAGESIZE);
	slow->ns = ns;
	slow->handle = ns == SLOW_FOR_EVER ? NULL : window_open();
	slow->area = mmap(NULL, slow->length, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	slow->uffd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	slow->released = eventfd(0, EFD_CLOEXEC);
	slow->ended = eventfd(0, EFD_CLOEXEC);
	reg.range.start = (uintptr_t)slow->area;
	reg.range.len = slow->length;
	if (slow->area == MAP_FAILED || slow->uffd < 0 ||
	    ioctl(slow->uffd, UFFDIO_API, &api) || ioctl(slow->uffd, UFFDIO_REGISTER, &reg) ||
	    pthread_create(&slow->server, NULL, serve, slow))
		tap_bail("userfaultfd: %s", strerror(errno));
	return slow;
}

volatile char *slow_page(const struct slow *slow, size_t i)
{
	return slow->area + i * sysconf(_SC_PAGESIZE);
}

static void signal_event(int fd)
{
	uint64_t one = 1;

	if (write(fd, &one, sizeof(one)) != sizeof(one))
		tap_bail("eventfd: %s", strerror(errno));
}

void slow_release(struct slow *slow)
{
	signal_event(slow->released);
}

void slow_free(struct slow *slow)
{
	signal_event(slow->ended);
	pthread_join(slow->server, NULL);
	taskrt_close(slow->handle);
	close(slow->uffd);
	close(slow->released);
	close(slow->ended);
	munmap(slow->area, slow->length);
	free(slow);
}
