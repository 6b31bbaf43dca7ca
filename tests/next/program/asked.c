// SPDX-License-Identifier: GPL-2.0-only
/* A thread without a page, read over netlink: the same window over the new state. */
#include <errno.h>

#include "check.h"
#include "parts.h"
#include "scenario.h"
#include "told.h"
#include "world.h"

static void explanation_check(const struct taskrt_window *w)
{
	struct taskrt_explanation e;

	EQUAL(w->elapsed_ns, END - TURN);
	EQUAL(told_sum(w->spent.states_ns), w->elapsed_ns);
	EQUAL(taskrt_window_explain(w, &e, sizeof(e)), 0);
	EQUAL(told_share(&e, TASKRT_CAUSE_COMPUTING), RAN_NS);
	EQUAL(told_share(&e, TASKRT_CAUSE_ASLEEP), NEW_STATE_NS);
	EQUAL(told_share(&e, TASKRT_CAUSE_LOCK), WAITED_NS);
	EQUAL(told_share(&e, TASKRT_CAUSE_UNEXPLAINED), 0);
	EQUAL(e.state, TASKRT_NONE);
}

void asked_check(void)
{
	const struct told_of of = {
		.next = next_module, .next_reader = next_library,
		.entity = TASKRT_ENTITY_THREAD, .groups = ALL_GROUPS,
	};
	struct taskrt_self *self;
	struct taskrt_reading r;
	struct taskrt_window w;

	checking = "no page";
	world_device_errno = ENOENT;
	world->begin();
	EQUAL(taskrt_self_open(&self, TASKRT_SELF_MAPPED), -ENOENT);
	EQUAL(taskrt_self_open(&self, 0), 0);
	if (!self)
		return;
	EQUAL(taskrt_self_mapped(self), 0);
	EQUAL(taskrt_window_begin(&w, self), 0);
	world->go_on();
	EQUAL(taskrt_window_end(&w), 0);
	explanation_check(&w);
	EQUAL(taskrt_self_get(self, ALL_GROUPS, &r, sizeof(r)), 0);
	told_check(&r, &of);
	taskrt_self_close(self);
	world_device_errno = 0;
}
