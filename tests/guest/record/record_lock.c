// SPDX-License-Identifier: GPL-2.0-only
/* An alert names the lock, its holder, and the thread that waited for it. */
#include <string.h>
#include <unistd.h>

#include "bell.h"
#include "clock.h"
#include "device.h"
#include "flight.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(150 * MS)
#define MOST	(D - MS)

struct lock_case {
	const char *name;
	uint32_t hold, take;
	unsigned int kind, rt_kind;
	int owned;			/* the lock itself records its owner */
};

static const struct lock_case cases[] = {
	{ "mutex", TASKRT_TEST_MUTEX, TASKRT_TEST_MUTEX,
	  TASKRT_LOCK_MUTEX, TASKRT_LOCK_RT_MUTEX, 1 },
	{ "rwsem read", TASKRT_TEST_RWSEM_WRITE, TASKRT_TEST_RWSEM_READ,
	  TASKRT_LOCK_RWSEM_READ, TASKRT_LOCK_RWSEM_READ, 1 },
	{ "rwsem write", TASKRT_TEST_RWSEM_READ, TASKRT_TEST_RWSEM_WRITE,
	  TASKRT_LOCK_RWSEM_WRITE, TASKRT_LOCK_RWSEM_WRITE, 0 },
	{ "two writers", TASKRT_TEST_RWSEM_WRITE, TASKRT_TEST_RWSEM_WRITE,
	  TASKRT_LOCK_RWSEM_WRITE, TASKRT_LOCK_RT_MUTEX, 1 },
	{ "rt mutex", TASKRT_TEST_RT_MUTEX, TASKRT_TEST_RT_MUTEX,
	  TASKRT_LOCK_RT_MUTEX, TASKRT_LOCK_RT_MUTEX, 1 },
	{ "semaphore", TASKRT_TEST_SEMAPHORE, TASKRT_TEST_SEMAPHORE,
	  TASKRT_LOCK_OTHER, TASKRT_LOCK_OTHER, 0 },
};

#define CASES	(sizeof(cases) / sizeof(*cases))

static int device;

struct wish {
	struct bell_culprit culprit;
	uint32_t lock;
};

static void take(void *arg)
{
	struct wish *wish = arg;

	bell_drop_after(&wish->culprit, 0, D);
	device_take(device, wish->lock, 0);
}

/* Returns the tid of the holder. */
static uint32_t hold_and_take(struct flight *flight, const struct lock_case *test)
{
	struct wish wish = { .lock = test->take };

	bell_take(&wish.culprit, device, test->hold);
	flight_observe(flight, test->name, take, &wish);
	bell_end(&wish.culprit);
	return wish.culprit.thread.tid;
}

static int is_culprit(const struct taskrt_event *event, uint32_t tid)
{
	return event->owner_tid == tid && !strcmp(event->owner_comm, "culprit");
}

static int is_nobody(const struct taskrt_event *event)
{
	return !event->owner_tid && !event->owner_comm[0];
}

static void check_stack(const struct alert_event *event, const char *name, const char *what)
{
	tap_ok(alert_leads_to(event, "[taskrt_test]"),
	       "%s: the %s's stack leads to the module that waited", name, what);
}

/* An event that is no wait for a lock has no kind of lock, not even that of the previous wait. */
static unsigned int strays(const struct alert *alert)
{
	unsigned int i, found = 0;

	for (i = 0; i < alert->nr_events; i++)
		found += !alert->events[i].event.object && alert->events[i].event.kind;
	return found;
}

/* cause_lock tests the kinds; this tests what the recorder adds. */
static void check(const struct lock_case *test, const struct flight *flight, uint32_t owner,
		  uint64_t *id)
{
	const struct alert_event *lock = flight_find(flight, ALERT_LOCK, MOST);
	const struct alert_event *state = flight_find(flight, TASKRT_STATE_BLOCKED_LOCK, MOST);
	int ok = 0;

	if (!lock || !state)
		return;
	tap_ok(lock->event.kind == (thread_kernel_is_rt() ? test->rt_kind : test->kind) ||
	       lock->event.kind == test->kind, "%s: its kind: %s", test->name,
	       taskrt_lock_name(lock->event.kind));
	tap_ok(lock->event.object && lock->event.object == state->event.object,
	       "%s: which lock it was", test->name);
	/* PREEMPT_RT has another lock inside this one, which its own readers and mutexes take. */
	if (test->owned)
		ok = tap_ok(is_culprit(&lock->event, owner) && is_culprit(&state->event, owner),
			    "%s: who had it", test->name);
	else
		ok = tap_ok(is_nobody(&lock->event) ||
			    (is_culprit(&lock->event, owner) &&
			     lock->event.flags & TASKRT_EVENT_READER),
			    "%s: nobody else is said to have had it", test->name);
	if (!tap_ok(strstr(lock->caller, "[taskrt_test]") != NULL, "%s: who wanted it: %s",
		    test->name, lock->caller) || !ok)
		alert_print(flight->alert);
	check_stack(lock, test->name, "lock");
	check_stack(state, test->name, "state");
	tap_equal(strays(flight->alert), 0, "%s: no kind without a lock", test->name);
	*id = lock->event.object;
}

/* The ids are no kernel addresses, which would help an attacker. */
static void check_ids(const uint64_t *ids)
{
	tap_ok(ids[0] != ids[4] && ids[4] != ids[5] && ids[0] != ids[5] && ids[0] != ids[1],
	       "other locks have other ids");
	tap_ok(ids[1] == ids[2] || thread_kernel_is_rt(), "the same lock has the same id");
	tap_ok(ids[0] >> 48 != 0xffff || ids[4] >> 48 != 0xffff, "and they are no addresses");
}

static void known_lock_again(const uint64_t *ids)
{
	const struct alert_event *event;
	struct flight flight;

	hold_and_take(&flight, &cases[0]);
	event = flight_find(&flight, ALERT_LOCK, MOST);
	if (event)
		tap_equal(event->event.object, ids[0], "another thread: the same id");
}

struct rearmed {
	struct wish wish;
	struct bell bell;
	uint32_t tid;
	struct raw raw;
};

/* Another socket has armed the thread: that ends first. */
static void arm_anew(void *arg)
{
	struct rearmed *rearmed = arg;
	const struct recorder_arm arm = {
		.tid = rearmed->tid, .depth = TASKRT_DEPTH_MAX, .threshold_ns = FLIGHT_THRESHOLD,
	};

	recorder_disarm(&rearmed->raw, rearmed->tid);
	recorder_must_arm(&rearmed->raw, &arm);
	bell_drop(&rearmed->wish.culprit);
}

static void take_rearmed(void *arg)
{
	struct rearmed *rearmed = arg;

	rearmed->tid = gettid();
	bell_set(&rearmed->bell, 0, TASKRT_STATE_BLOCKED_LOCK, D, arm_anew, rearmed);
	device_take(device, rearmed->wish.lock, 0);
	bell_join(&rearmed->bell);
}

/* What it waits for is known when it is armed amid the wait, but not who has the lock. */
static void armed_amid(void)
{
	static struct rearmed rearmed = { .wish.lock = TASKRT_TEST_RWSEM_WRITE };
	const struct alert_event *lock;
	struct flight flight;

	if (raw_open(&rearmed.raw))
		tap_bail("no family");
	bell_take(&rearmed.wish.culprit, device, TASKRT_TEST_RWSEM_READ);
	flight_observe(&flight, "armed amid", take_rearmed, &rearmed);
	bell_end(&rearmed.wish.culprit);
	lock = flight_find(&flight, ALERT_LOCK, MOST);
	if (lock) {
		tap_equal(lock->event.kind, TASKRT_LOCK_RWSEM_WRITE, "armed amid a wait: its kind");
		tap_ok(lock->event.object != 0, "armed amid a wait: which lock it was");
		tap_ok(is_nobody(&lock->event), "armed amid a wait: not who had it");
	}
	raw_close(&rearmed.raw);
}

int main(void)
{
	uint64_t ids[CASES] = { 0 };
	struct flight flight;
	unsigned int i;

	device = device_open();
	flight_open();
	for (i = 0; i < CASES; i++) {
		uint32_t owner = hold_and_take(&flight, &cases[i]);

		check(&cases[i], &flight, owner, &ids[i]);
	}
	check_ids(ids);
	known_lock_again(ids);
	armed_amid();
	flight_close();
	return tap_done();
}
