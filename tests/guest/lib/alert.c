// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "alert.h"
#include "clock.h"
#include "group.h"
#include "tap.h"
#include "window.h"

#define BIT(type)	(1U << (type))
#define IN_EACH		(BIT(TASKRT_ALERT_A_SEQ) | BIT(TASKRT_ALERT_A_TID))
#define IN_FIRST	(IN_EACH | BIT(TASKRT_ALERT_A_LOST) | BIT(TASKRT_ALERT_A_TGID) |	\
			 BIT(TASKRT_ALERT_A_COMM) | BIT(TASKRT_ALERT_A_REASON) |		\
			 BIT(TASKRT_ALERT_A_AT) | BIT(TASKRT_ALERT_A_RECORDED))

void alert_open(struct alert_listener *listener)
{
	int big = 8 << 20, err;

	memset(listener, 0, sizeof(*listener));
	err = raw_open(&listener->raw);
	if (!err)
		err = group_join(&listener->raw);
	if (err)
		tap_bail("group %s: %s", TASKRT_GENL_ALERTS, strerror(-err));
	setsockopt(listener->raw.fd, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof(big));
}

void alert_close(struct alert_listener *listener)
{
	raw_close(&listener->raw);
}

static void promise(struct alert_listener *listener, int kept, const char *what)
{
	if (kept)
		return;
	if (listener->wrong++ < 20)
		tap_diag("alert %llu of %u: %s", (unsigned long long)listener->alert.seq,
			 listener->alert.tid, what);
}

static void copy_text(struct alert_listener *listener, char *to, size_t room, const void *payload,
		      size_t length)
{
	promise(listener, length && !((const char *)payload)[length - 1], "a text without its NUL");
	snprintf(to, room, "%.*s", (int)length, (const char *)payload);
}

static uint64_t number(struct alert_listener *listener, const void *payload, size_t length,
		       size_t wanted)
{
	uint64_t value = 0;

	promise(listener, length == wanted, "a number of another size");
	memcpy(&value, payload, length < sizeof(value) ? length : sizeof(value));
	return value;
}

static void in_event(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct alert_listener *listener = arg;
	struct alert_event *event = &listener->alert.events[listener->alert.nr_events - 1];

	switch (attr->nla_type & NLA_TYPE_MASK) {
	case TASKRT_EVENT_A_EVENT:
		promise(listener, length >= sizeof(event->event), "a short event");
		memcpy(&event->event, payload,
		       length < sizeof(event->event) ? length : sizeof(event->event));
		break;
	case TASKRT_EVENT_A_CALLER:
		copy_text(listener, event->caller, ALERT_TEXT, payload, length);
		break;
	case TASKRT_EVENT_A_FRAME:
		promise(listener, event->nr_frames < TASKRT_FRAMES_MAX, "too many frames");
		if (event->nr_frames < TASKRT_FRAMES_MAX)
			copy_text(listener, event->frames[event->nr_frames++], ALERT_TEXT, payload,
				  length);
	}
}

static void in_alert(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	uint16_t type = attr->nla_type & NLA_TYPE_MASK;
	struct alert_listener *listener = arg;
	struct alert *alert = &listener->alert;

	alert->seen |= BIT(type);
	switch (type) {
	case TASKRT_ALERT_A_LOST:
		alert->lost = number(listener, payload, length, 8);
		break;
	case TASKRT_ALERT_A_TGID:
		alert->tgid = number(listener, payload, length, 4);
		break;
	case TASKRT_ALERT_A_COMM:
		copy_text(listener, alert->comm, sizeof(alert->comm), payload, length);
		break;
	case TASKRT_ALERT_A_REASON:
		alert->reason = number(listener, payload, length, 4);
		break;
	case TASKRT_ALERT_A_TAG:
		copy_text(listener, alert->tag, sizeof(alert->tag), payload, length);
		break;
	case TASKRT_ALERT_A_AT:
		alert->at_ns = number(listener, payload, length, 8);
		break;
	case TASKRT_ALERT_A_BEGIN:
		alert->begin_ns = number(listener, payload, length, 8);
		break;
	case TASKRT_ALERT_A_END:
		alert->said_end_ns = number(listener, payload, length, 8);
		break;
	case TASKRT_ALERT_A_RECORDED:
		alert->recorded = number(listener, payload, length, 8);
		break;
	case TASKRT_ALERT_A_EVENT:
		if (alert->nr_events == sizeof(alert->events) / sizeof(*alert->events)) {
			promise(listener, 0, "more events than there can be");
			break;
		}
		memset(&alert->events[alert->nr_events++], 0, sizeof(*alert->events));
		raw_walk(payload, length, in_event, listener);
	}
}

/* Each message says which alert it belongs to. */
struct key {
	uint64_t seq;
	uint32_t tid;
	int last;
	unsigned int seen;
};

static void in_key(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	uint16_t type = attr->nla_type & NLA_TYPE_MASK;
	struct key *key = arg;

	key->seen |= BIT(type);
	if (type == TASKRT_ALERT_A_SEQ && length == sizeof(key->seq))
		memcpy(&key->seq, payload, length);
	if (type == TASKRT_ALERT_A_TID && length == sizeof(key->tid))
		memcpy(&key->tid, payload, length);
	if (type == TASKRT_ALERT_A_LAST)
		key->last = 1;
}

static int is_known(const struct taskrt_event *event)
{
	if (event->type == TASKRT_EVENT_STATE)
		return taskrt_state_name(event->which) && event->which < TASKRT_STATES_ROOM;
	return event->type == TASKRT_EVENT_TIMER && taskrt_timer_name(event->which);
}

/*
 * Events are ordered by their ends, but for those that several intervals share, and states
 * follow each other without a gap.
 */
static void check_events(struct alert_listener *listener)
{
	const struct alert *alert = &listener->alert;
	const struct taskrt_event *state = NULL;
	uint64_t ended = 0;
	unsigned int i, finished = 0;

	for (i = 0; i < alert->nr_events; i++) {
		const struct taskrt_event *event = &alert->events[i].event;

		promise(listener, is_known(event), "an unknown kind of event");
		promise(listener, event->at_ns + event->ns <= alert->at_ns,
			"it ends later than the alert");
		promise(listener, event->end_ns <= alert->at_ns, "it ends later than the alert");
		promise(listener, event->count || event->at_ns + event->ns >= ended,
			"not in the order of their ends");
		if (!event->count)
			ended = event->at_ns + event->ns;
		finished += !(event->flags & TASKRT_EVENT_PRESENT);
		if (event->type != TASKRT_EVENT_STATE)
			continue;
		promise(listener, !state || state->at_ns + state->ns == event->at_ns,
			"a gap between two states");
		if (state && state->at_ns + state->ns != event->at_ns)
			tap_diag("event %u: %llu after %llu + %llu", i,
				 (unsigned long long)event->at_ns,
				 (unsigned long long)state->at_ns, (unsigned long long)state->ns);
		promise(listener, !state || !(state->flags & TASKRT_EVENT_PRESENT),
			"a state after the present one");
		state = event;
	}
	promise(listener, finished <= alert->recorded, "more events than were recorded");
	promise(listener, !alert->nr_events || state, "no state at all");
}

/* SEQ is the number of alerts delivered before + LOST, also for two alerts in a row. */
static void check_told(struct alert_listener *listener)
{
	uint64_t told = listener->alert.seq - listener->alert.lost;

	if (listener->told && listener->overrun == listener->told_overrun)
		promise(listener, told == listener->told, "SEQ is not delivered + LOST");
	listener->told = told + 1;
	listener->told_overrun = listener->overrun;
}

static void check_whole(struct alert_listener *listener)
{
	const struct alert *alert = &listener->alert;
	unsigned int wrong = listener->wrong;

	promise(listener, (alert->seen & IN_FIRST) == IN_FIRST, "an attribute is missing");
	promise(listener, alert->seq >= listener->next_seq, "SEQ does not grow");
	if (listener->next_seq)
		listener->missed += alert->seq - listener->next_seq;
	listener->next_seq = alert->seq + 1;
	promise(listener, alert->lost <= alert->seq, "more lost than raised");
	check_told(listener);
	check_events(listener);
	if (listener->wrong > wrong)
		alert_print(alert);
}

/* 1: the alert is whole. */
static int take(struct alert_listener *listener, const struct nlmsghdr *nl)
{
	const struct genlmsghdr *genl = NLMSG_DATA(nl);
	const char *attrs = (const char *)genl + GENL_HDRLEN;
	const struct nlattr *nest = (const void *)attrs;
	struct alert *alert = &listener->alert;
	struct key key = { 0 };
	size_t length;

	if (nl->nlmsg_type != listener->raw.family || genl->cmd != TASKRT_CMD_ALERT)
		return 0;
	promise(listener, (nest->nla_type & NLA_TYPE_MASK) == TASKRT_A_ALERT,
		"no ALERT in an ALERT");
	length = nest->nla_len - NLA_HDRLEN;
	raw_walk(attrs + NLA_HDRLEN, length, in_key, &key);
	promise(listener, (key.seen & IN_EACH) == IN_EACH, "a message without SEQ or TID");
	if (!listener->begun || key.seq != alert->seq) {
		promise(listener, !listener->begun, "an alert without its last message");
		memset(alert, 0, offsetof(struct alert, events));
		listener->begun = 1;
	}
	alert->seq = key.seq;
	alert->tid = key.tid;
	alert->messages++;
	raw_walk(attrs + NLA_HDRLEN, length, in_alert, listener);
	if (!key.last)
		return 0;
	listener->begun = 0;
	listener->received++;
	return 1;
}

static const struct nlmsghdr *message(struct alert_listener *listener, int ms)
{
	struct pollfd ready = { .fd = listener->raw.fd, .events = POLLIN };
	const struct nlmsghdr *nl;
	ssize_t n;

	while (listener->offset >= listener->length) {
		if (poll(&ready, 1, ms) < 1)
			return NULL;
		n = recv(listener->raw.fd, listener->buffer, sizeof(listener->buffer),
			 MSG_DONTWAIT);
		listener->overrun += n < 0 && errno == ENOBUFS;
		listener->offset = 0;
		listener->length = n > 0 ? n : 0;
		if (n < 0 && errno == ENOBUFS)
			listener->begun = 0;
	}
	nl = (const void *)(listener->buffer + listener->offset);
	if (!NLMSG_OK(nl, listener->length - listener->offset)) {
		promise(listener, 0, "a cut message");
		listener->offset = listener->length;
		return NULL;
	}
	listener->offset += NLMSG_ALIGN(nl->nlmsg_len);
	return nl;
}

const struct alert *alert_next(struct alert_listener *listener, int ms)
{
	const struct nlmsghdr *nl;

	while ((nl = message(listener, ms)))
		if (take(listener, nl)) {
			check_whole(listener);
			return &listener->alert;
		}
	return NULL;
}

const struct alert *alert_of(struct alert_listener *listener, uint32_t tid)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;
	const struct alert *alert;

	while (clock_now() < end) {
		alert = alert_next(listener, CLOCK_PATIENCE_MS);
		if (alert && alert->tid == tid)
			return alert;
	}
	return NULL;
}

void alert_drain(struct alert_listener *listener)
{
	while (alert_next(listener, 0))
		;
}

const struct alert_event *alert_longest(const struct alert *alert, uint32_t kind)
{
	const struct alert_event *longest = NULL;
	unsigned int i;

	for (i = 0; i < alert->nr_events; i++)
		if (alert_kind(&alert->events[i].event) == kind &&
		    (!longest || alert->events[i].event.ns > longest->event.ns))
			longest = &alert->events[i];
	return longest;
}

const char *alert_kind_name(uint32_t kind)
{
	const char *name = kind >> 16 == TASKRT_EVENT_STATE ? taskrt_state_name(kind) :
			   taskrt_timer_name(kind & 0xffff);

	return name ?: "?";
}

static void print_event(const struct alert_event *all)
{
	const struct taskrt_event *event = &all->event;
	unsigned int i;

	tap_diag("  %llu +%llu %s cpu %u flags %#x lock %u object %#llx address %#llx"
		 " owner %u %.16s waker %u %.16s other %u %.16s caller %s",
		 (unsigned long long)event->at_ns, (unsigned long long)event->ns,
		 alert_kind_name(alert_kind(event)), event->cpu, event->flags, event->kind,
		 (unsigned long long)event->object, (unsigned long long)event->address,
		 event->owner_tid, event->owner_comm, event->waker_tid, event->waker_comm,
		 event->other_tid, event->other_comm, all->caller);
	for (i = 0; i < all->nr_frames; i++)
		tap_diag("      %s", all->frames[i]);
}

int alert_leads_to(const struct alert_event *event, const char *where)
{
	unsigned int i;

	for (i = 0; i < event->nr_frames; i++)
		if (strstr(event->frames[i], where))
			return 1;
	return 0;
}

void alert_print(const struct alert *alert)
{
	unsigned int i = alert->nr_events > 40 ? alert->nr_events - 40 : 0;

	tap_diag("alert %llu, lost %llu: tid %u tgid %u %s reason %u tag \"%s\" at %llu"
		 " recorded %llu, %u events in %u messages", (unsigned long long)alert->seq,
		 (unsigned long long)alert->lost, alert->tid, alert->tgid, alert->comm,
		 alert->reason, alert->tag, (unsigned long long)alert->at_ns,
		 (unsigned long long)alert->recorded, alert->nr_events, alert->messages);
	for (; i < alert->nr_events; i++)
		print_event(&alert->events[i]);
}
