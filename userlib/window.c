// SPDX-License-Identifier: LGPL-2.1-or-later
/* What happened between two instants of one thread. */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "spent.h"

int taskrt_window_begin(struct taskrt_window *w, const struct taskrt_self *self)
{
	w->self = self;
	w->ended = 0;
	w->status = self ? taskrt_self_read(self, &w->begin) : -EINVAL;
	if (w->status < 0)
		w->self = NULL;
	return w->status;
}

int taskrt_window_end(struct taskrt_window *w)
{
	w->status = w->self ? taskrt_self_read(w->self, &w->end) : -EINVAL;
	w->ended = w->status >= 0;
	if (!w->ended) {
		w->elapsed_ns = 0;
		memset(&w->spent, 0, sizeof(w->spent));
		return w->status;
	}
	taskrt_spent_order(&w->begin, &w->end);
	w->elapsed_ns = w->end.at_ns - w->begin.at_ns;
	taskrt_spent_between(&w->spent, &w->begin.totals, &w->end.totals,
			     taskrt_self_mapped(w->self));
	return w->status;
}
