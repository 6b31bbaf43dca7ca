// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "clock.h"
#include "machine.h"
#include "tap.h"
#include "task.h"
#include "thread.h"

#define SPINNER	10	/* the priority of the thread that keeps the CPU */

/* A setting of this machine, for the duration of the test. */
struct setting {
	const char *path;
	const char *value;
	char before[32];
};

static struct setting settings[] = {
	/* The kernel's workers stay off the reader's CPU, and so do their timers ... */
	{ "/sys/devices/virtual/workqueue/cpumask", "1", "" },
	{ "/proc/sys/kernel/timer_migration", "0", "" },
	/* ... and nobody gives the reader its CPU back. */
	{ "/proc/sys/kernel/sched_rt_runtime_us", "-1", "" },
	{ "/sys/kernel/debug/sched/fair_server/cpu1/runtime", "0", "" },
	{ "/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress", "1", "" },
};

/* An older kernel lacks some of them, and does not need those. */
static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return;
	fputs(text, file);
	fclose(file);
}

static void settings_change(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		FILE *file = fopen(settings[i].path, "r");

		if (!file)
			continue;
		if (!fgets(settings[i].before, sizeof(settings[i].before), file))
			settings[i].before[0] = 0;
		fclose(file);
		write_text(settings[i].path, settings[i].value);
	}
}

static void settings_restore(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (settings[i].before[0])
			write_text(settings[i].path, settings[i].before);
}

/*
 * On PREEMPT_RT, timers and interrupt work run in threads of their CPU.  If such a thread
 * is starved in the middle of its work, it stops those of the other CPUs, and with them
 * the whole kernel: so they get a higher priority than the spinner.  So do those of the
 * other CPUs: the holder of a lock that they wait for then inherits their priority.  An
 * older kernel lacks some of them.
 */
static const char *const helper_names[] = { "ktimers/", "ksoftirqd/", "irq_work/", "rcuc/" };

static struct helper {
	pid_t pid;
	int policy;
	struct sched_param param;	/* before */
} helpers[64];

static unsigned int nr_helpers;

/* The workers of the module, which are kept off that CPU, too. */
static const char *const worker_names[] = { "taskrt", "taskrt_alerts" };

static int is_of_module(const char *name)
{
	return !strcmp(name, worker_names[0]) || !strcmp(name, worker_names[1]);
}

static void worker_set_cpus(pid_t pid, unsigned int count)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	while (count--)
		CPU_SET(count, &set);
	if (sched_setaffinity(pid, sizeof(set), &set) && errno != ESRCH)
		tap_bail("the affinity of a worker: %s", strerror(errno));
}

/*
 * A worker that the mask above does not keep off: before 6.9 it did not reach ordered
 * workqueues.  The scheduler may leave such a worker behind the spinner for minutes: so it,
 * too, gets a higher priority.  On PREEMPT_RT, every worker does, for machine_inherit()'s
 * reason.
 */
static int is_worker(const char *name, pid_t pid)
{
	cpu_set_t set;

	if (is_of_module(name))
		return thread_kernel_is_rt();
	if (strncmp(name, "kworker/u", strlen("kworker/u")))
		return 0;
	return thread_kernel_is_rt() ||
	       (!sched_getaffinity(pid, sizeof(set), &set) && CPU_ISSET(1, &set));
}

static int is_raised(pid_t pid)
{
	struct sched_param param;

	return !sched_getparam(pid, &param) && param.sched_priority > SPINNER;
}

/* Workers come and go. */
static void helpers_forget(void)
{
	unsigned int i, kept = 0;

	for (i = 0; i < nr_helpers; i++)
		if (is_raised(helpers[i].pid))
			helpers[kept++] = helpers[i];
	nr_helpers = kept;
}

static int is_helper(const char *name)
{
	unsigned int i;

	if (!thread_kernel_is_rt())
		return 0;
	for (i = 0; i < sizeof(helper_names) / sizeof(helper_names[0]); i++)
		if (!strncmp(name, helper_names[i], strlen(helper_names[i])))
			return 1;
	return 0;
}

static void helper_raise(const char *name, pid_t pid, void *unused)
{
	const struct sched_param above = { .sched_priority = SPINNER + 1 };
	struct helper *helper = &helpers[nr_helpers];

	(void)unused;
	if ((!is_helper(name) && !is_worker(name, pid)) || is_raised(pid))
		return;
	if (nr_helpers == sizeof(helpers) / sizeof(helpers[0]))
		tap_bail("more processors than this test knows");
	helper->pid = pid;
	helper->policy = sched_getscheduler(pid);
	if (helper->policy >= 0 && !sched_getparam(pid, &helper->param) &&
	    !sched_setscheduler(pid, SCHED_FIFO, &above))
		nr_helpers++;
	else if (errno != ESRCH)	/* a worker may end at any time */
		tap_bail("%s: %s", name, strerror(errno));
}

static void helpers_raise(void)
{
	helpers_forget();
	task_each(helper_raise, NULL);
}

static void worker_keep_off(const char *name, pid_t pid, void *unused)
{
	(void)unused;
	if (is_of_module(name))
		worker_set_cpus(pid, 1);
}

static void worker_let_anywhere(const char *name, pid_t pid, void *unused)
{
	(void)unused;
	if (is_of_module(name))
		worker_set_cpus(pid, CPU_SETSIZE);
}

static void helpers_restore(void)
{
	while (nr_helpers) {
		const struct helper *helper = &helpers[--nr_helpers];

		sched_setscheduler(helper->pid, helper->policy, &helper->param);
	}
}

static volatile int spin, spinning, gave_up, restored;
static uint64_t spin_end;
static int go[2];
static pthread_t raiser;

void machine_inherit(void)
{
	if (thread_kernel_is_rt())
		thread_fifo(SPINNER + 1);
}

/*
 * A worker may be new at any time, also while the spinner keeps its CPU.  This thread
 * may wait for what a starved task holds, and others for what it holds itself.
 */
static void *raise_on(void *unused)
{
	thread_pin(0);
	machine_inherit();
	while (!restored) {
		helpers_raise();
		clock_sleep(100 * MS);
	}
	return unused;
}

static void *spin_on(void *unused)
{
	char byte;

	thread_pin(1);
	thread_fifo(SPINNER);
	while (read(go[0], &byte, 1) == 1) {
		spinning = 1;
		while (spin && !gave_up)
			gave_up = clock_now() > spin_end;
		spinning = 0;
	}
	return unused;
}

void machine_starve(void)
{
	pthread_t spinner;

	settings_change();
	task_each(worker_keep_off, NULL);
	helpers_raise();
	if (pipe(go) || pthread_create(&spinner, NULL, spin_on, NULL) ||
	    pthread_create(&raiser, NULL, raise_on, NULL))
		tap_bail("no thread");
}

void machine_restore(void)
{
	restored = 1;
	pthread_join(raiser, NULL);
	helpers_restore();
	task_each(worker_let_anywhere, NULL);
	settings_restore();
}

void machine_keep(uint64_t ns)
{
	spin_end = clock_now() + ns;
	gave_up = 0;
	spin = 1;
	if (write(go[1], "g", 1) != 1)
		tap_bail("write");
	while (!spinning && !gave_up)
		sched_yield();
}

int machine_let_go(void)
{
	spin = 0;
	while (spinning)
		sched_yield();
	return !gave_up;
}
