// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One alert, which may span several messages with some events each.  The messages are
 * copied.  When all are there, events and frames are counted and read into arrays of
 * that length, whose strings point into the copies.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/netlink.h>

#include "internal.h"
#include "netlink/alert.h"
#include "netlink/attribute.h"
#include "sized.h"

struct taskrt_alert_part {
	struct taskrt_alert_part *next;
	_Alignas(8) char bytes[];
};

/* The nest that follows the header of generic netlink. */
static int open_alert(const struct nlmsghdr *header, struct taskrt_attributes *attrs)
{
	const struct nlattr *nest = taskrt_attribute_find(taskrt_attributes_of(header),
							  TASKRT_A_ALERT);

	if (!nest)
		return -EBADMSG;
	*attrs = taskrt_attributes_in(nest);
	return 0;
}

static int alert_read_u64(const struct nlattr *attr, uint64_t *value)
{
	if (taskrt_attribute_length(attr) != sizeof(*value))
		return -EBADMSG;
	memcpy(value, taskrt_attribute_data(attr), sizeof(*value));
	return 0;
}

static int alert_read_u32(const struct nlattr *attr, void *value)
{
	if (taskrt_attribute_length(attr) != sizeof(uint32_t))
		return -EBADMSG;
	memcpy(value, taskrt_attribute_data(attr), sizeof(uint32_t));
	return 0;
}

/* Return: the string in the attribute; NULL: it is not terminated. */
static const char *alert_text(const struct nlattr *attr)
{
	const char *chars = taskrt_attribute_data(attr);
	const size_t length = taskrt_attribute_length(attr);

	return length && !chars[length - 1] ? chars : NULL;
}

static int alert_read_text(const struct nlattr *attr, char *to, size_t size)
{
	const char *from = alert_text(attr);
	size_t length;

	if (!from)
		return -EBADMSG;
	length = strnlen(from, size - 1);
	memset(to, 0, size);
	memcpy(to, from, length);
	return 0;
}

int taskrt_alert_place(const struct nlmsghdr *header, struct taskrt_alert_place *place)
{
	const struct nlattr *attr;
	struct taskrt_attributes attrs;
	bool numbered = false;

	memset(place, 0, sizeof(*place));
	if (open_alert(header, &attrs))
		return -EBADMSG;
	while ((attr = taskrt_attribute_next(&attrs))) {
		switch (taskrt_attribute_type(attr)) {
		case TASKRT_ALERT_A_SEQ:
			numbered = !alert_read_u64(attr, &place->seq);
			break;
		case TASKRT_ALERT_A_AT:
			place->first = true;
			break;
		case TASKRT_ALERT_A_LAST:
			place->last = true;
			break;
		}
	}
	return numbered ? 0 : -EBADMSG;
}

static void free_arrays(struct taskrt_alert_parts *parts)
{
	free(parts->events);
	free(parts->frames);
	parts->events = NULL;
	parts->nr_events = 0;
	parts->frames = NULL;
}

void taskrt_alert_clear(struct taskrt_alert_parts *parts)
{
	while (parts->oldest) {
		struct taskrt_alert_part *part = parts->oldest;

		parts->oldest = part->next;
		free(part);
	}
	free_arrays(parts);
	parts->newest = &parts->oldest;
	parts->nr = 0;
}

int taskrt_alert_add(struct taskrt_alert_parts *parts, const struct nlmsghdr *header)
{
	struct taskrt_alert_part *part = malloc(sizeof(*part) + header->nlmsg_len);

	if (!part)
		return -ENOMEM;
	part->next = NULL;
	memcpy(part->bytes, header, header->nlmsg_len);
	*parts->newest = part;
	parts->newest = &part->next;
	parts->nr++;
	return 0;
}

static int alert_read_field(const struct nlattr *attr, struct taskrt_alert *alert)
{
	switch (taskrt_attribute_type(attr)) {
	case TASKRT_ALERT_A_SEQ:
		return alert_read_u64(attr, &alert->seq);
	case TASKRT_ALERT_A_LOST:
		return alert_read_u64(attr, &alert->lost);
	case TASKRT_ALERT_A_AT:
		return alert_read_u64(attr, &alert->at_ns);
	case TASKRT_ALERT_A_BEGIN:
		return alert_read_u64(attr, &alert->begin_ns);
	case TASKRT_ALERT_A_END:
		return alert_read_u64(attr, &alert->end_ns);
	case TASKRT_ALERT_A_RECORDED:
		return alert_read_u64(attr, &alert->recorded);
	case TASKRT_ALERT_A_TID:
		return alert_read_u32(attr, &alert->tid);
	case TASKRT_ALERT_A_TGID:
		return alert_read_u32(attr, &alert->tgid);
	case TASKRT_ALERT_A_REASON:
		return alert_read_u32(attr, &alert->reason);
	case TASKRT_ALERT_A_COMM:
		return alert_read_text(attr, alert->comm, sizeof(alert->comm));
	case TASKRT_ALERT_A_TAG:
		return alert_read_text(attr, alert->tag, sizeof(alert->tag));
	default:
		return 0;
	}
}

/* The structure of a newer module may be longer, but it is never shorter than in 1.0. */
static int read_structure(const struct nlattr *attr, struct taskrt_event *event)
{
	if (taskrt_attribute_length(attr) < TASKRT_EVENT_MIN)
		return -EBADMSG;
	taskrt_sized_out(event, sizeof(*event), taskrt_attribute_data(attr),
			 taskrt_attribute_length(attr));
	event->owner_comm[sizeof(event->owner_comm) - 1] = '\0';
	event->waker_comm[sizeof(event->waker_comm) - 1] = '\0';
	event->other_comm[sizeof(event->other_comm) - 1] = '\0';
	return 0;
}

/* @frames has room for all frames that there are. */
static int read_event(const struct nlattr *nest, struct taskrt_alert_event *event,
		      const char **frames)
{
	struct taskrt_attributes attrs = taskrt_attributes_in(nest);
	const struct nlattr *attr;
	int err = -EBADMSG;

	event->frames = frames;
	while ((attr = taskrt_attribute_next(&attrs))) {
		switch (taskrt_attribute_type(attr)) {
		case TASKRT_EVENT_A_EVENT:
			err = read_structure(attr, &event->event);
			if (err)
				return err;
			break;
		case TASKRT_EVENT_A_CALLER:
			event->caller = alert_text(attr);
			if (!event->caller)
				return -EBADMSG;
			break;
		case TASKRT_EVENT_A_FRAME:
			frames[event->nr_frames] = alert_text(attr);
			if (!frames[event->nr_frames++])
				return -EBADMSG;
			break;
		}
	}
	return err;
}

static size_t count_frames(const struct nlattr *nest)
{
	struct taskrt_attributes attrs = taskrt_attributes_in(nest);
	const struct nlattr *attr;
	size_t n = 0;

	while ((attr = taskrt_attribute_next(&attrs)))
		n += taskrt_attribute_type(attr) == TASKRT_EVENT_A_FRAME;
	return n;
}

static int make_arrays(struct taskrt_alert_parts *parts)
{
	const struct taskrt_alert_part *part;
	const struct nlattr *attr;
	size_t events = 0, frames = 0;
	struct taskrt_attributes attrs;

	for (part = parts->oldest; part; part = part->next) {
		if (open_alert((const struct nlmsghdr *)part->bytes, &attrs))
			return -EBADMSG;
		while ((attr = taskrt_attribute_next(&attrs)))
			if (taskrt_attribute_type(attr) == TASKRT_ALERT_A_EVENT) {
				events++;
				frames += count_frames(attr);
			}
	}
	free_arrays(parts);
	parts->events = calloc(events + 1, sizeof(*parts->events));
	parts->frames = calloc(frames + 1, sizeof(*parts->frames));
	return parts->events && parts->frames ? 0 : -ENOMEM;
}

int taskrt_alert_read(struct taskrt_alert_parts *parts, struct taskrt_alert *alert)
{
	const struct taskrt_alert_part *part;
	const struct nlattr *attr;
	const char **frames;
	struct taskrt_attributes attrs;
	int err = make_arrays(parts);

	memset(alert, 0, sizeof(*alert));
	frames = parts->frames;
	for (part = parts->oldest; part && !err; part = part->next) {
		err = open_alert((const struct nlmsghdr *)part->bytes, &attrs);
		while (!err && (attr = taskrt_attribute_next(&attrs))) {
			if (taskrt_attribute_type(attr) != TASKRT_ALERT_A_EVENT) {
				err = alert_read_field(attr, alert);
				continue;
			}
			err = read_event(attr, &parts->events[parts->nr_events], frames);
			frames += parts->events[parts->nr_events++].nr_frames;
		}
	}
	alert->nr_events = parts->nr_events;
	return err;
}
