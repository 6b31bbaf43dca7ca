// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader that loses its CPU in the middle of a GET, and a process that executes a
 * set-user-id program meanwhile: the answer says nothing of that program.
 * TASKRT_TEST_ROUNDS: how often the reader is caught like this (8).
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "machine.h"
#include "patience.h"
#include "raw.h"
#include "tap.h"
#include "thread.h"
#include "token.h"

#define PROGRAM		"/rights_raced"	/* a copy of this one, which is root's */
#define CROWD		300		/* threads; it takes a while to sum them */
#define UP		42		/* pipes of the program that is executed */
#define DOWN		43
#define KEPT		(3 * SEC)	/* thirty times what a race takes */

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

static struct shared {
	volatile pid_t crowd;
	volatile int inside;		/* the reader is asking */
	volatile uint64_t most;		/* of CPU time that was ever answered */
	volatile unsigned int answers, refused;
} *shared;

static int up[2], down[2];

/* The set-user-id program: works when it is told to. */
static void executed(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	token_pass(UP);
	token_await(DOWN);
	clock_burn(200 * MS);
	token_pass(UP);
	for (;;)
		pause();
}

static void *sleep_on(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* The youngest thread, which is summed last. */
static void *execute(void *unused)
{
	token_pass(UP);
	token_await(DOWN);
	execl(PROGRAM, "rights_raced", "executed", NULL);
	_exit(1);
	return unused;
}

static void be_crowd(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	int i;

	ask_become(&user);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_DUMPABLE, 1);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (i = 0; i < CROWD; i++)
		if (pthread_create(&thread, &attr, sleep_on, NULL))
			_exit(1);
	if (dup2(up[1], UP) < 0 || dup2(down[0], DOWN) < 0 ||
	    pthread_create(&thread, &attr, execute, NULL))
		_exit(1);
	sleep_on(NULL);
}

static void be_reader(void)
{
	const struct sched_param param = { 0 };
	struct raw_answer answer;
	struct raw raw;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	thread_pin(1);
	ask_become(&user);
	if (raw_open(&raw) || sched_setscheduler(0, SCHED_IDLE, &param))
		_exit(1);
	for (;;) {
		int err;

		shared->inside = 1;
		err = raw_get(&raw, TASKRT_A_TGID, shared->crowd, 0, &answer);
		shared->inside = 0;
		if (!err && answer.last.reading.stats.cpu_time_ns > shared->most)
			shared->most = answer.last.reading.stats.cpu_time_ns;
		shared->answers += !err;
		shared->refused += err == -EPERM;
	}
}

static uint64_t cpu_time(pid_t pid)
{
	struct raw_answer answer;
	struct raw raw;

	if (raw_open(&raw) || raw_get(&raw, TASKRT_A_TGID, pid, 0, &answer))
		tap_bail("root reads everybody");
	raw_close(&raw);
	return answer.last.reading.stats.cpu_time_ns;
}

static void await_more(volatile unsigned int *count)
{
	unsigned int before = *count;
	uint64_t end = clock_now() + CLOCK_PATIENCE;

	while (*count == before && clock_now() < end)
		clock_sleep(MS);
}

/*
 * On PREEMPT_RT the reader can lose the CPU while it holds the lock of a task of the
 * crowd, as for ptrace, and the exec waits for that lock: then it cannot go past the reader.
 * Return: was the reader caught in its query?
 */
static int race(void)
{
	pid_t crowd = fork(), reader;
	uint64_t before;
	int caught, kept;

	if (!crowd)
		be_crowd();
	token_await(up[0]);
	memset(shared, 0, sizeof(*shared));
	shared->crowd = crowd;
	reader = fork();
	if (!reader)
		be_reader();
	await_more(&shared->answers);
	clock_await(shared->inside, "no reader is asking");
	machine_keep(thread_kernel_is_rt() ? KEPT : CLOCK_PATIENCE);
	caught = shared->inside;
	token_pass(down[1]);
	token_await(up[0]);
	before = cpu_time(crowd);
	token_pass(down[1]);
	token_await(up[0]);
	kept = machine_let_go();
	await_more(&shared->refused);
	tap_ok(shared->refused, "the reader may not read the program%s",
	       caught ? "" : " (it was not asking)");
	tap_at_most(shared->most, before + 100 * MS, "nor did it");
	ask_end(reader);
	ask_end(crowd);
	if (!thread_kernel_is_rt())
		tap_ok(kept, "nobody waits for the reader");
	return caught && kept;
}

static void make_program(void)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(PROGRAM, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	struct stat stat;
	off_t at = 0;

	if (from < 0 || to < 0 || fstat(from, &stat))
		tap_bail("no program");
	while (at < stat.st_size)
		if (sendfile(to, from, &at, stat.st_size - at) <= 0)
			tap_bail("no program");
	if (fchmod(to, 04755))
		tap_bail("no program");
	close(from);
	close(to);
}

int main(int argc, char **argv)
{
	unsigned long times = tap_setting("TASKRT_TEST_ROUNDS", 8), caught = 0;

	if (argc > 1 && !strcmp(argv[1], "executed"))
		executed();
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("a reader without a CPU", "needs two processors");
		return tap_done();
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED || pipe(up) || pipe(down))
		tap_bail("no memory");
	make_program();
	machine_starve();
	thread_pin(0);
	while (caught < times && patience_lasts())
		caught += race();
	tap_diag("the reader was caught %lu times of %lu", caught, times);
	tap_at_least(caught, 1, "the reader was caught");
	machine_restore();
	unlink(PROGRAM);
	return tap_done();
}
