// SPDX-License-Identifier: GPL-2.0-only
/* An alert with its events, which are what the armed thread went through. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/futex.h>
#include <seccomp.h>

#include "common/memory.h"
#include "common/names.h"
#include "common/state.h"
#include "common/text.h"
#include "watch/event.h"

/* In the headers from Linux 5.14 on, and not in Debian 11. */
#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2	13
#endif

static void make_room(struct record *record)
{
	size_t needed = record->alert.nr_events;

	if (needed <= record->nr_room)
		return;
	record->room = memory_resize(record->room, needed, sizeof(*record->room));
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

const char *event_reason(const struct taskrt_alert *alert)
{
	static char numbered[24];
	const char *name = taskrt_reason_name(alert->reason);

	if (name)
		return name;
	snprintf(numbered, sizeof(numbered), "reason%" PRIu32, alert->reason);
	return numbered;
}

const char *event_name(const struct taskrt_event *event)
{
	static char numbered[16];

	switch (event->type) {
	case TASKRT_EVENT_STATE:
		return names_state(event->which);
	case TASKRT_EVENT_TIMER:
		return names_of(TASKRT_NAME_TIMER, event->which);
	default:
		snprintf(numbered, sizeof(numbered), "type%u", event->type);
		return numbered;
	}
}

int event_is_caused(const struct taskrt_event *event, unsigned int state)
{
	return event_is_state(event) && state_cause(event->which) == state;
}

const char *event_futex_op(const struct taskrt_event *event)
{
	static const char * const names[] = {
		[FUTEX_WAIT] = "wait",
		[FUTEX_LOCK_PI] = "lock_pi",
		[FUTEX_WAIT_BITSET] = "wait_bitset",
		[FUTEX_WAIT_REQUEUE_PI] = "wait_requeue_pi",
		[FUTEX_LOCK_PI2] = "lock_pi2",
	};

	if (!(event->flags & TASKRT_EVENT_FUTEX_OP) ||
	    event->futex_op >= sizeof(names) / sizeof(*names))
		return NULL;
	return names[event->futex_op];
}

const char *event_syscall(char text[SYSCALL_MAX], const struct taskrt_event *event)
{
	char *name;

	if (!(event->flags & TASKRT_EVENT_SYSCALL))
		return NULL;
	name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)event->syscall);
	if (name)
		snprintf(text, SYSCALL_MAX, "%s", name);
	else
		snprintf(text, SYSCALL_MAX, "%u", event->syscall);
	free(name);
	return text;
}

const char *event_lock_name(const struct taskrt_event *event)
{
	return names_of(TASKRT_NAME_LOCK, event->kind);
}

const char *event_person(char text[PERSON_MAX], const char comm[16], uint32_t tid)
{
	char safe[PERSON_MAX - sizeof(" (4294967295)") + 1];

	if (!tid && !*comm)
		return NULL;
	text_utf8(safe, sizeof(safe), comm, 16);
	snprintf(text, PERSON_MAX, "%s (%u)", safe, tid);
	return text;
}

const char *event_holder(char text[HOLDER_MAX], const struct taskrt_event *event)
{
	int reader = event->flags & TASKRT_EVENT_READER;
	char person[PERSON_MAX];

	if (event_person(person, event->owner_comm, event->owner_tid))
		snprintf(text, HOLDER_MAX, "%s %s", reader ? "for reading, last by" : "by", person);
	else if (reader)
		snprintf(text, HOLDER_MAX, "for reading");
	else
		return NULL;
	return text;
}

const char *event_waker(char text[PERSON_MAX], const struct taskrt_event *event)
{
	return event_person(text, event->waker_comm, event->waker_tid);
}

uint64_t event_end(const struct taskrt_event *event)
{
	uint64_t end_ns = event->at_ns + event->ns;

	return event->count && event->end_ns > end_ns ? event->end_ns : end_ns;
}

uint64_t event_part(const struct taskrt_event *event, uint64_t since, uint64_t until)
{
	uint64_t begin = event->at_ns > since ? event->at_ns : since;
	uint64_t end = event_end(event) < until ? event_end(event) : until;
	uint64_t whole = event_end(event) - event->at_ns;

	if (end <= begin)
		return 0;
	if (end - begin == whole)
		return event->ns;
	return (uint64_t)((double)event->ns * (double)(end - begin) / (double)whole);
}

#define SLACK_LEAST	20	/* a twentieth of the wait */

uint64_t event_slack(const struct taskrt_event *event)
{
	return event->slack_ns >= event->ns / SLACK_LEAST ? event->slack_ns : 0;
}

static int compare(const void *first, const void *second)
{
	const struct taskrt_alert_event *a = *(const struct taskrt_alert_event * const *)first;
	const struct taskrt_alert_event *b = *(const struct taskrt_alert_event * const *)second;

	if (a->event.at_ns != b->event.at_ns)
		return a->event.at_ns < b->event.at_ns ? -1 : 1;
	if (event_is_state(&a->event) != event_is_state(&b->event))
		return event_is_state(&a->event) ? 1 : -1;
	if (a->event.ns != b->event.ns)
		return a->event.ns > b->event.ns ? -1 : 1;
	return a < b ? -1 : a > b;
}

const struct taskrt_alert_event **event_order(const struct record *record)
{
	const struct taskrt_alert_event **order;
	size_t i;

	if (!record->alert.nr_events)
		return NULL;
	order = memory_new(record->alert.nr_events, sizeof(*order));
	for (i = 0; i < record->alert.nr_events; i++)
		order[i] = &record->events[i];
	qsort(order, record->alert.nr_events, sizeof(*order), compare);
	return order;
}
