// SPDX-License-Identifier: GPL-2.0-only
/*
 * others: how long a user waits for answers while another user does its worst, on one CPU
 * whose clock counts instructions.  Prints a table: what the other user does, in how many
 * processes of which priority; what is waited for; the median and the longest wait in us,
 * which are thousands of instructions; how many of the waits were given up.
 *
 *	get		GET of the own process
 *	register	REGISTER on a socket of its own, and DEREGISTER
 *	exit		from a process's _exit() to its record
 *	fold		from the return of wait(2) for a child to a final GET with CHILDREN
 *
 * "spin" is what to compare with: the same number of processes that only compute.
 *
 * TASKRT_MEASURE_ROUNDS: how often each is measured (20).
 * TASKRT_MEASURE_THREADS: the threads of the process that the other user asks for (2000).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actor.h"
#include "acts.h"
#include "ask.h"
#include "clock.h"
#include "listener.h"
#include "module.h"
#include "tap.h"

#define ABUSERS		4
#define ROUNDS_MAX	1000
#define GIVE_UP		(3 * SEC)
#define GONE		UINT64_MAX	/* given up */

enum probe { GET, REGISTER, EXIT, FOLD, PROBES };

static const char * const probe_names[] = { "get", "register", "exit", "fold" };

static struct shared {
	unsigned int rounds;
	uint64_t exited_at;
	uint64_t waits[PROBES][ROUNDS_MAX];
} *shared;

/* What the other user does, without end. */
static void spin(void)
{
	for (;;)
		;
}

#define FOR_EVER(name, act)		\
static void name(void)			\
{					\
	act_open();			\
	for (;;)			\
		act();			\
}

FOR_EVER(read_crowd, act_get_crowd)
FOR_EVER(read_all, act_dump)
FOR_EVER(read_own, act_dump_own)
FOR_EVER(read_info, act_info)
FOR_EVER(register_all, act_register)
FOR_EVER(arm, act_arm)
FOR_EVER(map, act_map)
FOR_EVER(fork_all, act_fork)

static void arm_many(void)
{
	act_arm_all();
	arm();
}

static const struct abuse {
	const char *name;
	actor_fn fn;			/* NULL: nothing */
	int quota;			/* with max_threads reached */
} abuses[] = {
	{ "nothing", NULL, 0 },
	{ "spin", spin, 0 },
	{ "GET of a crowd", read_crowd, 0 },
	{ "dump", read_all, 0 },
	{ "dump, OWN", read_own, 0 },
	{ "INFO", read_info, 0 },
	{ "REGISTER", register_all, 0 },
	{ "ARM, many armed", arm_many, 0 },
	{ "map", map, 0 },
	{ "fork", fork_all, 0 },
	{ "fork, max_threads reached", fork_all, 1 },
};

static struct raw raw;
static struct listener listener;

/* @flag: an attribute without a value; 0: none */
static int ask(struct raw_answer *answer, uint16_t flag)
{
	struct raw_message message;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_ACK);
	raw_put_u32(&message, TASKRT_A_TGID, 0);
	if (flag)
		raw_put(&message, flag, NULL, 0);
	raw_ask(&raw, &message, answer, NULL, NULL);
	return answer->answered && !answer->error;
}

static uint64_t probe_get(void)
{
	static struct raw_answer answer;
	uint64_t begin = clock_now();

	return ask(&answer, 0) ? clock_now() - begin : GONE;
}

static uint64_t probe_fold(void)
{
	static struct raw_answer answer;
	pid_t child = fork();
	uint64_t begin;

	if (!child)
		_exit(0);
	if (child < 0 || waitpid(child, NULL, 0) != child)
		return GONE;
	begin = clock_now();
	while (clock_now() < begin + GIVE_UP) {
		if (!ask(&answer, TASKRT_A_CHILDREN))
			return GONE;
		if (!(answer.last.reading.stats.flags & TASKRT_FLAG_PENDING))
			return clock_now() - begin;
		clock_sleep(100 * US);
	}
	return GONE;
}

static uint64_t probe_register(void)
{
	const struct listener_filter own = { .own = 1 };
	uint64_t begin = clock_now();

	if (listener_register(&listener, &own, NULL))
		return GONE;
	begin = clock_now() - begin;
	return begin;
}

static pid_t ending;

static void note_ending(const struct listener_record *record, void *unused)
{
	(void)unused;
	if (record->process && record->id == (uint32_t)ending)
		ending = 0;
}

/* The child is not waited for yet, so that the record does not depend on that. */
static uint64_t probe_exit(void)
{
	uint64_t give_up = clock_now() + GIVE_UP, came;

	ending = fork();
	if (ending < 0)
		return GONE;
	if (!ending) {
		shared->exited_at = clock_now();
		_exit(0);
	}
	while (ending && clock_now() < give_up)
		listener_wait(&listener, 100);
	came = clock_now();
	return ending ? GONE : came - shared->exited_at;
}

static void probe_all(void)
{
	unsigned int i;

	if (raw_open(&raw))
		tap_bail("no family");
	for (i = 0; i < shared->rounds; i++) {
		shared->waits[GET][i] = probe_get();
		listener_open(&listener, note_ending, NULL);
		shared->waits[REGISTER][i] = probe_register();
		shared->waits[EXIT][i] = probe_exit();
		while (waitpid(-1, NULL, 0) > 0)
			;
		shared->waits[FOLD][i] = probe_fold();
		listener_close(&listener);
	}
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

static void print(const struct abuse *abuse, const char *priority, enum probe probe)
{
	uint64_t *waits = shared->waits[probe];
	unsigned int n, gone = 0;

	qsort(waits, shared->rounds, sizeof(*waits), compare);
	while (gone < shared->rounds && waits[shared->rounds - 1 - gone] == GONE)
		gone++;
	n = shared->rounds - gone;
	printf("%s\t%s\t%s\t%.0f\t%.0f\t%u\n", abuse->name, priority, probe_names[probe],
	       n ? waits[n / 2] / 1000.0 : 0, n ? waits[n - 1] / 1000.0 : 0, gone);
	fflush(stdout);
}

static void measure(const struct abuse *abuse, int nice_by, const char *priority)
{
	struct actor abusers[ABUSERS], victim;
	unsigned int i;

	actor_start(&victim, ASK_OTHER, 0);
	for (i = 0; i < ABUSERS && abuse->fn; i++) {
		actor_start(&abusers[i], ASK_USER, nice_by);
		actor_tell(&abusers[i], abuse->fn);
	}
	clock_sleep(200 * MS);
	actor_do(&victim, probe_all);
	for (i = 0; i < ABUSERS && abuse->fn; i++)
		actor_end(&abusers[i]);
	actor_end(&victim);
	for (i = 0; i < PROBES; i++)
		print(abuse, priority, i);
	/* What is left to do for them is not to be measured with the next. */
	clock_sleep(2 * SEC);
}

/* There is no room for records of what is created from now on. */
static void fill(void)
{
	char parameters[64];

	snprintf(parameters, sizeof(parameters), "max_threads=%u", acts->threads);
	module_again(parameters);
}

int main(void)
{
	const char *only = getenv("TASKRT_MEASURE_ONLY");
	struct actor crowd;
	unsigned int i;

	acts_init();
	acts->threads = tap_setting("TASKRT_MEASURE_THREADS", 2000);
	acts->armed = 256 / ABUSERS - 1;	/* each of them arms itself, too */
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		tap_bail("mmap");
	shared->rounds = tap_setting("TASKRT_MEASURE_ROUNDS", 20);
	if (shared->rounds > ROUNDS_MAX)
		shared->rounds = ROUNDS_MAX;
	actor_allow_crowds();
	module_again("");
	actor_start(&crowd, ASK_USER, 0);
	actor_do(&crowd, act_gather);
	printf("other_user\tpriority\twait\tmedian_us\tlongest_us\tgiven_up\n");
	fflush(stdout);
	for (i = 0; i < sizeof(abuses) / sizeof(*abuses); i++) {
		if (only && strcmp(only, abuses[i].name))
			continue;
		if (abuses[i].quota)
			fill();
		measure(&abuses[i], 0, "normal");
		if (abuses[i].fn)
			measure(&abuses[i], ACTOR_IDLE, "idle");
	}
	actor_end(&crowd);
	return 0;
}
