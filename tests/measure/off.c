// SPDX-License-Identifier: GPL-2.0-only
/*
 * off: the longest time with interrupts or preemption off that a user without privileges
 * can cause, in a guest whose clock counts instructions.  Prints a table: with or without
 * the module; the instrument; what was done; the longest section in ns, which are
 * instructions; how many sections there were; where it began; the function of the module
 * on the stack.
 *
 * TASKRT_MEASURE_THREADS: how many threads the process has that is asked for (20000).
 * TASKRT_MEASURE_ONLY: only the instrument of that name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actor.h"
#include "acts.h"
#include "ask.h"
#include "clock.h"
#include "modinfo.h"
#include "module.h"
#include "tap.h"
#include "trace.h"

#define USERS		4	/* that have as many armed as they may */
#define FEW_RECORDS	"max_threads=1000"
#define ROOM_TO_ARM	"armed_max=1400"	/* a quarter of it is not for users */

static const char *module;	/* "with", "without" */
static enum trace_kind kind;

static void row(const char *name, const struct trace_longest *longest)
{
	printf("%s\t%s\t%s\t%llu\t%llu\t%s\t%s\n", module, trace_name(kind), name,
	       (unsigned long long)longest->ns, (unsigned long long)longest->count,
	       longest->where, longest->by);
	if (longest->lost)
		tap_diag("%s: the trace has lost %llu events", name,
			 (unsigned long long)longest->lost);
	fflush(stdout);
}

/* What it causes later is measured, too: grace periods, the worker. */
static void settle(void)
{
	clock_sleep(1 * SEC);
}

static void measure(struct actor *actor, actor_fn fn, const char *name)
{
	struct trace_longest longest;

	settle();
	trace_begin();
	actor_do(actor, fn);
	settle();
	trace_end(&longest);
	row(name, &longest);
}

/* The whole process ends, with all of its threads. */
static void measure_end(struct actor *actor, const char *name)
{
	struct trace_longest longest;

	settle();
	trace_begin();
	actor_end(actor);
	clock_sleep(2 * SEC);
	trace_end(&longest);
	row(name, &longest);
}

static void measure_coarse(const char *name)
{
	struct trace_longest longest;

	settle();
	trace_begin();
	module_must_set("coarse_ns", "1000000");
	settle();
	trace_end(&longest);
	module_must_set("coarse_ns", "0");
	row(name, &longest);
}

/* What a kernel without the module does, too; first of all, so that nothing is left to do. */
static void common(struct actor *user)
{
	measure(user, act_nothing, "nothing");
	measure(user, act_fork, "fork, threads");
	measure(user, act_close_foreign, "close a foreign socket");
}

static void queries(struct actor *user)
{
	measure(user, act_get_crowd, "GET of the crowd");
	measure(user, act_get_sites, "GET of the crowd, SITES");
	measure(user, act_get_children, "GET with CHILDREN");
	measure(user, act_dump, "dump");
	measure(user, act_dump_own, "dump, OWN");
	measure(user, act_info, "INFO");
}

static void listeners(struct actor *user)
{
	actor_do(user, act_listen);
	measure(user, act_register, "REGISTER, LIST, DEREGISTER");
	measure(user, act_fork, "fork, threads: 15 listeners");
	measure(user, act_list_and_close, "LIST, close 15 listeners");
}

static void armed(struct actor *user)
{
	struct actor armers[USERS];
	unsigned int i;

	for (i = 0; i < USERS; i++) {
		actor_start(&armers[i], ASK_USER + 1 + i, 0);
		actor_do(&armers[i], act_arm_all);
	}
	tap_diag("%llu threads are armed", (unsigned long long)modinfo(TASKRT_INFO_A_ARMED));
	measure(user, act_info, "INFO, many armed");
	measure(user, act_arm, "ARM, DISARM, many armed");
	measure(user, act_alert, "ALERT, many armed");
	measure(user, act_close_foreign, "close a foreign socket, many armed");
	measure(user, act_fork, "fork, threads: many armed");
	/* The first one's are at the end of a list, if there is one. */
	measure(&armers[0], act_close_armed, "close a socket that has armed 255 of them");
	measure_end(&armers[1], "exit of 255 armed threads");
	for (i = 0; i < USERS; i++)
		if (i != 1)
			actor_end(&armers[i]);
}

static void mapped(struct actor *user)
{
	struct actor mapper;

	actor_start(&mapper, ASK_USER, 0);
	actor_do(&mapper, act_gather_mapped);
	tap_diag("%llu threads are mapped", (unsigned long long)modinfo(TASKRT_INFO_A_MAPPED));
	measure(user, act_map, "map, unmap, many mapped");
	measure(user, act_exec_mapped, "exec of a mapped thread");
	measure(user, act_exit_mapped, "exit of mapped threads");
	measure(user, act_info, "INFO, many mapped");
	measure_coarse("coarse_ns is set, many mapped");
	measure_end(&mapper, "exit of many mapped threads");
}

/* A rescan walks over all tasks.  Most of them have no record. */
static void quota(struct actor *user)
{
	struct trace_longest longest;

	settle();
	trace_begin();
	actor_do(user, act_fork);
	clock_sleep(3 * SEC);
	trace_end(&longest);
	row("fork, threads: at max_threads", &longest);
}

static void prepare(struct actor *user, struct actor *crowd)
{
	actor_start(user, ASK_USER, 0);
	actor_start(crowd, ASK_USER, 0);
	actor_do(crowd, act_gather);
}

static void with_module(void)
{
	struct actor user, crowd;

	module = "with";
	module_again(ROOM_TO_ARM);
	prepare(&user, &crowd);
	actor_do(&user, act_open);
	trace_open(kind);
	common(&user);
	queries(&user);
	listeners(&user);
	armed(&user);
	mapped(&user);
	measure_end(&crowd, "exit of the crowd");
	trace_close();
	actor_end(&user);

	module_again(FEW_RECORDS);
	prepare(&user, &crowd);
	trace_open(kind);
	quota(&user);
	trace_close();
	actor_end(&user);
	actor_end(&crowd);
}

static void without_module(void)
{
	struct actor user, crowd;

	module = "without";
	if (module_loaded(MODULE_TASKRT) && module_remove(MODULE_TASKRT))
		tap_bail("cannot remove the module");
	prepare(&user, &crowd);
	trace_open(TRACE_TRACER);
	common(&user);
	measure_end(&crowd, "exit of the crowd");
	trace_close();
	actor_end(&user);
}

int main(void)
{
	const char *only = getenv("TASKRT_MEASURE_ONLY");

	acts_init();
	acts->threads = tap_setting("TASKRT_MEASURE_THREADS", 20000);
	acts->mapped = tap_setting("TASKRT_MEASURE_MAPPED", 1900);
	/* One less for each user than may be: there is room for one more. */
	acts->armed = 255;
	actor_allow_crowds();
	printf("module\tinstrument\twhat\tlongest_ns\tcount\tbegins\tmodule_on_stack\n");
	fflush(stdout);
	for (kind = 0; kind < TRACE_KINDS; kind++)
		if (!only || !strcmp(only, trace_name(kind)))
			with_module();
	kind = TRACE_TRACER;
	if (!only || !strcmp(only, trace_name(kind)))
		without_module();
	return 0;
}
