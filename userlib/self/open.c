// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A thread's own counters: opening them, from the device or over netlink.
 *
 * This file is above all others of a thread's own counters, because it calls every
 * function once that a real-time thread will call.
 */
#include <errno.h>
#include <stdbool.h>

#include "experimental.h"
#include "self/handle.h"
#include "self/mapping.h"
#include "self/self_netlink.h"

static void touch_window(const struct taskrt_window *w)
{
	struct taskrt_explanation explanation;
	struct taskrt_jitter jitter;
	struct taskrt_series series;
	char line[8];

	taskrt_window_explain(w, &explanation, sizeof(explanation));
	taskrt_explanation_format(&explanation, sizeof(explanation), 0, line, sizeof(line));
	taskrt_series_init(&series, 0, 0);
	taskrt_series_add(&series, w);
	taskrt_series_percentile(&series, 50);
	taskrt_series_jitter(&series, &jitter, sizeof(jitter));
}

static void touch_stage(struct taskrt_self *self)
{
	struct taskrt_stage stage;
	char line[8];

	taskrt_stage_init(&stage, "");
	taskrt_stage_begin(&stage, self);
	taskrt_stage_end(&stage);
	taskrt_stage_merge(&stage, &stage);
	taskrt_stage_format(&stage, line, sizeof(line));
}

static int touch_page(struct taskrt_self *self)
{
	const uint32_t groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST;
	struct taskrt_measured measured;
	struct taskrt_reading reading;

	taskrt_self_measured(self, &measured, sizeof(measured));
	return taskrt_self_get(self, groups, &reading, sizeof(reading));
}

/* Also call the code for the rare cases. */
static void touch_seldom(struct taskrt_self *self)
{
	const void *opener = self->opener;
	struct taskrt_snapshot now;

	self->opener = NULL;
	taskrt_self_read(self, &now);
	self->opener = opener;
}

/*
 * Call every function once, so that a real-time thread takes no page fault for its code or data
 * later.  taskrt_histogram_open() does this for the functions of histograms.
 */
static int self_touch(struct taskrt_self *self)
{
	struct taskrt_window w;
	int err;

	taskrt_window_begin_due(&w, self, 0);
	err = taskrt_window_end(&w);
	if (err)
		return err;
	touch_seldom(self);
	touch_window(&w);
	touch_stage(self);
	return touch_page(self);
}

static bool no_device(int err)
{
	return err == -ENOENT || err == -EACCES || err == -ENXIO || err == -ENODEV ||
	       err == -EOPNOTSUPP || err == -EPERM;
}

static int open_self(struct taskrt_self *self, unsigned int flags)
{
	int err = taskrt_mapping_open(self);

	if (!err)
		return self_touch(self);
	if (!no_device(err) || flags & TASKRT_SELF_MAPPED)
		return err;
	return taskrt_self_netlink_open(self);
}

int taskrt_self_open(struct taskrt_self **self, unsigned int flags)
{
	struct taskrt_self *new;
	int err;

	if (!self)
		return -EINVAL;
	*self = NULL;
	if (flags & ~TASKRT_SELF_MAPPED)
		return -EINVAL;
	new = taskrt_self_new();
	if (!new)
		return -ENOMEM;
	err = open_self(new, flags);
	if (err)
		taskrt_self_close(new);
	else
		*self = new;
	return err;
}
