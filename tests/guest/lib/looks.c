// SPDX-License-Identifier: GPL-2.0-only
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"
#include "delays.h"
#include "device.h"
#include "looks.h"
#include "self.h"
#include "tap.h"
#include "totals.h"
#include "window.h"

void looks_live(int device, unsigned int round)
{
	static _Thread_local volatile char *area;

	if (!area)
		area = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	madvise((void *)area, 65536, MADV_DONTNEED);
	area[4096 * (round % 16)] = 1;
	switch (round % 8) {
	case 0:
		clock_sleep(100 * US);
		break;
	case 1:
		device_take(device, TASKRT_TEST_MUTEX, 100 * US);
		break;
	case 2:
		device_delay(device, TASKRT_TEST_IO, 100 * US);
		break;
	case 3:
		sched_yield();
	}
}

static int same_identity(const struct taskrt_stats *self, const struct taskrt_stats *asked)
{
	return self->entity == asked->entity && self->tid == asked->tid &&
	       self->tgid == asked->tgid && self->ppid == asked->ppid &&
	       self->uid == asked->uid && self->gid == asked->gid &&
	       !strcmp(self->comm, asked->comm) && self->flags == asked->flags &&
	       self->start_time_ns == asked->start_time_ns &&
	       self->tracked_since_ns == asked->tracked_since_ns &&
	       self->version == asked->version && self->size == asked->size &&
	       self->exit_code == asked->exit_code && self->threads == asked->threads;
}

/* The page has neither of these. */
#define ASKED_ONLY	(TASKRT_VALID_CPU | TASKRT_VALID_CGROUP)

static int same_measured(const struct taskrt_self *self, const struct taskrt_reading *read,
			 const struct taskrt_reading *asked)
{
	struct taskrt_measured times, wanted = asked->stats.measured, found = read->stats.measured;

	self_measured(self, &times);
	wanted.values &= ~SELF_ASKED_ONLY;
	found.values &= ~SELF_ASKED_ONLY;
	/* Over netlink, one read has the stalls for memory as well, and a page has not. */
	wanted.timers &= ~delays_kinds();
	found.timers &= ~delays_kinds();
	times.timers &= ~delays_kinds();
	return times.states == wanted.states && times.timers == wanted.timers &&
	       times.locks == wanted.locks && !memcmp(&found, &wanted, sizeof(wanted)) &&
	       !((read->stats.valid ^ asked->stats.valid) & ~ASKED_ONLY) &&
	       read->groups == asked->groups;
}

/* Has it less of what the kernel counts? */
static int is_behind(const struct taskrt_reading *one, const struct taskrt_reading *other)
{
	static const unsigned char counted[] = {
		TASKRT_VALUE_VOLUNTARY_SWITCHES, TASKRT_VALUE_INVOLUNTARY_SWITCHES,
		TASKRT_VALUE_MINOR_FAULTS, TASKRT_VALUE_MAJOR_FAULTS,
	};
	unsigned int i;

	for (i = 0; i < sizeof(counted); i++)
		if (one->counts.values[counted[i]] < other->counts.values[counted[i]])
			return 1;
	return 0;
}

/*
 * The kernel counts a fault before handle_mm_fault() returns, and a switch before the hook of
 * sched_switch runs, and the page is told by these.  A query of another thread may therefore
 * be ahead of the page by one fault or switch, which is about to end.  Where the page is told
 * by the count of a fault that the kernel makes first, it may be ahead of a query.
 */
static void ask_after(struct looks *looks, const struct taskrt_reading *before, pid_t tid,
		      struct taskrt_reading *asked)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;

	do {
		window_thread(looks->handle, tid, asked);
	} while (is_behind(asked, before) && clock_now() < patience);
}

static void get_after(struct taskrt_self *self, const struct taskrt_reading *asked,
		      struct taskrt_reading *after)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;

	do {
		self_get(self, after);
	} while (is_behind(after, asked) && clock_now() < patience);
}

void looks_look(struct looks *looks, struct taskrt_self *self, pid_t tid)
{
	struct taskrt_reading before, asked, after;
	struct taskrt_snapshot now;

	self_get(self, &before);
	/* A reader in another thread sees the state of 1000 ns ago. */
	ask_after(looks, &before, tid, &asked);
	self_read(self, &now);
	clock_spin(2 * US);
	get_after(self, &asked, &after);
	looks->broken += !window_adds_up(&before) || !window_adds_up(&after) ||
			 !window_agrees(&before) || !window_agrees(&after) ||
			 !self_adds_up(&now, before.stats.tracked_since_ns) || !self_agrees(&now);
	looks->outside += totals_exceed(&before, &asked, "a read, then a query") >= 0 ||
			  totals_exceed(&asked, &after, "a query, then a read") >= 0;
	looks->longest += totals_longest_exceed(&before, &asked, "a read, then a query") >= 0 ||
			  totals_longest_exceed(&asked, &after, "a query, then a read") >= 0;
	looks->order += before.stats.sample_time_ns > asked.stats.sample_time_ns ||
			asked.stats.sample_time_ns > after.stats.sample_time_ns;
	looks->identity += !same_identity(&before.stats, &asked.stats);
	looks->valid += !same_measured(self, &before, &asked);
}

void looks_check(const struct looks *looks, const char *name)
{
	tap_equal(looks->broken, 0, "%s: every read adds up", name);
	tap_equal(looks->outside, 0, "%s: a query is between two reads", name);
	tap_equal(looks->longest, 0, "%s: so are its longest intervals", name);
	tap_equal(looks->order, 0, "%s: so is its instant", name);
	tap_equal(looks->identity, 0, "%s: the identities agree", name);
	tap_equal(looks->valid, 0, "%s: the same is measured", name);
}

unsigned int looks_wrong(const struct looks *looks)
{
	return (looks->broken != 0) | (looks->outside != 0) << 1 | (looks->order != 0) << 2 |
	       (looks->identity != 0) << 3 | (looks->valid != 0) << 4 |
	       (looks->longest != 0) << 5;
}
