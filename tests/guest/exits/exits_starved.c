// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records are delivered, and other requests are answered, while a task that queries the
 * module has lost its CPU in the middle of the answer: a reader of idle priority shares
 * its CPU with a real-time thread that keeps the CPU until all of that has happened.
 * TASKRT_TEST_ROUNDS: how often each kind of reader is caught like this (8).
 */
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
#include "machine.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"

#define CROWD		300	/* threads; it takes a while to sum them */
#define KEPT		(4 * CLOCK_PATIENCE)	/* more than the checks wait for */

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

static struct shared {
	volatile int inside;		/* the reader is asking */
	volatile int answered;		/* the other process has its answers */
	volatile int ready;
} *shared;

static pid_t crowd;

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

struct kind {
	const char *name;
	void (*ask)(struct listener *listener);
};

static void ask_process(struct listener *listener)
{
	struct raw_answer answer;

	raw_get(&listener->raw, TASKRT_A_TGID, crowd, 0, &answer);
}

static void dump(struct listener *listener, uint32_t tgid)
{
	struct raw_message message;
	struct raw_answer answer;

	raw_begin(&listener->raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	if (tgid)
		raw_put_u32(&message, TASKRT_A_TGID, tgid);
	raw_ask(&listener->raw, &message, &answer, NULL, NULL);
}

static void ask_threads(struct listener *listener)
{
	dump(listener, crowd);
}

static void ask_all(struct listener *listener)
{
	dump(listener, 0);
}

static void ask_arm(struct listener *listener)
{
	const struct recorder_arm own = { .depth = 2 };

	recorder_arm(&listener->raw, &own, NULL);
	recorder_disarm(&listener->raw, 0);
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

/*
 * Another socket.  The kernel is not asked for the family: it looks that up under a mutex
 * of its own, with which a starved task makes everybody wait who asks for a family.
 */
static void open_like(struct listener *listener, const struct listener *other)
{
	*listener = *other;
	if (raw_open_like(&listener->raw, &other->raw))
		_exit(1);
}

static void ask_listener(struct listener *listener)
{
	struct listener other;

	open_like(&other, listener);
	ask_register(&other);
	listener_close(&other);
}

static const struct kind of_crowd[] = {
	{ "GET of a process of many threads", ask_process },
	{ "dump of its threads", ask_threads },
	{ "dump of all threads", ask_all },
};

static const struct kind kinds[] = {
	{ "ARM and DISARM", ask_arm },
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
	clock_await(shared->inside, "no reader is asking");
	machine_keep(KEPT);
	return shared->inside;
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

/*
 * What another process asks at the same time: all but ARM, which waits for a grace period.
 * Where the kernel can be preempted, the reader may have lost the CPU in an RCU read section.
 */
static void ask_everything(const struct listener *like)
{
	struct listener listener;

	open_like(&listener, like);
	ask_process(&listener);
	ask_threads(&listener);
	ask_all(&listener);
	ask_info(&listener);
	ask_register(&listener);
	ask_list(&listener);
	shared->answered = 1;
	sleep_on(NULL);
}

/*
 * The other process must not end yet: closing a netlink socket waits in the kernel while
 * any task is in the middle of opening one, and the reader may be.
 */
static int is_answered(const struct listener *listener, pid_t *pid)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;

	shared->answered = 0;
	*pid = fork();
	if (!*pid)
		ask_everything(listener);
	while (!shared->answered && clock_now() < end)
		clock_sleep(MS);
	return shared->answered;
}

static void told_meanwhile(struct listener *listener, const struct kind *kind, unsigned long times)
{
	unsigned long caught = 0;
	int told = 1, answered = 1;
	pid_t reader, other;

	/* The previous reader was killed wherever it was. */
	shared->inside = 0;
	reader = fork();
	if (!reader)
		be_reader(kind);
	while (caught < times && told && answered) {
		if (catch_reader()) {
			told = is_told(listener);
			answered = is_answered(listener, &other);
			caught += told;
			machine_let_go();
			ask_end(other);
		} else {
			machine_let_go();
		}
	}
	ask_end(reader);
	tap_equal(caught, times, "%s, without a CPU: exits are told", kind->name);
	tap_ok(answered, "%s, without a CPU: and others are answered", kind->name);
}

int main(void)
{
	unsigned long times = tap_setting("TASKRT_TEST_ROUNDS", 8);
	struct listener listener;
	unsigned int i;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("exits are told", "needs two processors");
		return tap_done();
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		tap_bail("no memory");
	machine_starve();
	thread_pin(0);
	crowd = fork();
	if (!crowd)
		be_crowd();
	clock_await(shared->ready, "no crowd");
	machine_inherit();
	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, NULL);
	for (i = 0; i < sizeof(of_crowd) / sizeof(of_crowd[0]); i++)
		told_meanwhile(&listener, &of_crowd[i], times);
	ask_end(crowd);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		told_meanwhile(&listener, &kinds[i], times);
	tap_equal(listener.wrong, 0, "and nothing is wrong with them");
	listener_close(&listener);
	machine_restore();
	return tap_done();
}
