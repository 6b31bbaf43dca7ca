// SPDX-License-Identifier: GPL-2.0-only
/* An alert with all of its events, as the flight recorder kept them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "watch/record.h"

static void make_room(struct record *record)
{
	size_t needed = record->alert.nr_events;
	struct taskrt_alert_event *larger;

	if (needed <= record->nr_room)
		return;
	larger = reallocarray(record->room, needed, sizeof(*larger));
	if (!larger)
		error_no_memory();
	record->room = larger;
	record->nr_room = needed;
}

int record_next(struct record *record, struct taskrt_alerts *alerts)
{
	int more = taskrt_alerts_next(alerts, 0, &record->alert, sizeof(record->alert));
	uint32_t i;

	if (more <= 0)
		return more;
	make_room(record);
	for (i = 0; i < record->alert.nr_events; i++)
		if (taskrt_alerts_event(alerts, i, &record->room[i], sizeof(record->room[i])))
			return -EBADMSG;
	record->events = record->room;
	return more;
}

void record_free(struct record *record)
{
	free(record->room);
	memset(record, 0, sizeof(*record));
}
