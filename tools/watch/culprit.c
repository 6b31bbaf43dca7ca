// SPDX-License-Identifier: GPL-2.0-only
/*
 * What most of the time before an alert went to, and what is to blame.
 *
 * The recorder may reach back over many periods of the thread, of which only the
 * last one went wrong: so we look at what came after the last of its usual waits.
 * That is the kind of sleep that it had most often; one that it had only once is
 * perhaps what made it late.
 */
#include <string.h>

#include "common/state.h"
#include "watch/culprit.h"

static int is_sleep(const struct taskrt_event *event)
{
	return event_is_state(event) && state_share(event->which) == SHARE_SLEEP &&
	       !event_is_caused(event, TASKRT_STATE_STOPPED);
}

/* Conditions of glibc take turns between two words beside each other. */
#define SAME_FUTEX	8

static int is_waited_on_again(const struct record *record, const struct taskrt_event *wait)
{
	size_t i;

	for (i = 0; i < record->alert.nr_events; i++) {
		const struct taskrt_event *event = &record->events[i].event;

		if (event != wait && event_has_futex(event) &&
		    event->futex - wait->futex + SAME_FUTEX <= 2 * SAME_FUTEX)
			return 1;
	}
	return 0;
}

/*
 * Who waits for a lock that another thread has does not wait for its next period; nor, as
 * it seems, who waits at an address but once.
 */
static int may_be_usual(const struct record *record, const struct taskrt_event *event)
{
	return is_sleep(event) && !event->owner_tid &&
	       (!event_has_futex(event) || is_waited_on_again(record, event));
}

/* The last of the waits that it has most often; NULL: none came twice. */
static const struct taskrt_alert_event *usual_wait(const struct record *record)
{
	unsigned int counts[TASKRT_STATES_ROOM] = { 0 }, most = 1;
	const struct taskrt_alert_event *last = NULL;
	size_t i;

	for (i = 0; i < record->alert.nr_events; i++)
		if (may_be_usual(record, &record->events[i].event))
			counts[record->events[i].event.which]++;
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		if (counts[i] > most)
			most = counts[i];
	for (i = 0; i < record->alert.nr_events; i++) {
		const struct taskrt_event *event = &record->events[i].event;

		/* counts[] is indexed by state: what is no state must be left out first. */
		if (most > 1 && may_be_usual(record, event) && counts[event->which] == most &&
		    (!last || event->at_ns > last->event.at_ns))
			last = &record->events[i];
	}
	return last;
}

static uint64_t oldest(const struct record *record)
{
	uint64_t at_ns = record->alert.at_ns;
	size_t i;

	for (i = 0; i < record->alert.nr_events; i++)
		if (record->events[i].event.at_ns < at_ns)
			at_ns = record->events[i].event.at_ns;
	return at_ns;
}

/* How much of it was from since until then. */
static uint64_t part(const struct taskrt_event *event, uint64_t since, uint64_t until)
{
	uint64_t begin = event->at_ns > since ? event->at_ns : since;
	uint64_t end = event_end(event) < until ? event_end(event) : until;

	return end > begin ? end - begin : 0;
}

/* The interval that raised the alert is the last that was over. */
static const struct taskrt_alert_event *that_raised(const struct record *record)
{
	const struct taskrt_alert_event *last = NULL;
	size_t i;

	for (i = 0; i < record->alert.nr_events; i++) {
		const struct taskrt_event *event = &record->events[i].event;

		if (event_is_state(event) &&
		    (!last || event_end(event) >= event_end(&last->event)))
			last = &record->events[i];
	}
	return last;
}

static uint32_t longest_state(const struct record *record, uint64_t since)
{
	uint64_t sums[TASKRT_STATES_ROOM] = { 0 };
	uint32_t state, most = 0;
	size_t i;

	for (i = 0; i < record->alert.nr_events; i++)
		if (event_is_state(&record->events[i].event))
			sums[record->events[i].event.which] +=
				part(&record->events[i].event, since, UINT64_MAX);
	for (state = 1; state < TASKRT_STATES_ROOM; state++)
		if (sums[state] > sums[most])
			most = state;
	return sums[most] ? most : TASKRT_NONE;
}

/* All intervals of that state, and the longest of them. */
static void add_up(struct culprit *culprit, const struct record *record, uint32_t state,
		   uint64_t since)
{
	size_t i;

	for (i = 0; i < record->alert.nr_events; i++) {
		const struct taskrt_alert_event *event = &record->events[i];
		uint64_t ns = part(&event->event, since, UINT64_MAX);

		if (!event_is_in(&event->event, state) || !ns)
			continue;
		culprit->ns += ns;
		culprit->count++;
		if (ns > culprit->longest_ns) {
			culprit->longest_ns = ns;
			culprit->longest = event;
		}
	}
}

/* How much of the whole it ran, after since. */
static uint64_t running_in(const struct taskrt_event *whole, const struct record *record,
			   uint64_t since)
{
	uint64_t begin = whole->at_ns > since ? whole->at_ns : since, ns = 0;
	size_t i;

	for (i = 0; i < record->alert.nr_events; i++)
		if (event_is_in(&record->events[i].event, TASKRT_STATE_RUNNING))
			ns += part(&record->events[i].event, begin, event_end(whole));
	return ns;
}

/* A fault that only computes, or a lock that is waited for without sleeping. */
static void look_inside(struct culprit *culprit, const struct record *record, uint64_t since)
{
	size_t i;

	if (!event_is_in(&culprit->longest->event, TASKRT_STATE_RUNNING))
		return;
	for (i = 0; i < record->alert.nr_events; i++) {
		const struct taskrt_event *event = &record->events[i].event;
		uint64_t ns = 0;

		if (event->type == TASKRT_EVENT_TIMER)
			ns = running_in(event, record, since);
		if (ns <= culprit->ns / 2 || ns < culprit->inside_ns)
			continue;
		culprit->inside = &record->events[i];
		culprit->inside_ns = ns;
	}
}

static void find(struct culprit *culprit, const struct record *record, uint64_t since)
{
	uint32_t state;

	/* It was not late. */
	if (record->alert.reason == TASKRT_REASON_DISARMED)
		return;
	if (record->alert.reason == TASKRT_REASON_OVER) {
		culprit->longest = that_raised(record);
		culprit->count = 1;
		culprit->ns = culprit->longest ? culprit->longest->event.ns : 0;
		culprit->longest_ns = culprit->ns;
		since = culprit->longest ? culprit->longest->event.at_ns : since;
	} else {
		state = longest_state(record, since);
		if (state != TASKRT_NONE)
			add_up(culprit, record, state, since);
	}
	if (culprit->longest)
		look_inside(culprit, record, since);
}

void culprit_find(struct culprit *culprit, const struct record *record, uint64_t window_ns)
{
	const struct taskrt_alert_event *wait = usual_wait(record);
	uint64_t since = oldest(record);

	memset(culprit, 0, sizeof(*culprit));
	culprit->usual = wait ? wait->event.which : TASKRT_NONE;
	if (window_ns && record->alert.at_ns - since > window_ns)
		since = record->alert.at_ns - window_ns;
	else if (!window_ns && wait && event_end(&wait->event) < record->alert.at_ns)
		since = event_end(&wait->event);
	culprit->window_ns = record->alert.at_ns - since;
	find(culprit, record, since);
}
