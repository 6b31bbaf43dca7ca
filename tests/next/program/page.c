// SPDX-License-Identifier: GPL-2.0-only
/* The page: read by the thread itself, in a window over the new state. */
#include <errno.h>
#include <sys/mman.h>

#include "check.h"
#include "parts.h"
#include "scenario.h"
#include "told.h"
#include "world.h"

static struct taskrt_self *self;

/*
 * The clock stands still, and each read of the thread itself is a nanosecond after the one
 * before.
 */
static uint64_t since(uint64_t at, uint64_t instant)
{
	CHECK(at >= instant && at - instant < 64);
	return at - instant;
}

static void snapshot_check(bool ended)
{
	struct taskrt_snapshot *now = guarded(sizeof(*now));

	EQUAL(taskrt_self_read(self, now), 0);
	EQUAL(now->flags, ended ? TASKRT_FINAL : 0);
	EQUAL(told_sum(now->times.states_ns), now->at_ns - BORN);
	told_times(&now->times, next_module, since(now->at_ns, END));
	guarded_check(now, sizeof(*now));
}

static void reading_check(uint32_t groups, bool ended)
{
	const struct told_of of = {
		.next = next_module, .next_reader = next_library, .page = true, .ended = ended,
		.entity = TASKRT_ENTITY_THREAD, .groups = groups,
	};
	struct taskrt_reading *r = guarded(sizeof(*r));

	EQUAL(taskrt_self_get(self, groups, r, sizeof(*r)), 0);
	told_check(r, &of);
	guarded_check(r, sizeof(*r));
}

static void measured_check(void)
{
	struct taskrt_measured *measured = guarded(sizeof(*measured));

	EQUAL(taskrt_self_measured(self, measured, sizeof(*measured)), 0);
	EQUAL(measured->states >> NEW_STATE & 1, next_module);
	EQUAL(measured->timers >> NEW_TIMER & 1, next_module);
	EQUAL(measured->states & 0xfff, 0xfff);
	guarded_check(measured, sizeof(*measured));
}

/*
 * The new state's time has its parent's cause, whether it is known or not; so that cause
 * is the largest.
 */
static void window_check(const struct taskrt_window *w)
{
	struct taskrt_explanation *e = guarded(sizeof(*e));
	char line[600];

	EQUAL(w->end_ns, END);
	EQUAL(w->elapsed_ns, END - w->begin_ns);
	EQUAL(told_sum(w->spent.states_ns), w->elapsed_ns);
	EQUAL(taskrt_window_explain(w, e, sizeof(*e)), 0);
	EQUAL(told_share(e, TASKRT_CAUSE_COMPUTING), RAN_NS - since(w->begin_ns, TURN));
	EQUAL(told_share(e, TASKRT_CAUSE_ASLEEP), NEW_STATE_NS);
	EQUAL(told_share(e, TASKRT_CAUSE_LOCK), WAITED_NS);
	EQUAL(told_share(e, TASKRT_CAUSE_UNEXPLAINED), 0);
	EQUAL(e->nr, 4);
	EQUAL(e->lock, OLD_LOCK);
	EQUAL(e->state, next_module ? NEW_STATE : OLD_STATE);
	EQUAL(e->longest.ns, NEW_STATE_NS);
	EQUAL(e->longest.at_ns, TURN + RAN_NS);
	CHECK(taskrt_explanation_format(e, sizeof(*e), 1, line, sizeof(line)) < (int)sizeof(line));
	CHECK(strstr(line, "asleep 0.040 ms"));
	guarded_check(e, sizeof(*e));
}

static uint32_t counted(const struct taskrt_distribution *d)
{
	uint32_t sum = 0;

	for (int i = 0; i < TASKRT_BUCKETS; i++)
		sum += d->counts[i];
	return sum;
}

static void one_distribution(const struct taskrt_histogram *h, unsigned int state, bool measured,
			     uint64_t longest)
{
	struct taskrt_distribution *d = guarded(sizeof(*d));
	int err = taskrt_histogram_state(h, state, d, sizeof(*d));

	EQUAL(err, measured ? 0 : -ENODATA);
	if (!err) {
		EQUAL(d->longest.ns, longest);
		EQUAL(counted(d), !!longest);
	}
	guarded_check(d, sizeof(*d));
}

/* Since the turn there was one interval of the new state, or of the old one instead. */
static void histogram_check(struct taskrt_histogram *h)
{
	struct taskrt_histogram_span *span = guarded(sizeof(*span));

	EQUAL(taskrt_histogram_read(h, span, sizeof(*span)), 0);
	EQUAL(span->from_ns, TURN);
	EQUAL(span->to_ns, END);
	guarded_check(span, sizeof(*span));
	one_distribution(h, OLD_STATE, true, next_module ? 0 : NEW_STATE_NS);
	one_distribution(h, NEW_STATE, next_module, NEW_STATE_NS);
	one_distribution(h, NEW_STATE + 1, false, 0);
	one_distribution(h, TASKRT_STATES_ROOM, false, 0);
}

static void stage_check(const struct taskrt_stage *stage)
{
	EQUAL(stage->count, 1);
	CHECK(stage->wall_ns > END - TURN - 64 && stage->wall_ns <= END - TURN);
	EQUAL(told_sum(stage->spent.states_ns), stage->wall_ns);
}

/* The queue is no time in which the thread was held up. */
static void queue_check(void)
{
	static const uint64_t ns[] = { 1000, ~0U - 1, ~0U, 5000000000, 1000 };
	const size_t length = world->page_bytes();
	const struct taskrt_page *page;

	checking = "page after a queue";
	world->begin();
	page = mmap(NULL, length, PROT_READ, MAP_SHARED, world->page_fd(), 0);
	for (unsigned int i = 0; i < sizeof(ns) / sizeof(ns[0]); i++) {
		const uint64_t *held = (const uint64_t *)((const char *)page +
				       page->held_states.offset +
				       TASKRT_STATE_WOKEN * page->held_states.stride);

		world->queue(ns[i]);
		EQUAL(page->queued_ns, ns[i]);
		EQUAL(*held, 0);
		EQUAL(page->held, 0);
	}
	munmap((void *)page, length);
}

void page_check(void)
{
	struct taskrt_window *w = guarded(sizeof(*w));
	struct taskrt_stage *stage = guarded(sizeof(*stage));
	struct taskrt_histogram *h;

	queue_check();
	checking = "page";
	world->begin();
	EQUAL(taskrt_self_open(&self, TASKRT_SELF_MAPPED), 0);
	if (!self)
		return;
	EQUAL(taskrt_self_mapped(self), 1);
	EQUAL(taskrt_histogram_open(&h, self), 0);
	EQUAL(taskrt_histogram_read(h, NULL, 0), 0);
	EQUAL(taskrt_window_begin(w, self), 0);
	taskrt_stage_init(stage, "new");
	EQUAL(taskrt_stage_begin(stage, self), 0);
	world->go_on();
	EQUAL(taskrt_window_end(w), 0);
	EQUAL(taskrt_stage_end(stage), 0);
	window_check(w);
	stage_check(stage);
	histogram_check(h);
	snapshot_check(false);
	for (uint32_t groups = 0; groups <= ALL_GROUPS; groups++)
		reading_check(groups, false);
	measured_check();
	taskrt_histogram_close(h);
	guarded_check(w, sizeof(*w));
	guarded_check(stage, sizeof(*stage));
	checking = "page of one that has ended";
	world->end();
	snapshot_check(true);
	reading_check(ALL_GROUPS, true);
	taskrt_self_close(self);
}
