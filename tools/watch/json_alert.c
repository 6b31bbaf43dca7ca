// SPDX-License-Identifier: GPL-2.0-only
/* An alert as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/names.h"
#include "watch/view.h"

/* Return: 0: null, because the thread is not known; 1: an object, which the caller ends. */
static int start_person(struct json *json, const char *name, const char comm[16], uint32_t tid)
{
	if (!tid && !*comm) {
		json_null(json, name);
		return 0;
	}
	json_object(json, name);
	json_number(json, "tid", tid);
	json_text(json, "comm", comm, 16);
	return 1;
}

static void put_person(struct json *json, const char *name, const char comm[16], uint32_t tid)
{
	if (start_person(json, name, comm, tid))
		json_end(json);
}

static void put_frames(struct json *json, const struct taskrt_alert_event *item)
{
	size_t i;

	json_array(json, "stack");
	for (i = 0; i < item->nr_frames; i++)
		json_string(json, NULL, item->frames[i]);
	json_end(json);
}

/* As a string: many programs read a number as a double, which keeps 53 of its 64 bits. */
static void put_id(struct json *json, const char *name, uint64_t id)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, id);
	json_string(json, name, text);
}

static void put_lock(struct json *json, const struct taskrt_alert_event *item)
{
	const struct taskrt_event *event = &item->event;
	int about = event_has_lock(event);

	json_string(json, "lock", about ? event_lock_name(event) : NULL);
	if (about)
		put_id(json, "lock_id", event->object);
	else
		json_null(json, "lock_id");
	json_string(json, "caller", item->caller);
	put_person(json, "owner", event->owner_comm, event->owner_tid);
	json_bool_if(json, "reader", about, event->flags & TASKRT_EVENT_READER);
}

/* Only a whole fault is known to be major or minor. */
static void put_fault(struct json *json, const struct taskrt_event *event)
{
	int whole = event_is_whole(event, TASKRT_TIMER_FAULT) &&
		    !(event->flags & TASKRT_EVENT_PRESENT);
	int about = event_has_fault(event);

	json_number_if(json, "fault_address", about, event->address);
	json_bool_if(json, "major", whole, event->flags & TASKRT_EVENT_MAJOR);
	json_bool_if(json, "write", about, event->flags & TASKRT_EVENT_WRITE);
	json_bool_if(json, "file", about, event->flags & TASKRT_EVENT_FILE);
}

static void put_event(struct json *json, const char *name, const struct taskrt_alert_event *item)
{
	const struct taskrt_event *event = &item->event;
	char syscall[SYSCALL_MAX];

	json_object(json, name);
	json_string(json, "what", event_name(event));
	json_number(json, "at_ns", event->at_ns);
	json_number(json, "ns", event->ns);
	json_number(json, "count", event_count(event));
	json_number(json, "longest_ns", event_longest(event));
	json_number(json, "end_ns", event_end(event));
	json_number(json, "cpu", event->cpu);
	json_bool(json, "present", event->flags & TASKRT_EVENT_PRESENT);
	json_bool(json, "early", event_is_early(event));
	json_string(json, "syscall", event_syscall(syscall, event));
	put_lock(json, item);
	put_fault(json, event);
	json_number_if(json, "futex_address", event_has_futex(event), event->futex);
	json_string(json, "futex_op", event_futex_op(event));
	put_person(json, "other", event->other_comm, event->other_tid);
	json_number_if(json, "other_ns", event->other_ns, event->other_ns);
	json_number_if(json, "slack_ns", event->slack_ns, event->slack_ns);
	put_person(json, "waker", event->waker_comm, event->waker_tid);
	json_bool(json, "interrupt", event->flags & TASKRT_EVENT_INTERRUPT);
	put_frames(json, item);
	json_end(json);
}

static void put_events(struct json *json, const struct record *record)
{
	const struct taskrt_alert_event **order = event_order(record);
	size_t i;

	json_array(json, "events");
	for (i = 0; i < record->alert.nr_events; i++)
		put_event(json, NULL, order[i]);
	json_end(json);
	free(order);
}

static const char *share_name(uint32_t share)
{
	return share == SHARE_OF_FAULTS ? names_of(TASKRT_NAME_TIMER, TASKRT_TIMER_FAULT_CPU) :
	       names_state(share);
}

/* By name, in ns; 0 is left out. */
static void put_shares(struct json *json, const struct culprit *culprit)
{
	uint32_t i;

	json_object(json, "shares");
	for (i = 0; i < SHARES; i++)
		if (culprit->shares_ns[i])
			json_number(json, share_name(i), culprit->shares_ns[i]);
	json_end(json);
}

static void put_occupant(struct json *json, const struct occupant *occupant)
{
	if (!start_person(json, "occupant", occupant->comm, occupant->tid))
		return;
	json_number_if(json, "ns", occupant->ns, occupant->ns);
	json_end(json);
}

/* The summary as values. */
static void put_most(struct json *json, const struct culprit *culprit)
{
	int faults = culprit->most == SHARE_OF_FAULTS;

	if (!culprit->longest) {
		json_null(json, "most");
		return;
	}
	json_object(json, "most");
	json_string(json, "what", share_name(culprit->most));
	json_number(json, "ns", faults ? culprit->shares_ns[culprit->most] : culprit->ns);
	json_number(json, "count", faults ? culprit->faults : culprit->count);
	json_number(json, "window_ns", culprit->window_ns);
	json_number_if(json, "cycle_ns", culprit->cycle_ns, culprit->cycle_ns);
	put_shares(json, culprit);
	put_occupant(json, &culprit->occupant);
	if (culprit->inside)
		put_event(json, "inside", culprit->inside);
	else
		json_null(json, "inside");
	json_number_if(json, "inside_ns", culprit->inside, culprit->inside_ns);
	put_event(json, "longest", culprit->longest);
	json_end(json);
}

void json_alert(struct json *json, const struct record *record, const struct summary *summary)
{
	const struct taskrt_alert *alert = &record->alert;

	json_object(json, NULL);
	json_number(json, "seq", alert->seq);
	json_number(json, "missed", alert->gap);
	json_number(json, "lost", alert->lost);
	json_number(json, "tid", (uint64_t)alert->tid);
	json_number(json, "tgid", (uint64_t)alert->tgid);
	json_text(json, "comm", alert->comm, sizeof(alert->comm));
	json_string(json, "reason", event_reason(alert));
	json_text(json, "tag", *alert->tag ? alert->tag : NULL, sizeof(alert->tag));
	json_number_if(json, "begin_ns", alert->begin_ns, alert->begin_ns);
	json_number_if(json, "end_ns", alert->end_ns, alert->end_ns);
	json_number(json, "at_ns", alert->at_ns);
	json_number(json, "recorded", alert->recorded);
	put_events(json, record);
	put_most(json, &summary->culprit);
	json_string(json, "summary", summary->text);
	json_end(json);
}

void json_wait(struct json *json, const struct armed_thread *thread, const char *text)
{
	const struct waiting *waiting = &thread->waiting;

	json_object(json, NULL);
	json_number(json, "tid", (uint64_t)thread->tid);
	json_number(json, "tgid", (uint64_t)thread->tgid);
	json_text(json, "comm", thread->comm, sizeof(thread->comm));
	json_string(json, "reason", "waiting");
	json_string(json, "what", names_state(waiting->state));
	json_number(json, "since_ns", waiting->since_ns);
	json_number(json, "ns", waiting->now_ns - waiting->since_ns);
	json_string(json, "summary", text);
	json_end(json);
}
