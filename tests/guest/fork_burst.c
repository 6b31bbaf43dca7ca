// SPDX-License-Identifier: GPL-2.0-only
/*
 * A burst of forks leaves no task without a record: a real-time thread creates many
 * threads, and gives nobody of lower priority its CPU meanwhile.
 * TASKRT_TEST_THREADS: how many (900).
 */
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "thread.h"
#include "window.h"

#define STACK		(32 * 1024)
#define PRIORITY	10

static sem_t end;

/* Nobody gives others the CPU of the real-time thread.  A kernel may lack each of these. */
static const char *const settings[][2] = {
	{ "/proc/sys/kernel/sched_rt_runtime_us", "-1" },
	{ "/sys/kernel/debug/sched/fair_server/cpu0/runtime", "0" },
	{ "/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress", "1" },
};

static void set_up(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		int fd = open(settings[i][0], O_WRONLY | O_CLOEXEC);

		if (fd < 0)
			continue;
		if (write(fd, settings[i][1], strlen(settings[i][1])) < 0)
			tap_diag("%s cannot be written", settings[i][0]);
		close(fd);
	}
}

static void *wait_end(void *unused)
{
	sem_wait(&end);
	return unused;
}

/* Return: how many were created. */
static unsigned int create(pthread_t *threads, unsigned int count)
{
	pthread_attr_t attr;
	unsigned int i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	thread_pin(0);
	thread_fifo(PRIORITY);
	for (i = 0; i < count; i++)
		if (pthread_create(&threads[i], &attr, wait_end, NULL))
			break;
	thread_other();
	thread_unpin();
	pthread_attr_destroy(&attr);
	return i;
}

int main(void)
{
	const unsigned int count = tap_setting("TASKRT_TEST_THREADS", 900);
	pthread_t *threads = calloc(count, sizeof(*threads));
	struct taskrt *handle = window_open();
	struct taskrt_info before, after;
	struct taskrt_reading process;
	unsigned int i, created;

	sem_init(&end, 0, 0);
	set_up();
	window_info(handle, &before);
	created = create(threads, count);
	window_info(handle, &after);
	window_process(handle, 0, &process);
	tap_equal(created, count, "threads created");
	tap_equal(after.no_memory - before.no_memory, 0, "a record for each of them");
	tap_equal(after.refused - before.refused, 0, "none was refused");
	tap_ok(!(process.stats.flags & TASKRT_FLAG_INCOMPLETE), "the process is complete");
	tap_at_least(process.stats.threads, created + 1, "all threads are part of it");
	for (i = 0; i < created; i++)
		sem_post(&end);
	for (i = 0; i < created; i++)
		pthread_join(threads[i], NULL);
	taskrt_close(handle);
	return tap_done();
}
