// SPDX-License-Identifier: GPL-2.0-only
/*
 * A burst of forks leaves no task without a record: a real-time thread creates many
 * threads, and gives nobody of lower priority its CPU meanwhile.
 * TASKRT_TEST_THREADS: how many (900).
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "setting.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define STACK		(32 * 1024)
#define PRIORITY	10

static sem_t end;

/* Nobody gives others the CPU of the real-time thread.  A kernel may lack each of these. */
static struct {
	const char *path, *value;
	char before[32];
} settings[] = {
	{ "/proc/sys/kernel/sched_rt_runtime_us", "-1", "" },
	{ "/sys/kernel/debug/sched/fair_server/cpu0/runtime", "0", "" },
	{ "/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress", "1", "" },
};

#define NR_SETTINGS	(sizeof(settings) / sizeof(*settings))

static void set_up(void)
{
	unsigned int i;

	for (i = 0; i < NR_SETTINGS; i++)
		if (setting_read(settings[i].path, settings[i].before, sizeof(settings[i].before)) &&
		    !setting_write(settings[i].path, settings[i].value))
			tap_diag("%s cannot be written", settings[i].path);
}

/* Since 6.12 the kernel may refuse the limit with which it has begun. */
static void set_back(void)
{
	unsigned int i;

	for (i = 0; i < NR_SETTINGS; i++)
		if (*settings[i].before && !setting_write(settings[i].path, settings[i].before))
			tap_diag("%s remains %s", settings[i].path, settings[i].value);
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
	set_back();
	taskrt_close(handle);
	return tap_done();
}
