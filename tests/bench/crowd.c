// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "crowd.h"
#include "tap.h"

#define STACK	(32 * 1024)

/* Never released, so that all threads sleep. */
static pthread_mutex_t barrier = PTHREAD_MUTEX_INITIALIZER;

static void *stand(void *unused)
{
	pthread_mutex_lock(&barrier);
	return unused;
}

static void allow(const char *limit)
{
	int fd = open(limit, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "300000", 6) != 6)
		tap_diag("%s: %s", limit, strerror(errno));
	if (fd >= 0)
		close(fd);
}

static unsigned int gathered;

unsigned int crowd_size(void)
{
	return gathered;
}

void crowd_gather(unsigned int count)
{
	static int first = 1;
	pthread_attr_t attr;
	pthread_t thread;
	char *stacks;
	int err;

	if (first)
		pthread_mutex_lock(&barrier);
	first = 0;
	allow("/proc/sys/kernel/threads-max");
	allow("/proc/sys/kernel/pid_max");
	/* One mapping for all stacks, because a process may have at most 65530 mappings. */
	stacks = mmap(NULL, (size_t)count * STACK, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pthread_attr_init(&attr);
	gathered += count;
	while (count--) {
		pthread_attr_setstack(&attr, stacks + (size_t)count * STACK, STACK);
		err = pthread_create(&thread, &attr, stand, NULL);
		if (err)
			tap_bail("%u threads could not be created: %s", count + 1, strerror(err));
	}
	pthread_attr_destroy(&attr);
	usleep(100000);
}
