// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page tells what has held the thread up since a wait has ended: for each state it is
 * the difference of two readings, without that wait and the queue after it.
 */
#include <semaphore.h>
#include <string.h>

#include "clock.h"
#include "device.h"
#include "page.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"

#define CPU	0
#define D	(5 * MS)

/* What the page says at one instant. */
struct look {
	uint64_t states_ns[TASKRT_STATES_ROOM], held_ns[TASKRT_STATES_ROOM];
	uint64_t since_ns, wait_ns, woken_ns, queued_ns;
	uint8_t waited, queued_as, held;
};

static int device;
static const struct taskrt_page *page;

/* Preempts the thread, for D, each time it is told to. */
static struct competitor {
	struct thread thread;
	sem_t go;
	volatile int end;
} competitor;

static void compete(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	thread_fifo(50);
	for (;;) {
		sem_wait(&competitor.go);
		if (competitor.end)
			return;
		clock_spin(D);
	}
}

static void copy(struct look *look)
{
	unsigned int i;

	memset(look, 0, sizeof(*look));
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		look->states_ns[i] = page->times.states_ns[i];
	for (i = 0; i < page->held_states.nr; i++)
		look->held_ns[i] = *(const uint64_t *)page_element(page, &page->held_states, i);
	look->since_ns = page->since_ns;
	look->wait_ns = page->wait_ns;
	look->woken_ns = page->woken_ns;
	look->queued_ns = page->queued_ns;
	look->waited = page->waited;
	look->queued_as = page->queued_as;
	look->held = page->held;
}

/* The thread reads itself, so the page changes only when it is off its CPU or interrupted. */
static void look_at(struct look *look)
{
	uint32_t changes;

	do {
		changes = __atomic_load_n(&page->changes[0], __ATOMIC_ACQUIRE);
		copy(look);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&page->changes[0], __ATOMIC_RELAXED) != changes);
}

static void hold_up(volatile char *area)
{
	sem_post(&competitor.go);
	device_take(device, TASKRT_TEST_MUTEX, 0);
	*area = 1;
}

/* Did the thread run from one reading on, until its wait, and again until the other? */
static int only_waited(const struct look *before, const struct look *after)
{
	return after->waited == TASKRT_STATE_SLEEPING_TIMER && !after->held &&
	       after->states_ns[TASKRT_STATE_RUNNING] - before->states_ns[TASKRT_STATE_RUNNING] ==
	       after->wait_ns - before->since_ns;
}

/* Nothing but the sleep comes between the first two readings, and no other wait after it. */
static int try_to_be_held_up(struct look *before, struct look *woken, struct look *after)
{
	volatile char *area;

	device_hold(device, TASKRT_TEST_MUTEX, TASKRT_TEST_UNINTERRUPTIBLE, D);
	area = device_map(device, 1, TASKRT_TEST_UNINTERRUPTIBLE, 1, D);
	look_at(before);
	clock_sleep(MS);
	look_at(woken);
	hold_up(area);
	look_at(after);
	device_unmap(area, 1);
	return only_waited(before, woken) && after->woken_ns == woken->woken_ns;
}

/* The time in a state that was neither the wait nor the queue after it. */
static uint64_t held_in(unsigned int state, const struct look *before, const struct look *after)
{
	uint64_t ns = after->states_ns[state] - before->states_ns[state];

	if (state == after->waited)
		ns -= after->woken_ns - after->wait_ns;
	if (state == after->queued_as)
		ns -= after->queued_ns;
	return state == TASKRT_STATE_RUNNING ? 0 : ns;
}

static void held_up(void)
{
	struct look before, woken, after;
	unsigned int i, wrong = 0;
	int came;

	do
		came = try_to_be_held_up(&before, &woken, &after);
	while (!came && patience_lasts());
	if (!tap_ok(came, "a thread has slept, and was then held up"))
		return;
	tap_ok(after.held, "the page says that there is something");
	tap_at_least(after.held_ns[TASKRT_STATE_PREEMPTED], D, "preempted");
	tap_at_least(after.held_ns[TASKRT_STATE_BLOCKED_LOCK], 1, "blocked on a lock");
	tap_at_least(after.held_ns[TASKRT_STATE_BLOCKED_FAULT], 1, "blocked in a fault");
	tap_at_least(after.held_ns[TASKRT_STATE_WOKEN], 1, "and in the queue after these");
	for (i = 0; i < TASKRT_STATES_ROOM; i++) {
		if (after.held_ns[i] == held_in(i, &before, &after))
			continue;
		tap_diag("state %u: held up for %llu, but in it for %llu", i,
			 (unsigned long long)after.held_ns[i],
			 (unsigned long long)held_in(i, &before, &after));
		wrong++;
	}
	tap_equal(wrong, 0, "in each state as long as it was in it");
}

/* With the next wait that ends it all begins again. */
static void again(void)
{
	struct look before, after;
	unsigned int i, wrong = 0;
	int came;

	do {
		look_at(&before);
		clock_sleep(MS);
		look_at(&after);
		came = only_waited(&before, &after);
	} while (!came && patience_lasts());
	tap_ok(came, "it has slept, and nothing else");
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		wrong += after.held_ns[i] != 0;
	tap_equal(wrong, 0, "then nothing has held it up");
}

int main(void)
{
	device = device_open();
	page = page_own();
	if (sem_init(&competitor.go, 0, 0))
		tap_bail("sem_init");
	thread_pin(CPU);
	thread_start(&competitor.thread, compete, NULL);
	held_up();
	again();
	competitor.end = 1;
	sem_post(&competitor.go);
	thread_join(&competitor.thread);
	return tap_done();
}
