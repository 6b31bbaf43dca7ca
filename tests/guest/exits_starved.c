// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records are delivered while a task that queries the module has lost its CPU in the
 * middle of the answer: a reader of idle priority shares its CPU with a real-time thread
 * that keeps the CPU until the record was delivered.
 * TASKRT_TEST_ROUNDS: how often each kind of reader is caught like this (8).
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "listener.h"
#include "load.h"
#include "tap.h"
#include "thread.h"

#define CROWD		300	/* threads; it takes a while to sum them */
#define SPINNER		10	/* its priority */

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

static struct shared {
	volatile int inside;		/* the reader is asking */
	volatile int spin, spinning;
	volatile int ready;
} *shared;

static pid_t crowd;
static int go[2];

/* A setting of this machine, for the duration of the test. */
struct setting {
	const char *path;
	const char *value;
	char before[32];
};

static struct setting settings[] = {
	/* The worker and the like stay off the reader's CPU, and so do their timers ... */
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

static int is_helper(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(helper_names) / sizeof(helper_names[0]); i++)
		if (!strncmp(name, helper_names[i], strlen(helper_names[i])))
			return 1;
	return 0;
}

static void helper_raise(const char *name, pid_t pid)
{
	const struct sched_param above = { .sched_priority = SPINNER + 1 };
	struct helper *helper = &helpers[nr_helpers];

	if (!is_helper(name))
		return;
	if (nr_helpers == sizeof(helpers) / sizeof(helpers[0]))
		tap_bail("more processors than this test knows");
	helper->pid = pid;
	helper->policy = sched_getscheduler(pid);
	if (helper->policy < 0 || sched_getparam(pid, &helper->param) ||
	    sched_setscheduler(pid, SCHED_FIFO, &above))
		tap_bail("%s: %s", name, strerror(errno));
	nr_helpers++;
}

static void helpers_raise(void)
{
	char path[64], name[64];
	struct dirent *entry;
	DIR *proc = opendir("/proc");
	FILE *file;

	if (!proc)
		tap_bail("/proc");
	while ((entry = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%.20s/comm", entry->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fscanf(file, "%63s", name) == 1)
			helper_raise(name, atoi(entry->d_name));
		fclose(file);
	}
	closedir(proc);
}

static void helpers_restore(void)
{
	while (nr_helpers) {
		const struct helper *helper = &helpers[--nr_helpers];

		sched_setscheduler(helper->pid, helper->policy, &helper->param);
	}
}

static void *sleep_on(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* Many threads that sleep, and some that come and go. */
static void be_crowd(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	ask_become(&user);
	prctl(PR_SET_DUMPABLE, 1);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (i = 0; i < CROWD; i++)
		if (pthread_create(&thread, &attr, sleep_on, NULL))
			_exit(1);
	shared->ready = 1;
	load_churn_threads();
}

static void *spin(void *unused)
{
	char byte;

	thread_pin(1);
	thread_fifo(SPINNER);
	while (read(go[0], &byte, 1) == 1) {
		shared->spinning = 1;
		while (shared->spin)
			;
		shared->spinning = 0;
	}
	return unused;
}

struct kind {
	const char *name;
	void (*ask)(struct listener *listener);
};

static void ask_process(struct listener *listener)
{
	struct raw_answer answer;

	raw_get(&listener->raw, TASKRT_A_TGID, crowd, 0, &answer);
}

static void ask_info(struct listener *listener)
{
	listener_ask(listener, TASKRT_CMD_INFO, NULL, NULL);
}

static void ask_list(struct listener *listener)
{
	listener_ask(listener, TASKRT_CMD_LIST, NULL, NULL);
}

static void ask_register(struct listener *listener)
{
	const struct listener_filter own = { .own = 1, .tgid = LISTENER_SELF };

	listener_register(listener, &own, NULL);
	listener_ask(listener, TASKRT_CMD_DEREGISTER, "all", NULL);
}

static void ask_listener(struct listener *listener)
{
	struct listener other;

	(void)listener;
	if (listener_try_open(&other, NULL, NULL))
		return;
	ask_register(&other);
	listener_close(&other);
}

static const struct kind of_crowd = { "GET of a process of many threads", ask_process };

static const struct kind kinds[] = {
	{ "INFO", ask_info },
	{ "LIST", ask_list },
	{ "REGISTER and DEREGISTER", ask_register },
	{ "a listener that comes and goes", ask_listener },
};

static void be_reader(const struct kind *kind)
{
	const struct sched_param param = { 0 };
	struct listener_filter own = { .own = 1 };
	struct listener listener;

	/*
	 * On PREEMPT_RT a task can lose the CPU while it holds the lock of its socket's
	 * queue; whoever sends to that socket then waits, the worker too: so nothing may
	 * be sent to it.
	 */
	if (thread_kernel_is_rt())
		own.tgid = LISTENER_SELF;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	thread_pin(1);
	ask_become(&user);
	if (listener_try_open(&listener, NULL, NULL) || listener_register(&listener, &own, NULL) ||
	    sched_setscheduler(0, SCHED_IDLE, &param))
		_exit(1);
	for (;;) {
		shared->inside = 1;
		kind->ask(&listener);
		shared->inside = 0;
	}
}

/* Return: was the reader in the middle of its query when it lost the CPU? */
static int catch_reader(void)
{
	while (!shared->inside)
		sched_yield();
	shared->spin = 1;
	if (write(go[1], "g", 1) != 1)
		tap_bail("write");
	while (!shared->spinning)
		sched_yield();
	return shared->inside;
}

static void let_go(void)
{
	shared->spin = 0;
	while (shared->spinning)
		sched_yield();
}

/* Is an exit told? */
static int is_told(struct listener *listener)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	listener->came = 0;
	listener->awaited = pid;
	while (!listener->came && clock_now() < end)
		listener_wait(listener, 100);
	return listener->came;
}

static void told_meanwhile(struct listener *listener, const struct kind *kind, unsigned long times)
{
	unsigned long caught = 0;
	int told = 1;
	pid_t reader;

	/* The previous reader was killed wherever it was. */
	shared->inside = 0;
	reader = fork();
	if (!reader)
		be_reader(kind);
	while (caught < times && told) {
		if (catch_reader()) {
			told = is_told(listener);
			caught += told;
		}
		let_go();
	}
	ask_end(reader);
	tap_equal(caught, times, "%s, without a CPU: exits are told", kind->name);
}

int main(void)
{
	unsigned long times = tap_setting("TASKRT_TEST_ROUNDS", 8);
	pthread_t spinner;
	struct listener listener;
	unsigned int i;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("exits are told", "needs two processors");
		return tap_done();
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED || pipe(go))
		tap_bail("no memory");
	settings_change();
	if (thread_kernel_is_rt())
		helpers_raise();
	thread_pin(0);
	crowd = fork();
	if (!crowd)
		be_crowd();
	while (!shared->ready)
		clock_sleep(MS);
	pthread_create(&spinner, NULL, spin, NULL);
	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, NULL);
	told_meanwhile(&listener, &of_crowd, times);
	ask_end(crowd);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		told_meanwhile(&listener, &kinds[i], times);
	tap_equal(listener.wrong, 0, "and nothing is wrong with them");
	listener_close(&listener);
	helpers_restore();
	settings_restore();
	return tap_done();
}
