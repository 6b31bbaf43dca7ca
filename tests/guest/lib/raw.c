// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "raw.h"

#define ATTRS(genl)	((struct nlattr *)((char *)(genl) + GENL_HDRLEN))

void raw_walk(const void *attrs, size_t left, raw_attr_fn fn, void *arg)
{
	const struct nlattr *attr = attrs;

	while (left >= NLA_HDRLEN && attr->nla_len >= NLA_HDRLEN && attr->nla_len <= left) {
		size_t step = NLA_ALIGN(attr->nla_len);

		fn(attr, (const char *)attr + NLA_HDRLEN, attr->nla_len - NLA_HDRLEN, arg);
		if (step >= left)
			return;
		left -= step;
		attr = (const struct nlattr *)((const char *)attr + step);
	}
}

void raw_begin(const struct raw *raw, struct raw_message *message, uint8_t cmd,
	       uint16_t nl_flags)
{
	memset(message, 0, sizeof(*message));
	message->nl.nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN;
	message->nl.nlmsg_type = raw->family;
	message->nl.nlmsg_flags = NLM_F_REQUEST | nl_flags;
	message->genl.cmd = cmd;
	message->genl.version = TASKRT_GENL_VERSION;
}

void raw_put(struct raw_message *message, uint16_t type, const void *data, uint16_t length)
{
	struct nlattr *attr = (void *)((char *)message + message->nl.nlmsg_len);

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + length;
	memcpy((char *)attr + NLA_HDRLEN, data, length);
	message->nl.nlmsg_len += NLA_ALIGN(attr->nla_len);
}

void raw_put_u32(struct raw_message *message, uint16_t type, uint32_t value)
{
	raw_put(message, type, &value, sizeof(value));
}

size_t raw_nest(struct raw_message *message, uint16_t type)
{
	size_t nest = message->nl.nlmsg_len;

	raw_put(message, type | NLA_F_NESTED, NULL, 0);
	return nest;
}

void raw_nest_end(struct raw_message *message, size_t nest)
{
	struct nlattr *attr = (void *)((char *)message + nest);

	attr->nla_len = message->nl.nlmsg_len - nest;
}

static void copy(void *to, size_t room, const void *payload, size_t length)
{
	memset(to, 0, room);
	memcpy(to, payload, length < room ? length : room);
}

void raw_into_reading(struct taskrt_reading *reading, uint16_t type, const void *payload,
		      size_t length)
{
	switch (type) {
	case TASKRT_AGGR_A_STATS:
		copy(&reading->stats, sizeof(reading->stats), payload, length);
		break;
	case TASKRT_AGGR_A_TIMES:
		copy(&reading->times, sizeof(reading->times), payload, length);
		reading->groups |= TASKRT_GROUP_TIMES;
		break;
	case TASKRT_AGGR_A_COUNTS:
		copy(&reading->counts, sizeof(reading->counts), payload, length);
		reading->groups |= TASKRT_GROUP_COUNTS;
		break;
	case TASKRT_AGGR_A_LONGEST:
		copy(&reading->longests, sizeof(reading->longests), payload, length);
		reading->groups |= TASKRT_GROUP_LONGEST;
	}
}

struct found {
	struct raw_answer *answer;
	struct raw_stats stats;
	const char *message, *buffer;
	int any;
};

static void in_aggregate(const struct nlattr *attr, const void *payload, size_t length,
			 void *arg)
{
	uint16_t type = attr->nla_type & NLA_TYPE_MASK;
	struct found *found = arg;
	struct raw_stats *stats = &found->stats;

	if (type <= TASKRT_AGGR_A_MAX)
		stats->lengths[type] = length;
	switch (type) {
	case TASKRT_AGGR_A_TID:
	case TASKRT_AGGR_A_TGID:
		if (length == sizeof(stats->id))
			memcpy(&stats->id, payload, length);
		break;
	case TASKRT_AGGR_A_STATS:
		stats->length = length;
		found->any = 1;
		/* fall through */
	case TASKRT_AGGR_A_TIMES:
	case TASKRT_AGGR_A_COUNTS:
	case TASKRT_AGGR_A_LONGEST:
		stats->misaligned += ((const char *)payload - found->message) % 8 ||
				     ((const char *)payload - found->buffer) % 8;
		raw_into_reading(&stats->reading, type, payload, length);
	}
}

static void in_message(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct found *found = arg;
	uint16_t type = attr->nla_type & NLA_TYPE_MASK;

	if (type == TASKRT_A_INFO)
		found->answer->info_length = length;
	if (type != TASKRT_A_AGGR_TID && type != TASKRT_A_AGGR_TGID)
		return;
	found->stats.aggregate = type;
	raw_walk(payload, length, in_aggregate, found);
}

static void take_family(struct raw_answer *answer, const struct nlmsghdr *nl,
			const char *buffer, raw_each each, void *arg)
{
	struct found found = {
		.answer = answer, .message = (const char *)nl, .buffer = buffer,
	};

	size_t length = nl->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;
	const char *attrs = (const char *)ATTRS(NLMSG_DATA(nl));

	if (nl->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN)
		return;
	answer->messages++;
	answer->length = length < sizeof(answer->reply) ? length : sizeof(answer->reply);
	memcpy(answer->reply, attrs, answer->length);
	raw_walk(attrs, length, in_message, &found);
	if (!found.any)
		return;
	answer->last = found.stats;
	if (each)
		each(&found.stats, arg);
}

static void in_ack(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct raw_answer *answer = arg;
	uint16_t type = attr->nla_type & NLA_TYPE_MASK;

	if (type == NLMSGERR_ATTR_OFFS && length == sizeof(answer->offset))
		memcpy(&answer->offset, payload, length);
	if (type != NLMSGERR_ATTR_MSG)
		return;
	if (length >= sizeof(answer->text))
		length = sizeof(answer->text) - 1;
	memcpy(answer->text, payload, length);
}

/* An error, an ack or the end of a dump. */
static void take_end(struct raw_answer *answer, const struct nlmsghdr *nl)
{
	const char *data = NLMSG_DATA(nl), *end = (const char *)nl + nl->nlmsg_len;
	const char *attrs = data + sizeof(int);

	answer->answered = 1;
	memcpy(&answer->error, data, sizeof(int));
	if (nl->nlmsg_type == NLMSG_ERROR) {
		const struct nlmsgerr *err = NLMSG_DATA(nl);

		attrs = data + sizeof(*err);
		if (!(nl->nlmsg_flags & NLM_F_CAPPED))
			attrs += NLMSG_ALIGN(err->msg.nlmsg_len) - NLMSG_HDRLEN;
	}
	if ((nl->nlmsg_flags & NLM_F_ACK_TLVS) && attrs < end)
		raw_walk(attrs, end - attrs, in_ack, answer);
}

void raw_take(const struct raw *raw, const char *buffer, size_t left,
	      struct raw_answer *answer, raw_each each, void *arg)
{
	const struct nlmsghdr *nl = (const void *)buffer;

	for (; NLMSG_OK(nl, left); nl = NLMSG_NEXT(nl, left)) {
		if (nl->nlmsg_flags & NLM_F_DUMP_INTR)
			answer->interrupted = 1;
		answer->done |= nl->nlmsg_type == NLMSG_DONE;
		if (nl->nlmsg_type == NLMSG_ERROR || nl->nlmsg_type == NLMSG_DONE)
			take_end(answer, nl);
		else if (nl->nlmsg_type == raw->family && !nl->nlmsg_seq && raw->told)
			raw->told(nl, raw->told_arg);
		else if (nl->nlmsg_type == raw->family)
			take_family(answer, nl, buffer, each, arg);
	}
}

int raw_send(struct raw *raw, struct raw_message *message)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	const struct sockaddr *to = raw->addressed ? (const void *)&kernel : NULL;

	message->nl.nlmsg_seq = ++raw->seq;
	return sendto(raw->fd, message, message->nl.nlmsg_len, 0, to,
		      to ? sizeof(kernel) : 0) < 0 ? -errno : 0;
}

void raw_receive(struct raw *raw, struct raw_answer *answer, raw_each each, void *arg)
{
	char buffer[65536] __attribute__((aligned(8)));
	ssize_t n;

	memset(answer, 0, sizeof(*answer));
	while (!answer->answered) {
		n = recv(raw->fd, buffer, sizeof(buffer), MSG_DONTWAIT);
		if (n <= 0)
			return;
		raw_take(raw, buffer, n, answer, each, arg);
	}
}

void raw_ask(struct raw *raw, struct raw_message *message, struct raw_answer *answer,
	     raw_each each, void *arg)
{
	int err = raw_send(raw, message);

	if (err) {
		memset(answer, 0, sizeof(*answer));
		answer->error = err;
	} else {
		raw_receive(raw, answer, each, arg);
	}
}

struct wanted {
	uint16_t type;
	const void *payload;
	size_t length;
};

static void if_wanted(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct wanted *wanted = arg;

	if (wanted->payload || (attr->nla_type & NLA_TYPE_MASK) != wanted->type)
		return;
	wanted->payload = payload;
	wanted->length = length;
}

const void *raw_find(const struct raw_answer *answer, uint16_t type, size_t *length)
{
	struct wanted wanted = { .type = type };

	raw_walk(answer->reply, answer->length, if_wanted, &wanted);
	if (length)
		*length = wanted.length;
	return wanted.payload;
}

int raw_get_groups(struct raw *raw, uint16_t type, uint32_t id, uint32_t version,
		   int64_t groups, struct raw_answer *answer)
{
	struct raw_message message;

	raw_begin(raw, &message, TASKRT_CMD_GET, NLM_F_ACK);
	raw_put_u32(&message, type, id);
	if (version)
		raw_put_u32(&message, TASKRT_A_VERSION, version);
	if (groups != RAW_UNSAID)
		raw_put_u32(&message, TASKRT_A_GROUPS, groups);
	raw_ask(raw, &message, answer, NULL, NULL);
	return answer->answered ? answer->error : -EPROTO;
}

int raw_get(struct raw *raw, uint16_t type, uint32_t id, uint32_t version,
	    struct raw_answer *answer)
{
	return raw_get_groups(raw, type, id, version, EVERY_GROUP, answer);
}

static void in_control(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct raw *raw = arg;

	if (attr->nla_type == CTRL_ATTR_FAMILY_ID && length == sizeof(raw->family))
		memcpy(&raw->family, payload, length);
}

static int find_family(struct raw *raw, const char *name)
{
	char buffer[4096] __attribute__((aligned(8)));
	struct nlmsghdr *nl = (void *)buffer;
	struct raw_message message;
	ssize_t n;

	raw->family = GENL_ID_CTRL;
	raw_begin(raw, &message, CTRL_CMD_GETFAMILY, 0);
	raw_put(&message, CTRL_ATTR_FAMILY_NAME, name, strlen(name) + 1);
	raw->family = 0;
	if (send(raw->fd, &message, message.nl.nlmsg_len, 0) < 0)
		return -errno;
	n = recv(raw->fd, buffer, sizeof(buffer), 0);
	if (n < (ssize_t)(NLMSG_HDRLEN + GENL_HDRLEN) || nl->nlmsg_type != GENL_ID_CTRL)
		return -ENOENT;
	raw_walk(ATTRS(NLMSG_DATA(nl)), n - NLMSG_HDRLEN - GENL_HDRLEN, in_control, raw);
	return raw->family ? 0 : -ENOENT;
}

static int open_socket(struct raw *raw)
{
	int one = 1;

	memset(raw, 0, sizeof(*raw));
	raw->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (raw->fd < 0)
		return -errno;
	setsockopt(raw->fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	return 0;
}

int raw_open_like(struct raw *raw, const struct raw *other)
{
	int err = open_socket(raw);

	raw->family = other->family;
	return err;
}

static int open_plain(struct raw *raw, const char *name)
{
	int err = open_socket(raw);

	if (err)
		return err;
	err = find_family(raw, name);
	if (err)
		raw_close(raw);
	return err;
}

int raw_open_family(struct raw *raw, const char *name)
{
	int big = 1 << 20, err = open_plain(raw, name);

	if (!err)
		setsockopt(raw->fd, SOL_SOCKET, SO_RCVBUF, &big, sizeof(big));
	return err;
}

int raw_open_plain(struct raw *raw)
{
	return open_plain(raw, TASKRT_GENL_NAME);
}

int raw_open(struct raw *raw)
{
	return raw_open_family(raw, TASKRT_GENL_NAME);
}

void raw_close(struct raw *raw)
{
	close(raw->fd);
	raw->fd = -1;
}
