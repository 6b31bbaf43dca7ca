// SPDX-License-Identifier: GPL-2.0-only
/*
 * What most of the time before an alert went to, and who is to blame.
 *
 * The recorder may reach back over many periods of the thread, of which only the
 * last one went wrong: so we look at what came after the last of its usual waits.
 * That is the kind of sleep that it had most often; one that it had only once is
 * perhaps what made it late.
 */
#include <string.h>

#include "culprit.h"

#define SLEEPS		((1U << TASKRT_STATE_SLEEPING_FUTEX) | (1U << TASKRT_STATE_SLEEPING_POLL) | \
			 (1U << TASKRT_STATE_SLEEPING_TIMER) | (1U << TASKRT_STATE_SLEEPING))

static int is_sleep(const struct taskrt_event *event)
{
	return event_is_state(event) && SLEEPS >> event->what & 1;
}

/* The last of the waits that it has most often; NULL: none came twice. */
static const struct taskrt_alert_event *usual_wait(const struct taskrt_alert *alert)
{
	unsigned int counts[TASKRT_NR_STATES] = { 0 }, most = 1;
	const struct taskrt_alert_event *last = NULL;
	size_t i;

	for (i = 0; i < alert->nr_events; i++)
		if (is_sleep(&alert->events[i].event))
			counts[alert->events[i].event.what]++;
	for (i = 0; i < TASKRT_NR_STATES; i++)
		if (counts[i] > most)
			most = counts[i];
	for (i = 0; i < alert->nr_events; i++) {
		const struct taskrt_event *event = &alert->events[i].event;

		if (is_sleep(event) && most > 1 && counts[event->what] == most &&
		    (!last || event->at_ns > last->event.at_ns))
			last = &alert->events[i];
	}
	return last;
}

static uint64_t oldest(const struct taskrt_alert *alert)
{
	uint64_t at_ns = alert->at_ns;
	size_t i;

	for (i = 0; i < alert->nr_events; i++)
		if (alert->events[i].event.at_ns < at_ns)
			at_ns = alert->events[i].event.at_ns;
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
static const struct taskrt_alert_event *that_raised(const struct taskrt_alert *alert)
{
	const struct taskrt_alert_event *last = NULL;
	size_t i;

	for (i = 0; i < alert->nr_events; i++) {
		const struct taskrt_event *event = &alert->events[i].event;

		if (event_is_state(event) &&
		    (!last || event_end(event) >= event_end(&last->event)))
			last = &alert->events[i];
	}
	return last;
}

static uint32_t longest_state(const struct taskrt_alert *alert, uint64_t since)
{
	uint64_t sums[TASKRT_NR_STATES] = { 0 };
	uint32_t state, most = 0;
	size_t i;

	for (i = 0; i < alert->nr_events; i++)
		if (event_is_state(&alert->events[i].event))
			sums[alert->events[i].event.what] +=
				part(&alert->events[i].event, since, UINT64_MAX);
	for (state = 1; state < TASKRT_NR_STATES; state++)
		if (sums[state] > sums[most])
			most = state;
	return sums[most] ? most : TASKRT_NR_STATES;
}

/* All intervals of that state, and the longest of them. */
static void add_up(struct culprit *culprit, const struct taskrt_alert *alert, uint32_t state,
		   uint64_t since)
{
	uint64_t longest = 0;
	size_t i;

	for (i = 0; i < alert->nr_events; i++) {
		const struct taskrt_alert_event *event = &alert->events[i];
		uint64_t ns = part(&event->event, since, UINT64_MAX);

		if (event->event.what != state || !ns)
			continue;
		culprit->ns += ns;
		culprit->count++;
		if (ns > longest) {
			longest = ns;
			culprit->longest = event;
		}
	}
}

/* How much of the whole it ran, after since. */
static uint64_t running_in(const struct taskrt_event *whole, const struct taskrt_alert *alert,
			   uint64_t since)
{
	uint64_t begin = whole->at_ns > since ? whole->at_ns : since, ns = 0;
	size_t i;

	for (i = 0; i < alert->nr_events; i++)
		if (alert->events[i].event.what == TASKRT_STATE_RUNNING)
			ns += part(&alert->events[i].event, begin, event_end(whole));
	return ns;
}

/* A fault that only computes, or a lock that is waited for without sleeping. */
static void look_inside(struct culprit *culprit, const struct taskrt_alert *alert, uint64_t since)
{
	size_t i;

	if (culprit->longest->event.what != TASKRT_STATE_RUNNING)
		return;
	for (i = 0; i < alert->nr_events; i++) {
		const struct taskrt_event *event = &alert->events[i].event;
		uint64_t ns = 0;

		if (event->what == TASKRT_EVENT_FAULT || event->what == TASKRT_EVENT_LOCK)
			ns = running_in(event, alert, since);
		if (ns <= culprit->ns / 2 || ns < culprit->inside_ns)
			continue;
		culprit->inside = &alert->events[i];
		culprit->inside_ns = ns;
	}
}

static void find(struct culprit *culprit, const struct taskrt_alert *alert, uint64_t since)
{
	uint32_t state;

	if (alert->reason == TASKRT_REASON_OVER) {
		culprit->longest = that_raised(alert);
		culprit->count = 1;
		culprit->ns = culprit->longest ? culprit->longest->event.ns : 0;
		since = culprit->longest ? culprit->longest->event.at_ns : since;
	} else {
		state = longest_state(alert, since);
		if (state != TASKRT_NR_STATES)
			add_up(culprit, alert, state, since);
	}
	if (culprit->longest)
		look_inside(culprit, alert, since);
}

void culprit_find(struct culprit *culprit, const struct taskrt_alert *alert, uint64_t window_ns)
{
	const struct taskrt_alert_event *wait = usual_wait(alert);
	uint64_t since = oldest(alert);

	memset(culprit, 0, sizeof(*culprit));
	culprit->usual = wait ? wait->event.what : TASKRT_NR_STATES;
	if (window_ns && alert->at_ns - since > window_ns)
		since = alert->at_ns - window_ns;
	else if (!window_ns && wait && event_end(&wait->event) < alert->at_ns)
		since = event_end(&wait->event);
	culprit->window_ns = alert->at_ns - since;
	find(culprit, alert, since);
}
