// SPDX-License-Identifier: GPL-2.0-only
/* An alert as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/names.h"
#include "watch/json_alert.h"

static struct json_object *person(const char comm[16], uint32_t tid)
{
	struct json_object *object;

	if (!tid && !*comm)
		return NULL;
	object = json_new_object();
	json_put(object, "tid", json_new_number(tid));
	json_put(object, "comm", json_text(comm, 16));
	return object;
}

static struct json_object *frames(const struct taskrt_alert_event *item)
{
	struct json_object *array = json_new_array();
	size_t i;

	for (i = 0; i < item->nr_frames; i++)
		json_append(array, json_string(item->frames[i]));
	return array;
}

static struct json_object *flag_if(int known, const struct taskrt_event *event, uint32_t flag)
{
	return known ? json_new_bool(!!(event->flags & flag)) : NULL;
}

/* Of 64 bits, of which a double, as which many read numbers, keeps 53. */
static struct json_object *id(uint64_t id)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, id);
	return json_string(text);
}

static void put_lock(struct json_object *object, const struct taskrt_alert_event *item)
{
	const struct taskrt_event *event = &item->event;
	int about = event_has_lock(event);

	json_put(object, "lock", about ? json_string(event_lock_name(event)) : NULL);
	json_put(object, "lock_id", about ? id(event->object) : NULL);
	json_put(object, "caller", json_string(item->caller));
	json_put(object, "owner", person(event->owner_comm, event->owner_tid));
	json_put(object, "reader", flag_if(about, event, TASKRT_EVENT_READER));
}

/* Whether it was a major one is known of a whole one. */
static void put_fault(struct json_object *object, const struct taskrt_event *event)
{
	int whole = event_is_whole(event, TASKRT_TIMER_FAULT) &&
		    !(event->flags & TASKRT_EVENT_PRESENT);
	int about = event_has_fault(event);

	json_put(object, "fault_address", about ? json_new_number(event->address) : NULL);
	json_put(object, "major", flag_if(whole, event, TASKRT_EVENT_MAJOR));
	json_put(object, "write", flag_if(about, event, TASKRT_EVENT_WRITE));
	json_put(object, "file", flag_if(about, event, TASKRT_EVENT_FILE));
}

static struct json_object *event(const struct taskrt_alert_event *item)
{
	struct json_object *object = json_new_object();
	const struct taskrt_event *event = &item->event;
	char name[SYSCALL_MAX];

	json_put(object, "what", json_string(event_name(event)));
	json_put(object, "at_ns", json_new_number(event->at_ns));
	json_put(object, "ns", json_new_number(event->ns));
	json_put(object, "count", json_new_number(event_count(event)));
	json_put(object, "longest_ns", json_new_number(event_longest(event)));
	json_put(object, "end_ns", json_new_number(event_end(event)));
	json_put(object, "cpu", json_new_number(event->cpu));
	json_put(object, "present", json_new_bool(!!(event->flags & TASKRT_EVENT_PRESENT)));
	json_put(object, "early", json_new_bool(event_is_early(event)));
	json_put(object, "syscall", json_string(event_syscall(name, event)));
	put_lock(object, item);
	put_fault(object, event);
	json_put(object, "futex_address",
		 event_has_futex(event) ? json_new_number(event->futex) : NULL);
	json_put(object, "futex_op", json_string(event_futex_op(event)));
	json_put(object, "other", person(event->other_comm, event->other_tid));
	json_put(object, "other_ns", event->other_ns ? json_new_number(event->other_ns) : NULL);
	json_put(object, "slack_ns", event->slack_ns ? json_new_number(event->slack_ns) : NULL);
	json_put(object, "waker", person(event->waker_comm, event->waker_tid));
	json_put(object, "interrupt", json_new_bool(!!(event->flags & TASKRT_EVENT_INTERRUPT)));
	json_put(object, "stack", frames(item));
	return object;
}

static void put_events(struct json_object *object, const struct record *record)
{
	const struct taskrt_alert_event **order = event_order(record);
	struct json_object *events = json_new_array();
	size_t i;

	for (i = 0; i < record->alert.nr_events; i++)
		json_append(events, event(order[i]));
	free(order);
	json_put(object, "events", events);
}

static const char *share_name(uint32_t share)
{
	return share == SHARE_OF_FAULTS ? names_of(TASKRT_NAME_TIMER, TASKRT_TIMER_FAULT_CPU) :
	       names_state(share);
}

/* By name, in ns; those that are 0 are left out. */
static struct json_object *shares(const struct culprit *culprit)
{
	struct json_object *object = json_new_object();
	uint32_t i;

	for (i = 0; i < SHARES; i++)
		if (culprit->shares_ns[i])
			json_put(object, share_name(i), json_new_number(culprit->shares_ns[i]));
	return object;
}

static struct json_object *occupant(const struct occupant *occupant)
{
	struct json_object *object = person(occupant->comm, occupant->tid);

	if (object)
		json_put(object, "ns", occupant->ns ? json_new_number(occupant->ns) : NULL);
	return object;
}

/* The same as the summary, to compute with. */
static struct json_object *most(const struct culprit *culprit)
{
	int faults = culprit->most == SHARE_OF_FAULTS;
	struct json_object *object;

	if (!culprit->longest)
		return NULL;
	object = json_new_object();
	json_put(object, "what", json_string(share_name(culprit->most)));
	json_put(object, "ns", json_new_number(faults ? culprit->shares_ns[culprit->most] :
					       culprit->ns));
	json_put(object, "count", json_new_number(faults ? culprit->faults : culprit->count));
	json_put(object, "window_ns", json_new_number(culprit->window_ns));
	json_put(object, "cycle_ns", culprit->cycle_ns ? json_new_number(culprit->cycle_ns) : NULL);
	json_put(object, "shares", shares(culprit));
	json_put(object, "occupant", occupant(&culprit->occupant));
	json_put(object, "inside", culprit->inside ? event(culprit->inside) : NULL);
	json_put(object, "inside_ns", culprit->inside ?
		 json_new_number(culprit->inside_ns) : NULL);
	json_put(object, "longest", event(culprit->longest));
	return object;
}

struct json_object *json_alert(const struct record *record, const struct summary *summary)
{
	const struct taskrt_alert *alert = &record->alert;
	struct json_object *object = json_new_object();

	json_put(object, "seq", json_new_number(alert->seq));
	json_put(object, "missed", json_new_number(alert->gap));
	json_put(object, "lost", json_new_number(alert->lost));
	json_put(object, "tid", json_new_number((uint64_t)alert->tid));
	json_put(object, "tgid", json_new_number((uint64_t)alert->tgid));
	json_put(object, "comm", json_text(alert->comm, sizeof(alert->comm)));
	json_put(object, "reason", json_string(event_reason(alert)));
	json_put(object, "tag", *alert->tag ? json_text(alert->tag, sizeof(alert->tag)) : NULL);
	json_put(object, "begin_ns", alert->begin_ns ? json_new_number(alert->begin_ns) : NULL);
	json_put(object, "end_ns", alert->end_ns ? json_new_number(alert->end_ns) : NULL);
	json_put(object, "at_ns", json_new_number(alert->at_ns));
	json_put(object, "recorded", json_new_number(alert->recorded));
	put_events(object, record);
	json_put(object, "most", most(&summary->culprit));
	json_put(object, "summary", json_string(summary->text));
	return object;
}

struct json_object *json_wait(const struct armed_thread *thread, const char *text)
{
	const struct waiting *waiting = &thread->waiting;
	struct json_object *object = json_new_object();

	json_put(object, "tid", json_new_number((uint64_t)thread->tid));
	json_put(object, "tgid", json_new_number((uint64_t)thread->tgid));
	json_put(object, "comm", json_text(thread->comm, sizeof(thread->comm)));
	json_put(object, "reason", json_string("waiting"));
	json_put(object, "what", json_string(names_state(waiting->state)));
	json_put(object, "since_ns", json_new_number(waiting->since_ns));
	json_put(object, "ns", json_new_number(waiting->now_ns - waiting->since_ns));
	json_put(object, "summary", json_string(text));
	return object;
}
