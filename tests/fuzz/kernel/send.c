// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "calls.h"
#include "group.h"
#include "presence.h"
#include "raw.h"

#define LENGTH_MAX	4200

static struct raw sockets[SLOTS];

static struct raw *get_socket(unsigned int slot)
{
	struct raw *raw = &sockets[slot];
	int one = 1;

	if (raw->family)
		return raw;
	raw->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_GENERIC);
	setsockopt(raw->fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	raw->family = presence_family();
	return raw;
}

static const char *text_of(uint64_t which, size_t *length)
{
	static const struct {
		const char *text;
		size_t length;
	} texts[] = {
#define TEXT(text)	{ text, sizeof(text) }
		TEXT("all"), TEXT("0"), TEXT("1"), TEXT("0-1"), TEXT("0,1"), TEXT("1-0"), TEXT(""),
		TEXT("0-65535"), TEXT("2"), TEXT("0-1:1/2"), TEXT("al"), TEXT("0 1"), TEXT("0,"),
		TEXT("all\0all"), TEXT("99999999999"), TEXT("0-1\n"),
	};

	*length = texts[which % COUNT(texts)].length;
	return texts[which % COUNT(texts)].text;
}

static void put_value(struct raw_message *message, const struct attribute *attr)
{
	uint64_t words[LENGTH_MAX / 8 + 1], value = attr->value;
	uint16_t length = attr->length;
	unsigned int i;

	if (attr->form == FORM_TASK)
		value = life_task(value);
	if (length > LENGTH_MAX)
		length = LENGTH_MAX;
	for (i = 0; i < COUNT(words); i++)
		words[i] = value;
	raw_put(message, attr->type, words, length);
}

static size_t room_of(const struct raw_message *message)
{
	const size_t length = message->nl.nlmsg_len;

	return sizeof(*message) > length ? sizeof(*message) - length : 0;
}

static void put_attributes(struct raw_message *message, const struct op *op)
{
	size_t nests[ATTRS_MAX], length;
	unsigned int depth = 0, i;
	const char *text;

	for (i = 0; i < op->nr && room_of(message) > LENGTH_MAX + 100; i++) {
		const struct attribute *attr = &op->attrs[i];

		switch (attr->form) {
		case FORM_TEXT:
			text = text_of(attr->value, &length);
			/* Without its last byte, or with it. */
			raw_put(message, attr->type, text, length - (attr->length % 8 == 1));
			break;
		case FORM_NEST:
			nests[depth++] = raw_nest(message, attr->type);
			if (attr->length % 2)
				((struct nlattr *)((char *)message + nests[depth - 1]))->nla_type =
					attr->type;
			break;
		case FORM_END:
			if (depth)
				raw_nest_end(message, nests[--depth]);
			break;
		default:
			put_value(message, attr);
		}
	}
	while (depth)
		raw_nest_end(message, nests[--depth]);
}

/* Returns how many bytes are to be sent. */
static size_t damage(struct raw_message *message, unsigned int how, uint32_t value)
{
	size_t length = message->nl.nlmsg_len;

	switch (how) {
	case 1:
		message->nl.nlmsg_len -= value % 20;
		break;
	case 2:
		message->nl.nlmsg_len += value;
		break;
	case 3:
		message->genl.version = value;
		break;
	case 4:
		return length - value % length;
	case 5:
		((char *)message)[NLMSG_HDRLEN + value % (length - NLMSG_HDRLEN)] ^=
			1 << value / 256 % 8;
		break;
	case 6:
		message->nl.nlmsg_type = value;
	}
	return length;
}

void do_receive(const struct op *op)
{
	struct raw *raw = get_socket(op->slot);
	char buffer[16384];
	const size_t room = op->b % 4 == 3 ? 64 : sizeof(buffer);

	while (recv(raw->fd, buffer, room, MSG_DONTWAIT) > 0 && !(op->a % 2))
		;
}

void do_send(const struct op *op)
{
	static const uint16_t flags[] = {
		NLM_F_ACK, NLM_F_DUMP, NLM_F_DUMP | NLM_F_ACK, 0,
		NLM_F_ACK, NLM_F_ROOT | NLM_F_ACK, NLM_F_MATCH, NLM_F_ECHO | NLM_F_ACK,
	};
	struct raw *raw = get_socket(op->slot);
	struct raw_message message;
	size_t length;

	raw_begin(raw, &message, op->a, flags[op->b % 8]);
	put_attributes(&message, op);
	length = damage(&message, op->b / 8 % 16, op->value);
	message.nl.nlmsg_seq = ++raw->seq;
	/* The same twice in one buffer is two requests. */
	if (op->b / 128 && length % 4 == 0 && length < sizeof(message.attrs) / 2) {
		memcpy((char *)&message + length, &message, length);
		length *= 2;
	}
	if (send(raw->fd, &message, length, 0) > 0 && op->value % 4)
		do_receive(&(struct op){ .slot = op->slot, .a = op->value % 4 == 3 });
}

void do_close(const struct op *op)
{
	if (sockets[op->slot].family)
		close(sockets[op->slot].fd);
	sockets[op->slot].family = 0;
}

void do_socket(const struct op *op)
{
	int fd = get_socket(op->slot)->fd, number = op->value;
	const struct sockaddr_nl to = { .nl_family = AF_NETLINK, .nl_pid = op->value };

	switch (op->a % 5) {
	case 0:
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &number, sizeof(number));
		break;
	case 1:
		group_join(&sockets[op->slot]);
		break;
	case 2:
		setsockopt(fd, SOL_NETLINK, NETLINK_NO_ENOBUFS, &number, sizeof(number));
		break;
	case 3:
		bind(fd, (const void *)&to, sizeof(to));
		break;
	case 4:
		setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &number, sizeof(number));
	}
}
