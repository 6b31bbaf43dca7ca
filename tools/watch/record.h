/* SPDX-License-Identifier: GPL-2.0-only */
/* An alert with all of its events, as the flight recorder kept them. */
#ifndef TOOLS_WATCH_RECORD_H
#define TOOLS_WATCH_RECORD_H

#include <taskrt.h>

struct record {
	struct taskrt_alert alert;
	const struct taskrt_alert_event *events;	/* of alert.nr_events, the oldest first */

	struct taskrt_alert_event *room;	/* its own affair */
	size_t nr_room;
};

/*
 * The next alert, if there is one by now.  A record begins all zero; what it holds is valid
 * until the next call.  Without memory the program ends.
 * Return: as taskrt_alerts_next().
 */
int record_next(struct record *record, struct taskrt_alerts *alerts);

void record_free(struct record *record);

#endif
