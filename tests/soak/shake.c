// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "clock.h"
#include "load.h"
#include "shake.h"
#include "tap.h"
#include "thread.h"

static volatile int stop;
static struct shake_counts counts;
static struct thread unplugger, freezer;
static pid_t frozen, crowd;

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = fd < 0;

	if (fd >= 0) {
		err = write(fd, text, strlen(text)) < 0;
		close(fd);
	}
	return err;
}

/* Processor 0 stays; so do all where the kernel cannot take them away. */
static void unplug_on(void *unused)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	char path[64];

	(void)unused;
	while (!stop && cpus > 1) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%ld/online",
			 1 + random() % (cpus - 1));
		counts.unplugged += !write_text(path, "0");
		clock_sleep(100 * MS);
		write_text(path, "1");
		clock_sleep(500 * MS);
	}
}

static void freeze_on(void *unused)
{
	(void)unused;
	while (!stop) {
		counts.frozen += !write_text(CGROUP_OWN "/cgroup.freeze", "1");
		clock_sleep(20 * MS);
		write_text(CGROUP_OWN "/cgroup.freeze", "0");
		clock_sleep(50 * MS);
	}
}

void shake_start(void)
{
	stop = 0;
	frozen = fork();
	if (!frozen) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		load_churn_threads();
	}
	if (cgroup_make() && frozen > 0)
		cgroup_move(frozen, CGROUP_OWN);
	thread_start(&unplugger, unplug_on, NULL);
	thread_start(&freezer, freeze_on, NULL);
}

void shake_stop(void)
{
	stop = 1;
	thread_join(&unplugger);
	thread_join(&freezer);
	if (frozen > 0) {
		kill(frozen, SIGKILL);
		waitpid(frozen, NULL, 0);
	}
	cgroup_remove();
}

struct shake_counts shake_counts(void)
{
	return counts;
}

static void *sleep_on(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void be_crowd(unsigned long threads, int ready)
{
	unsigned long made = 0;
	pthread_attr_t attr;
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	while (made < threads && !pthread_create(&thread, &attr, sleep_on, NULL))
		made++;
	if (write(ready, &made, sizeof(made)) != sizeof(made))
		_exit(1);
	sleep_on(NULL);
}

void shake_crowd_start(unsigned long threads)
{
	unsigned long made = 0;
	int ready[2];

	if (!threads)
		return;
	if (pipe(ready))
		tap_bail("pipe");
	crowd = fork();
	if (!crowd)
		be_crowd(threads, ready[1]);
	close(ready[1]);
	if (read(ready[0], &made, sizeof(made)) != sizeof(made))
		tap_bail("the threads do not come");
	close(ready[0]);
	if (made < threads)
		tap_bail("there is room for %lu of %lu threads: --memory, --append", made, threads);
	tap_diag("%lu threads sleep", made);
}

void shake_crowd_stop(void)
{
	if (crowd > 0) {
		kill(crowd, SIGKILL);
		waitpid(crowd, NULL, 0);
	}
}
