// SPDX-License-Identifier: GPL-2.0-only
/*
 * The workers are threads with names of their own, and an administrator may choose their
 * priority: with a real-time one, spinners of normal priority do not hold up exits.
 */
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "listener.h"
#include "module.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"

#define EXITS		10
#define SPINNERS	10	/* for each CPU */

static struct listener listener;
static pid_t spinners[256];
static long nr_spinners;

/* A kernel thread has no command line.  Return: the length of the text. */
static size_t read_of(const char *pid, const char *file, char *text, size_t size)
{
	char path[64];
	size_t length;
	FILE *from;

	snprintf(path, sizeof(path), "/proc/%.20s/%s", pid, file);
	from = fopen(path, "r");
	if (!from)
		return 0;
	length = fread(text, 1, size - 1, from);
	fclose(from);
	text[length] = 0;
	return length;
}

/* Return: the number of kernel threads of this name; @found: the last one */
static unsigned int workers_called(const char *name, pid_t *found)
{
	char comm[64], line[64];
	unsigned int count = 0;
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	if (!proc)
		tap_bail("/proc");
	while ((entry = readdir(proc))) {
		if (!read_of(entry->d_name, "comm", comm, sizeof(comm)) ||
		    read_of(entry->d_name, "cmdline", line, sizeof(line)))
			continue;
		comm[strcspn(comm, "\n")] = 0;
		if (strcmp(comm, name))
			continue;
		*found = atoi(entry->d_name);
		count++;
	}
	closedir(proc);
	return count;
}

static void spinners_start(void)
{
	long i;

	nr_spinners = SPINNERS * sysconf(_SC_NPROCESSORS_ONLN);
	if (nr_spinners > (long)(sizeof(spinners) / sizeof(spinners[0])))
		nr_spinners = sizeof(spinners) / sizeof(spinners[0]);
	for (i = 0; i < nr_spinners; i++) {
		spinners[i] = fork();
		if (spinners[i])
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		thread_other();
		for (;;)
			;
	}
}

static void spinners_end(void)
{
	long i;

	for (i = 0; i < nr_spinners; i++)
		kill(spinners[i], SIGKILL);
	while (wait(NULL) > 0)
		;
}

/* How long exits take until their records have come.  The caller and the children never queue. */
static uint64_t told_after(void)
{
	uint64_t began, sum = 0;
	unsigned int i;
	pid_t pid;

	for (i = 0; i < EXITS; i++) {
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
		began = clock_now();
		listener_until(&listener, pid);
		sum += clock_now() - began;
	}
	return sum / EXITS;
}

static void set_policy(pid_t pid, int policy, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(pid, policy, &param))
		tap_bail("sched_setscheduler");
}

static void check_priority(pid_t worker)
{
	const struct listener_filter own = { .own = 1, .entities = TASKRT_ENTITIES_PROCESSES };
	uint64_t usual, first;

	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, &own);
	thread_fifo(2);
	spinners_start();
	do {
		set_policy(worker, SCHED_OTHER, 0);
		usual = told_after();
		set_policy(worker, SCHED_FIFO, 1);
		first = told_after();
	} while (first >= usual && patience_lasts());
	tap_diag("an exit is told after %llu us; %llu us with a real-time worker",
		 (unsigned long long)(usual / US), (unsigned long long)(first / US));
	tap_ok(first < usual, "spinners do not hold up exits if the worker has priority");
	spinners_end();
	set_policy(worker, SCHED_OTHER, 0);
	thread_other();
	listener_close(&listener);
}

int main(void)
{
	pid_t worker = 0, alerts = 0;

	tap_equal(workers_called("taskrt", &worker), 1, "the worker has a name");
	tap_equal(workers_called("taskrt_alerts", &alerts), 1, "that of alerts, too");
	tap_equal(getpriority(PRIO_PROCESS, worker), 0, "its priority is a normal one");
	tap_ok(!setpriority(PRIO_PROCESS, worker, -10) &&
	       getpriority(PRIO_PROCESS, worker) == -10, "root may give it another one");
	setpriority(PRIO_PROCESS, worker, 0);
	check_priority(worker);
	if (module_remove(MODULE_TASKRT))
		tap_bail("rmmod");
	tap_equal(workers_called("taskrt", &worker) + workers_called("taskrt_alerts", &alerts), 0,
		  "without the module there is none");
	if (module_insert(MODULE_TASKRT, ""))
		tap_bail("insmod");
	return tap_done();
}
