// SPDX-License-Identifier: LGPL-2.1-or-later
/* What happened between two instants of one thread. */
#include <errno.h>
#include <string.h>

#include "experimental.h"
#include "self/spent.h"
#include "self/window.h"

_Static_assert(sizeof(struct taskrt_window) == 1024, "it stands in programs");
_Static_assert(sizeof(struct taskrt_window_own) <= sizeof(((struct taskrt_window *)0)->private_),
	       "there is no room for it");

static struct taskrt_window_own *window_own(struct taskrt_window *w)
{
	return (struct taskrt_window_own *)w->private_;
}

int taskrt_window_begin(struct taskrt_window *w, struct taskrt_self *self)
{
	struct taskrt_window_own *o = window_own(w);

	o->magic = 0;
	o->self = self;
	w->flags = 0;
	w->status = self ? taskrt_self_read(self, &o->begin) : -EINVAL;
	if (w->status)
		return w->status;
	o->magic = TASKRT_WINDOW_MAGIC;
	w->begin_ns = o->begin.at_ns;
	w->flags = o->begin.flags;
	return 0;
}

static int fail(struct taskrt_window *w)
{
	w->flags = 0;
	w->elapsed_ns = 0;
	memset(&w->spent, 0, sizeof(w->spent));
	return w->status;
}

int taskrt_window_end(struct taskrt_window *w)
{
	struct taskrt_window_own *o = window_own(w);
	struct taskrt_snapshot end;

	w->status = taskrt_window_started(w) ? taskrt_self_read(o->self, &end) : -EINVAL;
	if (w->status)
		return fail(w);
	taskrt_spent_order(&o->begin, &end);
	w->end_ns = end.at_ns;
	w->elapsed_ns = end.at_ns - o->begin.at_ns;
	w->flags = end.flags | TASKRT_WINDOW_ENDED | (w->flags & TASKRT_WINDOW_DUE);
	taskrt_spent_between(&w->spent, &o->begin.times, &end.times, taskrt_self_mapped(o->self));
	return 0;
}
