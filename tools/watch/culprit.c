// SPDX-License-Identifier: GPL-2.0-only
/*
 * What most of the time before an alert went to, and what is to blame.
 *
 * The recorder may reach back over many periods of the thread, but only the last one was late.  So
 * the window starts after the last usual wait, which is the kind of sleep that the thread had most
 * often.  A sleep that it had only once may be what made it late.
 */
#include <string.h>

#include "common/state.h"
#include "watch/culprit.h"

static int is_sleep(const struct taskrt_event *event)
{
	return event_is_state(event) && state_share(event->which) == SHARE_SLEEP &&
	       !event_is_caused(event, TASKRT_STATE_STOPPED);
}

/* A condition of glibc alternates between two adjacent words. */
#define SAME_FUTEX	8

static int is_waited_on_again(const struct record *record, const struct taskrt_event *wait)
{
	for_each_event(item, record) {
		const struct taskrt_event *event = &item->event;

		if (event != wait && event_has_futex(event) &&
		    event->futex - wait->futex + SAME_FUTEX <= 2 * SAME_FUTEX)
			return 1;
	}
	return 0;
}

/*
 * A thread that waits for a held lock does not wait for its next period.  Probably neither does one
 * that waits at an address only once.
 */
static int may_be_usual(const struct record *record, const struct taskrt_event *event)
{
	return is_sleep(event) && !event->owner_tid &&
	       (!event_has_futex(event) || is_waited_on_again(record, event));
}

/* The last wait of the most frequent kind; NULL: no kind came twice. */
static const struct taskrt_alert_event *usual_wait(const struct record *record)
{
	unsigned int counts[TASKRT_STATES_ROOM] = { 0 }, most = 1;
	const struct taskrt_alert_event *last = NULL;
	size_t i;

	for_each_event(item, record)
		if (may_be_usual(record, &item->event))
			counts[item->event.which]++;
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		if (counts[i] > most)
			most = counts[i];
	for_each_event(item, record) {
		const struct taskrt_event *event = &item->event;

		/* counts[] is indexed by state, so other events must be left out first. */
		if (most > 1 && may_be_usual(record, event) && counts[event->which] == most &&
		    (!last || event->at_ns > last->event.at_ns))
			last = item;
	}
	return last;
}

static uint64_t oldest(const struct record *record)
{
	uint64_t at_ns = record->alert.at_ns;

	for_each_event(item, record)
		if (item->event.at_ns < at_ns)
			at_ns = item->event.at_ns;
	return at_ns;
}

/* The interval that raised the alert is the last one that has ended. */
static const struct taskrt_alert_event *that_raised(const struct record *record)
{
	const struct taskrt_alert_event *last = NULL;

	for_each_event(item, record) {
		const struct taskrt_event *event = &item->event;

		if (event_is_state(event) &&
		    (!last || event_end(event) >= event_end(&last->event)))
			last = item;
	}
	return last;
}

static uint64_t part(const struct taskrt_event *event, const struct culprit *culprit)
{
	return event_part(event, culprit->since_ns, culprit->until_ns);
}

/* How long the thread ran in the fault, as far as the window includes it. */
static uint64_t running_in(const struct taskrt_event *whole, const struct record *record,
			   const struct culprit *culprit)
{
	uint64_t since = whole->at_ns > culprit->since_ns ? whole->at_ns : culprit->since_ns;
	uint64_t until = event_end(whole), ns = 0;

	/* It did not leave the CPU between the first and the last of these faults. */
	if (whole->count)
		return part(whole, culprit);
	if (until > culprit->until_ns)
		until = culprit->until_ns;
	for_each_event(item, record)
		if (event_is_in(&item->event, TASKRT_STATE_RUNNING))
			ns += event_part(&item->event, since, until);
	return ns;
}

static void add_faults(struct culprit *culprit, const struct record *record)
{
	uint64_t ns, *running = &culprit->shares_ns[TASKRT_STATE_RUNNING];

	for_each_event(item, record) {
		const struct taskrt_event *event = &item->event;

		if (!event_is_whole(event, TASKRT_TIMER_FAULT))
			continue;
		ns = running_in(event, record, culprit);
		if (!ns)
			continue;
		culprit->faults += event_count(event);
		if (event_longest(event) > culprit->longest_fault_ns)
			culprit->longest_fault_ns = event_longest(event);
		if (ns > *running)
			ns = *running;
		*running -= ns;
		culprit->shares_ns[SHARE_OF_FAULTS] += ns;
	}
}

/* As in the explanation of a window: faults are separate only if the cycle is known. */
static void set_shares(struct culprit *culprit, const struct record *record)
{
	uint64_t *shares = culprit->shares_ns;
	uint32_t i;

	for_each_event(item, record)
		if (event_is_state(&item->event))
			shares[item->event.which] += part(&item->event, culprit);
	if (culprit->cycle_ns)
		add_faults(culprit, record);
	for (i = 0; i < SHARES; i++)
		if (shares[i] && (culprit->most == TASKRT_NONE ||
				  shares[i] > shares[culprit->most]))
			culprit->most = i;
}

/* Sum all intervals of this state, and find the longest. */
static void add_up(struct culprit *culprit, const struct record *record, uint32_t state)
{
	for_each_event(item, record) {
		uint64_t ns = part(&item->event, culprit);

		if (!event_is_in(&item->event, state) || !ns)
			continue;
		culprit->ns += ns;
		culprit->count++;
		if (ns > culprit->longest_ns) {
			culprit->longest_ns = ns;
			culprit->longest = item;
		}
	}
}

/* A fault that only computes, or a lock that is waited for without sleeping. */
static void look_inside(struct culprit *culprit, const struct record *record)
{
	if (!event_is_in(&culprit->longest->event, TASKRT_STATE_RUNNING) || culprit->faults)
		return;
	for_each_event(item, record) {
		const struct taskrt_event *event = &item->event;
		uint64_t ns = 0;

		if (event->type == TASKRT_EVENT_TIMER)
			ns = running_in(event, record, culprit);
		if (ns <= culprit->ns / 2 || ns < culprit->inside_ns)
			continue;
		culprit->inside = item;
		culprit->inside_ns = ns;
	}
}

/* How long a task had the CPU that the thread waited for, in all intervals of the thread. */
static uint64_t had_cpu(const struct culprit *culprit, const struct record *record, uint32_t tid)
{
	uint64_t ns = 0;

	for_each_event(item, record) {
		const struct taskrt_event *event = &item->event;
		uint64_t most = part(event, culprit);

		if (event_is_in(event, culprit->longest->event.which) && event->other_tid == tid)
			ns += event->other_ns < most ? event->other_ns : most;
	}
	return ns;
}

/* The task with the most time; if no time is known, the task of the longest interval. */
static void find_occupant(struct culprit *culprit, const struct record *record)
{
	const struct taskrt_event *longest = &culprit->longest->event;
	struct occupant *occupant = &culprit->occupant;

	occupant->tid = longest->other_tid;
	occupant->ns = had_cpu(culprit, record, longest->other_tid);
	memcpy(occupant->comm, longest->other_comm, sizeof(occupant->comm));
	for_each_event(item, record) {
		const struct taskrt_event *event = &item->event;
		uint64_t ns;

		if (!event_is_in(event, longest->which) || !event->other_tid)
			continue;
		ns = had_cpu(culprit, record, event->other_tid);
		if (ns <= occupant->ns)
			continue;
		occupant->tid = event->other_tid;
		occupant->ns = ns;
		memcpy(occupant->comm, event->other_comm, sizeof(occupant->comm));
	}
}

static void find_that_raised(struct culprit *culprit, const struct record *record)
{
	culprit->longest = that_raised(record);
	if (!culprit->longest)
		return;
	culprit->count = 1;
	culprit->ns = culprit->longest->event.ns;
	culprit->longest_ns = culprit->ns;
	culprit->most = culprit->longest->event.which;
	culprit->since_ns = culprit->longest->event.at_ns;
	culprit->until_ns = event_end(&culprit->longest->event);
}

static void find(struct culprit *culprit, const struct record *record)
{
	/* It was not late. */
	if (record->alert.reason == TASKRT_REASON_DISARMED)
		return;
	if (record->alert.reason == TASKRT_REASON_OVER) {
		find_that_raised(culprit, record);
	} else {
		set_shares(culprit, record);
		if (culprit->most != TASKRT_NONE)
			add_up(culprit, record, culprit->most == SHARE_OF_FAULTS ?
			       TASKRT_STATE_RUNNING : culprit->most);
	}
	if (!culprit->longest)
		return;
	look_inside(culprit, record);
	find_occupant(culprit, record);
}

/* The cycle that the thread has reported, if it is plausible. */
static uint64_t said_cycle(const struct taskrt_alert *alert, uint64_t *until_ns)
{
	if (alert->end_ns > alert->begin_ns && alert->end_ns < alert->at_ns)
		*until_ns = alert->end_ns;
	return alert->begin_ns && alert->begin_ns < *until_ns ? *until_ns - alert->begin_ns : 0;
}

void culprit_find(struct culprit *culprit, const struct record *record, uint64_t window_ns)
{
	const struct taskrt_alert_event *wait = usual_wait(record);
	uint64_t since = oldest(record), until = record->alert.at_ns;

	memset(culprit, 0, sizeof(*culprit));
	culprit->usual = wait ? wait->event.which : TASKRT_NONE;
	culprit->most = TASKRT_NONE;
	if (!window_ns)
		culprit->cycle_ns = said_cycle(&record->alert, &until);
	if (window_ns && until - since > window_ns)
		since = until - window_ns;
	else if (culprit->cycle_ns)
		since = since > record->alert.begin_ns ? since : record->alert.begin_ns;
	else if (!window_ns && wait && event_end(&wait->event) < until)
		since = event_end(&wait->event);
	culprit->since_ns = since;
	culprit->until_ns = until;
	culprit->window_ns = until > since ? until - since : 0;
	find(culprit, record);
}
