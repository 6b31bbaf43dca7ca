// SPDX-License-Identifier: GPL-2.0-only
/*
 * What most of the time before an alert went to, and who is to blame.
 *
 * The recorder may reach back over many periods of the thread, of which only the
 * last one went wrong: so we look at what came after the last of its usual waits.
 * That is the kind of sleep that it had most often; one that it had only once is
 * perhaps what made it late.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "culprit.h"
#include "units.h"

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

/* A text that grows, and is cut off where it has no room. */
struct text {
	char *bytes;
	size_t used;
};

__attribute__((format(printf, 2, 3)))
static void add(struct text *text, const char *format, ...)
{
	size_t room = CULPRIT_MAX - text->used;
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vsnprintf(text->bytes + text->used, room, format, arguments);
	va_end(arguments);
	if (bytes > 0)
		text->used += (size_t)bytes < room ? (size_t)bytes : room - 1;
}

static const char * const phrases[TASKRT_NR_STATES] = {
	[TASKRT_STATE_RUNNING] = "on a CPU, computing",
	[TASKRT_STATE_PREEMPTED] = "preempted",
	[TASKRT_STATE_WOKEN] = "woken and waiting for a CPU",
	[TASKRT_STATE_BLOCKED_LOCK] = "blocked on a kernel lock",
	[TASKRT_STATE_BLOCKED_FAULT] = "blocked in a page fault",
	[TASKRT_STATE_BLOCKED_IO] = "blocked for I/O",
	[TASKRT_STATE_BLOCKED_OTHER] = "blocked in the kernel, uninterruptibly",
	[TASKRT_STATE_SLEEPING_FUTEX] = "asleep in futex(2), for a lock or a condition",
	[TASKRT_STATE_SLEEPING_POLL] = "asleep in poll(2), select(2) or epoll_wait(2)",
	[TASKRT_STATE_SLEEPING_TIMER] = "asleep in nanosleep(2)",
	[TASKRT_STATE_SLEEPING] = "asleep, in read(2), wait(2) or the like",
	[TASKRT_STATE_STOPPED] = "stopped or traced",
};

static void add_lock(struct text *text, const struct taskrt_alert_event *longest)
{
	const struct taskrt_event *event = &longest->event;
	char buffer[HOLDER_MAX];
	const char *holder = event_holder(buffer, event);

	if (!event_has_lock(event)) {
		add(text, ", which one is not known");
		return;
	}
	add(text, " (%s", event_lock_name(event));
	if (longest->caller)
		add(text, " at %s", longest->caller);
	add(text, ")");
	if (holder)
		add(text, " held %s", holder);
	else
		add(text, ", whose holder is not known");
}

/* The whole fault that a wait in one was part of; NULL: it was overwritten. */
static const struct taskrt_event *whole_fault(const struct taskrt_event *part,
					      const struct taskrt_alert *alert)
{
	size_t i;

	for (i = 0; i < alert->nr_events; i++) {
		const struct taskrt_event *event = &alert->events[i].event;

		if (event->what == TASKRT_EVENT_FAULT && event->at_ns <= part->at_ns &&
		    event_end(event) >= event_end(part))
			return event;
	}
	return NULL;
}

static void add_fault(struct text *text, const struct taskrt_event *event,
		      const struct taskrt_alert *alert)
{
	const struct taskrt_event *whole = whole_fault(event, alert);

	if (!event_has_fault(event)) {
		add(text, ", where is not known");
		return;
	}
	add(text, " (");
	if (whole && !(whole->flags & TASKRT_EVENT_PRESENT))
		add(text, "%s, ", whole->flags & TASKRT_EVENT_MAJOR ? "major" : "minor");
	add(text, "%s at 0x%" PRIx64 ")", event->flags & TASKRT_EVENT_FILE ?
	    "a file's page" : "anonymous memory", (uint64_t)event->fault_address);
}

static void add_inside(struct text *text, const struct culprit *culprit,
		       const struct taskrt_alert *alert)
{
	const struct taskrt_alert_event *inside = culprit->inside;
	char time[UNITS_MAX];

	if (!inside)
		return;
	add(text, ", of that %s ", units_time(time, culprit->inside_ns));
	if (inside->event.what == TASKRT_EVENT_FAULT) {
		add(text, "in a page fault");
		add_fault(text, &inside->event, alert);
	} else {
		add(text, "spinning for a kernel lock");
		add_lock(text, inside);
	}
}

static void add_details(struct text *text, const struct culprit *culprit,
			const struct taskrt_alert *alert)
{
	const struct taskrt_event *event = &culprit->longest->event;
	char person[PERSON_MAX];
	const char *waker;

	if (event->what == TASKRT_STATE_BLOCKED_LOCK)
		add_lock(text, culprit->longest);
	else if (event->what == TASKRT_STATE_BLOCKED_FAULT)
		add_fault(text, event, alert);
	else if (event_person(person, event->other_comm, event->other_tid))
		add(text, " while %s had the CPU", person);
	add_inside(text, culprit, alert);
	waker = event_waker(person, event);
	if (waker && event->what >= TASKRT_STATE_BLOCKED_FAULT)
		add(text, ", until %s woke it", waker);
	if (event->flags & TASKRT_EVENT_PRESENT && event->what != TASKRT_STATE_RUNNING)
		add(text, ", and not over yet");
}

static void add_window(struct text *text, const struct culprit *culprit)
{
	const char *share = culprit->ns > culprit->window_ns / 2 ? "most of" :
			    "more than anything else in";
	char time[UNITS_MAX];

	add(text, "%s the last %s: ", share, units_time(time, culprit->window_ns));
}

const char *culprit_text(char buffer[CULPRIT_MAX], const struct culprit *culprit,
			 const struct taskrt_alert *alert)
{
	struct text text = { .bytes = buffer };
	char time[UNITS_MAX];

	buffer[0] = '\0';
	if (!culprit->longest) {
		add(&text, "no event tells why");
		return buffer;
	}
	if (alert->reason == TASKRT_REASON_OVER)
		add(&text, "too long: ");
	else
		add_window(&text, culprit);
	add(&text, "%s %s", units_time(time, culprit->ns), phrases[culprit->longest->event.what]);
	if (culprit->count > 1)
		add(&text, ", in %" PRIu32 " intervals, the longest %s", culprit->count,
		    units_time(time, culprit->longest->event.ns));
	add_details(&text, culprit, alert);
	return buffer;
}
