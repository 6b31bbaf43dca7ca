// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several requests in one datagram are served in one system call, under the lock of generic
 * netlink, and no signal ends that: those that may take long are not served if others follow.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "raw.h"
#include "tap.h"

#define MOST	3
#define NOTHING	1		/* no answer came */

static struct raw raw;
static char datagram[MOST * 256];
static size_t length;
static uint32_t seqs[MOST];
static int errors[MOST];
static unsigned int count;

static void add_message(struct raw_message *message)
{
	message->nl.nlmsg_seq = ++raw.seq;
	memcpy(datagram + length, message, message->nl.nlmsg_len);
	length += NLMSG_ALIGN(message->nl.nlmsg_len);
	errors[count] = NOTHING;
	seqs[count++] = message->nl.nlmsg_seq;
}

static void add(uint8_t cmd, uint16_t type)
{
	struct raw_message message;

	raw_begin(&raw, &message, cmd, NLM_F_ACK);
	raw_put_u32(&message, type, 0);
	add_message(&message);
}

static void add_plain(uint8_t cmd)
{
	struct raw_message message;

	raw_begin(&raw, &message, cmd, NLM_F_ACK);
	add_message(&message);
}

static void add_dump(uint16_t type)
{
	struct raw_message message;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	raw_put_u32(&message, type, 0);
	add_message(&message);
}

static void add_register(void)
{
	struct raw_message message;

	raw_begin(&raw, &message, TASKRT_CMD_REGISTER, NLM_F_ACK);
	raw_put(&message, TASKRT_A_CPUMASK, "0", 2);
	add_message(&message);
}

static void note(const struct nlmsghdr *nl)
{
	const struct nlmsgerr *error = NLMSG_DATA(nl);
	unsigned int i;

	for (i = 0; i < count; i++)
		if (nl->nlmsg_type == NLMSG_ERROR && nl->nlmsg_seq == seqs[i])
			errors[i] = error->error;
}

/* Everything is answered when send(2) returns. */
static void ask(void)
{
	static char buffer[32768] __attribute__((aligned(8)));
	ssize_t got;

	if (send(raw.fd, datagram, length, 0) != (ssize_t)length)
		tap_bail("send: %s", strerror(errno));
	while ((got = recv(raw.fd, buffer, sizeof(buffer), MSG_DONTWAIT)) > 0) {
		const struct nlmsghdr *nl = (void *)buffer;
		int left = got;

		for (; NLMSG_OK(nl, left); nl = NLMSG_NEXT(nl, left))
			note(nl);
	}
	length = 0;
	count = 0;
}

int main(void)
{
	if (raw_open(&raw))
		tap_bail("no family");

	add(TASKRT_CMD_GET, TASKRT_A_TID);
	add(TASKRT_CMD_GET, TASKRT_A_TID);
	add(TASKRT_CMD_GET, TASKRT_A_TGID);
	ask();
	tap_errno(errors[0], 0, "two threads and a process: the first thread");
	tap_errno(errors[1], 0, "two threads and a process: the second thread");
	tap_errno(errors[2], 0, "two threads and a process: the process, which is last");

	add(TASKRT_CMD_GET, TASKRT_A_TGID);
	add(TASKRT_CMD_GET, TASKRT_A_TID);
	ask();
	tap_errno(errors[0], -EINVAL, "a process and a thread: not the process");
	tap_errno(errors[1], 0, "a process and a thread: the thread");

	add(TASKRT_CMD_ARM, TASKRT_A_TID);
	add(TASKRT_CMD_ARM, TASKRT_A_TID);
	ask();
	tap_errno(errors[0], -EINVAL, "armed twice: not the first time");
	tap_errno(errors[1], 0, "armed twice: the second time");

	add(TASKRT_CMD_DISARM, TASKRT_A_TID);
	add(TASKRT_CMD_ARM, TASKRT_A_TID);
	add(TASKRT_CMD_DISARM, TASKRT_A_TID);
	ask();
	tap_errno(errors[0], 0, "disarmed, armed and disarmed: first");
	tap_errno(errors[1], -EINVAL, "disarmed, armed and disarmed: not in the middle");
	tap_errno(errors[2], -ENODATA, "disarmed, armed and disarmed: it was not armed");

	add_plain(TASKRT_CMD_INFO);
	add_plain(TASKRT_CMD_INFO);
	ask();
	tap_errno(errors[0], -EINVAL, "INFO twice: not the first time");
	tap_errno(errors[1], 0, "INFO twice: the second time");

	add_dump(TASKRT_A_TGID);
	add(TASKRT_CMD_GET, TASKRT_A_TID);
	ask();
	tap_errno(errors[0], -EINVAL, "a dump and a thread: not the dump");
	tap_errno(errors[1], 0, "a dump and a thread: the thread");

	add_register();
	add_register();
	ask();
	tap_errno(errors[0], -EINVAL, "REGISTER twice: not the first time");
	tap_errno(errors[1], 0, "REGISTER twice: the second time");
	raw_close(&raw);
	return tap_done();
}
