// SPDX-License-Identifier: GPL-2.0-only
/*
 * An alert names the task that had the CPU longest while the thread waited for it, and for how
 * long: not the first one, nor the last.  All are real-time threads, so that no kernel thread
 * runs between them.
 */
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "clock.h"
#include "flight.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define SHORT	(5 * MS)
#define LONG	(80 * MS)
#define TURNS	40

/* A task that takes the victim's CPU: woken by the one before it, it wakes the next ones. */
struct hog {
	const char *name;
	unsigned int cpu;
	int priority;
	uint64_t ns;
	struct hog *next[2];
	int (*until)(void);		/* computes until then, instead of ns */
	sem_t go;
	uint64_t ran;
	struct thread thread;
};

static struct hog *first;		/* that the victim wakes */

static void hog(void *arg)
{
	struct hog *hog = arg;
	uint64_t before;
	unsigned int i;

	prctl(PR_SET_NAME, hog->name);
	thread_pin(hog->cpu);
	thread_fifo(hog->priority);
	sem_wait(&hog->go);
	before = clock_of(CLOCK_THREAD_CPUTIME_ID);
	for (i = 0; i < 2; i++)
		if (hog->next[i])
			sem_post(&hog->next[i]->go);
	if (hog->until)
		while (!hog->until())
			;
	else
		clock_burn(hog->ns);
	hog->ran = clock_of(CLOCK_THREAD_CPUTIME_ID) - before;
}

static void hog_start(struct hog *hogs, unsigned int nr, void (*fn)(void *))
{
	struct taskrt *handle = window_open();
	unsigned int i;

	for (i = 0; i < nr; i++) {
		sem_init(&hogs[i].go, 0, 0);
		thread_start(&hogs[i].thread, fn, &hogs[i]);
		window_await(handle, hogs[i].thread.tid, TASKRT_STATE_SLEEPING_FUTEX);
	}
	taskrt_close(handle);
	first = &hogs[0];
}

static void hog_join(struct hog *hogs, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		thread_join(&hogs[i].thread);
}

static void lose_cpu(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(10);
	sem_post(&first->go);
	clock_burn(MS);
}

/* @longest had the CPU for about as long as it has run, and not for all of the wait. */
static void check(const struct flight *flight, const struct hog *longest, uint64_t others)
{
	const struct alert_event *event = flight_find(flight, TASKRT_STATE_PREEMPTED,
						      longest->ran + others - MS);
	int ok;

	if (!event)
		return;
	ok = tap_ok(event->event.other_tid == (uint32_t)longest->thread.tid &&
		    !strcmp(event->event.other_comm, longest->name),
		    "%s: the one that had the CPU longest: %s", flight->name,
		    event->event.other_comm);
	ok &= tap_at_least(event->event.other_ns, longest->ran, "%s: for so long",
			   flight->name);
	ok &= tap_at_least(event->event.ns, event->event.other_ns + others - MS,
			   "%s: and not for all of the wait", flight->name);
	if (!ok)
		alert_print(flight->alert);
}

static void in_turn(void)
{
	struct hog hogs[] = {
		{ .name = "first", .priority = 40, .ns = SHORT },
		{ .name = "longone", .priority = 30, .ns = LONG },
		{ .name = "last", .priority = 20, .ns = SHORT },
	};
	struct flight flight;

	hogs[0].next[0] = &hogs[1];
	hogs[0].next[1] = &hogs[2];
	hog_start(hogs, 3, hog);
	flight_observe(&flight, "in turn", lose_cpu, NULL);
	hog_join(hogs, 3);
	check(&flight, &hogs[1], hogs[0].ran + hogs[2].ran);
}

/* Two of the same priority: one waits whenever the other computes, and so never the victim. */
static void alternate(void *arg)
{
	struct hog *hog = arg;
	unsigned int i;

	prctl(PR_SET_NAME, hog->name);
	thread_pin(0);
	thread_fifo(30);
	for (i = 0; i < TURNS; i++) {
		sem_wait(&hog->go);
		clock_burn(hog->ns);
		hog->ran += hog->ns;
		sem_post(&hog->next[0]->go);
	}
}

/* The sums of many turns count.  The shorter one is first. */
static void by_turns(void)
{
	struct hog hogs[] = {
		{ .name = "shorter", .ns = MS },
		{ .name = "longer", .ns = 2 * MS },
	};
	struct flight flight;

	hogs[0].next[0] = &hogs[1];
	hogs[1].next[0] = &hogs[0];
	hog_start(hogs, 2, alternate);
	flight_observe(&flight, "by turns", lose_cpu, NULL);
	hog_join(hogs, 2);
	check(&flight, &hogs[1], hogs[0].ran);
}

static sem_t move;
static _Atomic pid_t victim;
static _Atomic int moved;

static int is_moved(void)
{
	return moved;
}

static void lose_cpu_and_move(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(10);
	victim = gettid();
	sem_post(&move);
	sem_post(&first->go);
	/* On the other CPU, behind the others there. */
	while (!moved)
		;
}

/* Moves the victim to its own CPU, as soon as that is queued. */
static void mover(void *arg)
{
	struct taskrt *handle = window_open();
	struct hog *hogs = arg;
	cpu_set_t here;

	thread_pin(1);
	thread_fifo(70);
	CPU_ZERO(&here);
	CPU_SET(1, &here);
	sem_wait(&move);
	window_await(handle, victim, TASKRT_STATE_PREEMPTED);
	sem_post(&hogs[1].go);
	if (sched_setaffinity(victim, sizeof(here), &here))
		tap_bail("moving");
	moved = 1;
	taskrt_close(handle);
}

/* A queued thread is moved: the other CPU's tasks count from then on. */
static void moved_amid(void)
{
	struct hog hogs[] = {
		{ .name = "before", .priority = 60, .until = is_moved },
		{ .name = "longone", .cpu = 1, .priority = 50, .ns = LONG },
		{ .name = "last", .cpu = 1, .priority = 40, .ns = SHORT },
	};
	struct thread by;
	struct flight flight;

	sem_init(&move, 0, 0);
	hogs[1].next[0] = &hogs[2];
	hog_start(hogs, 3, hog);
	thread_start(&by, mover, hogs);
	flight_observe(&flight, "moved", lose_cpu_and_move, NULL);
	thread_join(&by);
	hog_join(hogs, 3);
	check(&flight, &hogs[1], hogs[2].ran);
}

int main(void)
{
	flight_open();
	in_turn();
	by_turns();
	moved_amid();
	flight_close();
	return tap_done();
}
