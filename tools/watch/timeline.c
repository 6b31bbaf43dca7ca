// SPDX-License-Identifier: GPL-2.0-only
/*
 * The story of a missed deadline, as a person reads it: who, when and why; what
 * the thread went through before, with the times counted back from the alert; and
 * what of that took the most time.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "common/text.h"
#include "common/units.h"
#include "watch/summary.h"
#include "watch/timeline.h"
#include "watch/timeline_event.h"

#define TAG_MAX		128

static void print_head(FILE *out, const struct record *record)
{
	const struct taskrt_alert *alert = &record->alert;
	char comm[PERSON_MAX], tag[TAG_MAX], at[UNITS_MAX];

	text_safe(comm, sizeof(comm), alert->comm, sizeof(alert->comm));
	text_safe(tag, sizeof(tag), alert->tag, sizeof(alert->tag));
	units_instant(at, alert->at_ns);
	fprintf(out, "alert %" PRIu64 ": %s (%d) of process %d ", alert->seq, comm, alert->tid,
		alert->tgid);
	if (alert->reason == TASKRT_REASON_OVER)
		fprintf(out, "waited too long, until %s", at);
	else
		fprintf(out, "was late at %s", at);
	fprintf(out, "%s%s\n", *tag ? ": " : "", tag);
}

static void print_events(FILE *out, const struct record *record,
			 const struct culprit *culprit)
{
	const struct taskrt_alert_event **order = event_order(record);
	size_t i = 0;

	if (record->alert.recorded > record->alert.nr_events)
		fprintf(out, "  the last %u of %" PRIu64 " events\n", record->alert.nr_events,
			record->alert.recorded);
	if (order)
		timeline_event_head(out);
	while (i < record->alert.nr_events) {
		size_t trifles = timeline_event_print_trifles(out, record, order + i,
							      record->alert.nr_events - i, culprit);

		if (!trifles)
			timeline_event_print(out, record, order[i], culprit);
		i += trifles ? trifles : 1;
	}
	free(order);
}

void timeline_print(FILE *out, const struct record *record, uint64_t window_ns)
{
	char text[SUMMARY_MAX];
	struct culprit culprit;

	if (record->alert.gap)
		fprintf(out, "alerts lost before the next one: %" PRIu64 "\n\n",
			record->alert.gap);
	culprit_find(&culprit, record, window_ns);
	print_head(out, record);
	print_events(out, record, &culprit);
	text_line(out, "  %s", summary_text(text, &culprit, record));
	fprintf(out, "\n");
}
