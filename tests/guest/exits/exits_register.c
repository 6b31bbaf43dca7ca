// SPDX-License-Identifier: GPL-2.0-only
/*
 * REGISTER, DEREGISTER and LIST: what they accept, what they refuse and why, and what the
 * module keeps.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"
#include "listener.h"
#include "patience.h"
#include "tap.h"

#define NOBODY		0x7fffffff

static struct listener listener;

static struct raw_message *message_of(uint8_t cmd)
{
	static struct raw_message message;

	raw_begin(&listener.raw, &message, cmd, NLM_F_ACK);
	return &message;
}

static struct raw_message *with_cpus(uint8_t cmd, const void *cpus, uint16_t length)
{
	struct raw_message *message = message_of(cmd);

	raw_put(message, TASKRT_A_CPUMASK, cpus, length);
	return message;
}

/* The attribute at which the ext-ack points. */
static int culprit(const struct raw_message *message, const struct raw_answer *answer)
{
	const struct nlattr *attr = (const void *)((const char *)message + answer->offset);

	return answer->offset ? attr->nla_type & NLA_TYPE_MASK : 0;
}

/* type: the attribute that the error points at; 0: at none. */
static void refused(struct raw_message *message, int error, int allowed, int type,
		    const char *name)
{
	struct raw_answer answer;

	listener_send(&listener, message, &answer);
	if (!allowed || answer.error != -allowed)
		tap_errno(answer.error, -error, "%s: error", name);
	tap_ok(answer.text[0], "%s: says why: %s", name, answer.text);
	tap_equal(answer.messages, 0, "%s: and nothing else", name);
	if (type)
		tap_equal(culprit(message, &answer), type, "%s: points to the attribute", name);
}

static unsigned int registrations;

static void count_registration(const struct nlattr *attr, const void *payload, size_t length,
			       void *arg)
{
	(void)payload;
	(void)length;
	(void)arg;
	registrations += (attr->nla_type & NLA_TYPE_MASK) == TASKRT_A_REGISTRATION;
}

static unsigned int listed(struct raw_answer *answer)
{
	if (listener_ask(&listener, TASKRT_CMD_LIST, NULL, answer))
		tap_bail("LIST: %s", answer->text);
	registrations = 0;
	raw_walk(answer->reply, answer->length, count_registration, NULL);
	return registrations;
}

static void bad_list(const char *cpus)
{
	char name[64];

	snprintf(name, sizeof(name), "\"%.40s\"", cpus);
	refused(with_cpus(TASKRT_CMD_REGISTER, cpus, strlen(cpus) + 1), EINVAL, 0,
		TASKRT_A_CPUMASK, name);
	refused(with_cpus(TASKRT_CMD_DEREGISTER, cpus, strlen(cpus) + 1), EINVAL, 0,
		TASKRT_A_CPUMASK, name);
}

static unsigned int last_cpu(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/possible", "r");
	unsigned int first = 0, last = 0;
	int n = file ? fscanf(file, "%u-%u", &first, &last) : 0;

	if (n < 1)
		tap_bail("no possible CPUs");
	fclose(file);
	return n == 2 ? last : first;
}

static void impossible_cpus(void)
{
	unsigned int beyond = last_cpu() + 1;
	char text[64];

	snprintf(text, sizeof(text), "%u", beyond);
	bad_list(text);
	snprintf(text, sizeof(text), "0-%u", beyond);
	bad_list(text);
	snprintf(text, sizeof(text), "0,%u", beyond);
	bad_list(text);
}

static void grammar(void)
{
	static const char *const bad[] = {
		"", " ", "0 ", " 0", "0, 1", "0\n", "\t0", ",", "0,", ",0", "0,,1", "-", "-1",
		"0-", "0--1", "1-0", "0-0-1", "+1", "0x1", "a", "ALL", "all,0", "0,all", "all ",
		"al", "alll", "N", "0-N", "0-1:1/2", "0;1", "0.1", "65536", "2147483648",
		"4294967296", "4294967297", "18446744073709551616", "0-18446744073709551615",
		"99999999999999999999999999999999999999999", "none", "~0", "^0",
	};
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		bad_list(bad[i]);
	impossible_cpus();
}

/* An attribute that is no string, or no possible list of CPUs. */
static void strings(void)
{
	static char much[TASKRT_CPUMASK_MAX + 2];
	struct raw_message *message;
	struct raw_answer answer;
	unsigned int i;

	refused(message_of(TASKRT_CMD_REGISTER), EINVAL, 0, 0, "no CPUMASK");
	refused(message_of(TASKRT_CMD_DEREGISTER), EINVAL, 0, 0, "DEREGISTER without a CPUMASK");
	refused(with_cpus(TASKRT_CMD_REGISTER, "", 0), EINVAL, ERANGE, TASKRT_A_CPUMASK,
		"nothing at all");
	refused(with_cpus(TASKRT_CMD_REGISTER, "0", 1), EINVAL, 0, TASKRT_A_CPUMASK,
		"unterminated");
	refused(with_cpus(TASKRT_CMD_REGISTER, "0-1", 3), EINVAL, 0, TASKRT_A_CPUMASK,
		"an unterminated range");
	refused(with_cpus(TASKRT_CMD_REGISTER, "0\0,1", 5), EINVAL, 0, TASKRT_A_CPUMASK,
		"a NUL inside");
	refused(with_cpus(TASKRT_CMD_REGISTER, "0\0", 3), EINVAL, 0, TASKRT_A_CPUMASK,
		"two NULs");
	for (i = 0; i < TASKRT_CPUMASK_MAX; i++)
		much[i] = i % 2 ? ',' : '0';
	much[TASKRT_CPUMASK_MAX] = '0';
	refused(with_cpus(TASKRT_CMD_REGISTER, much, TASKRT_CPUMASK_MAX + 2), EINVAL, ERANGE,
		TASKRT_A_CPUMASK, "too long");
	much[TASKRT_CPUMASK_MAX - 1] = 0;
	message = with_cpus(TASKRT_CMD_DEREGISTER, much, TASKRT_CPUMASK_MAX);
	tap_errno(listener_send(&listener, message, &answer), 0, "the longest that is accepted");
	much[TASKRT_CPUMASK_MAX - 2] = 0;
	message = with_cpus(TASKRT_CMD_DEREGISTER, much, TASKRT_CPUMASK_MAX - 1);
	tap_errno(listener_send(&listener, message, &answer), -EINVAL,
		  "nearly as long, with a comma last");
}

static void with_u32(uint16_t type, uint32_t value, int error, int allowed, int blamed,
		     const char *name)
{
	struct raw_message *message = with_cpus(TASKRT_CMD_REGISTER, "0", 2);

	raw_put_u32(message, type, value);
	refused(message, error, allowed, blamed, name);
}

static void with_bytes(uint16_t type, uint16_t length, const char *name)
{
	static const char bytes[16];
	struct raw_message *message = with_cpus(TASKRT_CMD_REGISTER, "0", 2);

	raw_put(message, type, bytes, length);
	refused(message, EINVAL, ERANGE, type, name);
}

/* One condition in a FILTER. */
static struct raw_message *with_filter(uint16_t type, const void *payload, uint16_t length)
{
	struct raw_message *message = with_cpus(TASKRT_CMD_REGISTER, "0", 2);
	size_t nest = raw_nest(message, TASKRT_A_FILTER);

	raw_put(message, type, payload, length);
	raw_nest_end(message, nest);
	return message;
}

static void filter_u32(uint16_t type, uint32_t value, int error, int allowed, int blamed,
		       const char *name)
{
	refused(with_filter(type, &value, sizeof(value)), error, allowed, blamed, name);
}

static void filter_bytes(uint16_t type, uint16_t length, const char *name)
{
	static const char bytes[16];

	refused(with_filter(type, bytes, length), EINVAL, ERANGE, type, name);
}

/* If the module ignored a condition, it would deliver more than was requested. */
static void conditions(void)
{
	static const uint16_t unknown[] = {
		TASKRT_FILTER_A_UNSPEC, TASKRT_FILTER_A_UID, TASKRT_FILTER_A_STATES,
		TASKRT_FILTER_A_POLICY, TASKRT_FILTER_A_COMM, TASKRT_FILTER_A_CHANGED_SINCE,
		__TASKRT_FILTER_A_MAX, 64, 200,
	};
	uint64_t cgroup = ~0ULL;
	unsigned int i;

	filter_u32(TASKRT_FILTER_A_TGID, NOBODY, ESRCH, EINVAL, TASKRT_FILTER_A_TGID,
		   "TGID of nobody");
	filter_u32(TASKRT_FILTER_A_TGID, ~0U, ESRCH, EINVAL, TASKRT_FILTER_A_TGID, "TGID of -1");
	filter_bytes(TASKRT_FILTER_A_TGID, 2, "TGID of a wrong length");
	filter_bytes(TASKRT_FILTER_A_CGROUP, 4, "CGROUP of a wrong length");
	filter_bytes(TASKRT_FILTER_A_OWN, 4, "OWN that is not a flag");
	for (i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		filter_u32(unknown[i], 0, EINVAL, 0, 0, "a condition that is not known");
	refused(with_filter(TASKRT_FILTER_A_CGROUP, &cgroup, sizeof(cgroup)), ENOENT, 0,
		TASKRT_FILTER_A_CGROUP, "CGROUP that does not exist");
	with_u32(TASKRT_A_FILTER, 0, EINVAL, 0, 0, "FILTER that is not a nest");
}

static void wants(void)
{
	static const uint16_t strangers[] = {
		TASKRT_A_TID, TASKRT_A_TGID, TASKRT_A_AGGR_TID, TASKRT_A_INFO, TASKRT_A_SEQ,
		TASKRT_A_LOST, TASKRT_A_BACKLOG, TASKRT_A_REGISTRATION, TASKRT_A_CHILDREN,
		TASKRT_A_CGROUP, TASKRT_A_CPU, TASKRT_A_AFTER, TASKRT_A_CGROUP_FD, TASKRT_A_STREAM,
		__TASKRT_A_MAX, 200,
	};
	struct raw_message *message;
	unsigned int i;

	with_u32(TASKRT_A_ENTITIES, 0, EINVAL, 0, TASKRT_A_ENTITIES, "ENTITIES of nothing");
	with_u32(TASKRT_A_ENTITIES, 4, EINVAL, EOPNOTSUPP, TASKRT_A_ENTITIES,
		 "ENTITIES of children");
	with_u32(TASKRT_A_ENTITIES, ~0U, EINVAL, EOPNOTSUPP, TASKRT_A_ENTITIES,
		 "ENTITIES of all bits");
	with_u32(TASKRT_A_VERSION, 0, EINVAL, ERANGE, TASKRT_A_VERSION, "VERSION 0");
	with_u32(TASKRT_A_GROUPS, TASKRT_GROUPS_REFUSED, EINVAL, ERANGE, TASKRT_A_GROUPS,
		 "GROUPS of the bit that is refused");
	with_u32(TASKRT_A_GROUPS, ~0U, EINVAL, ERANGE, TASKRT_A_GROUPS, "GROUPS of all bits");
	with_bytes(TASKRT_A_ENTITIES, 8, "ENTITIES of a wrong length");
	with_bytes(TASKRT_A_GROUPS, 8, "GROUPS of a wrong length");
	for (i = 0; i < sizeof(strangers) / sizeof(*strangers); i++)
		with_u32(strangers[i], 0, EINVAL, 0, 0, "an attribute that REGISTER does not have");
	message = with_cpus(TASKRT_CMD_DEREGISTER, "0", 2);
	raw_put_u32(message, TASKRT_A_ENTITIES, 1);
	refused(message, EINVAL, 0, 0, "DEREGISTER with ENTITIES");
	refused(with_cpus(TASKRT_CMD_LIST, "0", 2), EINVAL, 0, 0, "LIST with CPUMASK");
}

/* The kernel's own generic netlink code answers these. */
static void commands(void)
{
	static const uint8_t cmds[] = { TASKRT_CMD_REGISTER, TASKRT_CMD_DEREGISTER, TASKRT_CMD_LIST };
	struct raw_message message;
	struct raw_answer answer;
	unsigned int i;

	raw_begin(&listener.raw, &message, TASKRT_CMD_EXIT, NLM_F_ACK);
	tap_errno(listener_send(&listener, &message, &answer), -EOPNOTSUPP, "EXIT is no request");
	for (i = 0; i < sizeof(cmds); i++) {
		raw_begin(&listener.raw, &message, cmds[i], NLM_F_DUMP);
		tap_errno(listener_send(&listener, &message, &answer), -EOPNOTSUPP, "no dump of %u",
			  cmds[i]);
	}
}

static void echoed(uint8_t cmd, const char *cpus, const char *expected)
{
	struct raw_answer answer;
	const char *mask;

	tap_errno(listener_ask(&listener, cmd, cpus, &answer), 0, "\"%s\" is taken", cpus);
	tap_equal(answer.messages, 1, "\"%s\": one answer", cpus);
	mask = raw_find(&answer, TASKRT_A_CPUMASK, NULL);
	tap_ok(mask && !strcmp(mask, expected), "\"%s\" is understood as %s, wanted %s", cpus,
	       mask ? mask : "nothing", expected);
}

static void echo(void)
{
	static const char *const both[] = { "0-1", "0,1", "1,0", "0-0,1-1", "1,1,0,1,0-1" };
	char all[32];
	unsigned int i;

	snprintf(all, sizeof(all), last_cpu() ? "0-%u" : "0", last_cpu());
	echoed(TASKRT_CMD_REGISTER, "0", "0");
	echoed(TASKRT_CMD_REGISTER, "0-0", "0");
	echoed(TASKRT_CMD_REGISTER, "all", all);
	echoed(TASKRT_CMD_DEREGISTER, "all", all);
	if (!last_cpu()) {
		tap_skip("lists of two CPUs", "there is only one");
		return;
	}
	for (i = 0; i < sizeof(both) / sizeof(*both); i++)
		echoed(TASKRT_CMD_REGISTER, both[i], "0-1");
	echoed(TASKRT_CMD_DEREGISTER, "1", "1");
	echoed(TASKRT_CMD_DEREGISTER, "0", "0");
}

static void nothing_registered(const char *when)
{
	struct raw_answer answer;

	tap_equal(listed(&answer), 0, "%s: LIST has no registration", when);
	tap_ok(raw_find(&answer, TASKRT_A_SEQ, NULL) && raw_find(&answer, TASKRT_A_LOST, NULL) &&
	       raw_find(&answer, TASKRT_A_BACKLOG, NULL), "%s: LIST has its numbers", when);
}

static int with_tgids(const uint32_t *tgids, unsigned int number, struct raw_answer *answer)
{
	const struct listener_filter filter = { .tgids = tgids, .nr_tgids = number };

	return listener_register(&listener, &filter, answer);
}

/* As many processes as a filter may name, and one more; and one that has ended. */
static void many_processes(void)
{
	uint32_t tgids[TASKRT_FILTER_TGIDS_MAX + 1];
	struct raw_answer answer;
	unsigned int i;

	for (i = 0; i <= TASKRT_FILTER_TGIDS_MAX; i++) {
		pid_t pid = fork();

		if (!pid)
			for (;;)
				pause();
		tgids[i] = pid;
	}
	tap_errno(with_tgids(tgids, TASKRT_FILTER_TGIDS_MAX, &answer), 0,
		  "as many processes as a filter may name");
	tap_equal(listed(&answer), 1, "are one registration");
	tap_errno(with_tgids(tgids, TASKRT_FILTER_TGIDS_MAX + 1, &answer), -E2BIG, "one more is not");
	tap_ok(answer.text[0], "and why: %s", answer.text);
	listener_ask(&listener, TASKRT_CMD_DEREGISTER, "all", &answer);
	nothing_registered("DEREGISTER of all CPUs");
	for (i = 0; i <= TASKRT_FILTER_TGIDS_MAX; i++) {
		kill(tgids[i], SIGKILL);
		waitpid(tgids[i], NULL, 0);
	}
	tgids[0] = getpid();
	tap_errno(with_tgids(tgids, 2, &answer), -ESRCH, "a process that has ended beside a live one");
	tap_ok(answer.text[0], "and why: %s", answer.text);
	nothing_registered("after it");
}

/* Asks for more than the socket holds, and reads nothing. */
static void fill_buffer(void)
{
	struct raw_message message;
	unsigned int i;

	for (i = 0; i < 2000; i++) {
		raw_begin(&listener.raw, &message, TASKRT_CMD_GET, 0);
		raw_put_u32(&message, TASKRT_A_TID, 0);
		raw_send(&listener.raw, &message);
	}
}

static void empty_buffer(void)
{
	char buffer[65536];

	while (recv(listener.raw.fd, buffer, sizeof(buffer), MSG_DONTWAIT) >= 0 ||
	       errno == ENOBUFS)
		;
}

/* Who cannot be told that it is done is not registered. */
static void no_room(void)
{
	struct raw_message message;

	fill_buffer();
	raw_begin(&listener.raw, &message, TASKRT_CMD_REGISTER, NLM_F_ACK);
	raw_put(&message, TASKRT_A_CPUMASK, "all", 4);
	raw_send(&listener.raw, &message);
	empty_buffer();
	nothing_registered("after REGISTER without room for its answer");
}

#define REPLACED	1000

/* REGISTER as often as that in one system call.  Return: is one refused with @error? */
static int refused_at_once(int error)
{
	static char buffer[32768] __attribute__((aligned(8)));
	static struct mmsghdr datagrams[REPLACED];
	struct raw_message *message = with_cpus(TASKRT_CMD_REGISTER, "all", 4);
	struct iovec whole = { message, message->nl.nlmsg_len };
	int i, found = 0;
	ssize_t got;

	for (i = 0; i < REPLACED; i++)
		datagrams[i].msg_hdr = (struct msghdr){ .msg_iov = &whole, .msg_iovlen = 1 };
	if (sendmmsg(listener.raw.fd, datagrams, REPLACED, 0) != REPLACED)
		tap_bail("sendmmsg: %s", strerror(errno));
	while ((got = recv(listener.raw.fd, buffer, sizeof(buffer), MSG_DONTWAIT)) > 0) {
		const struct nlmsghdr *nl = (void *)buffer;
		int left = got;

		for (; NLMSG_OK(nl, left); nl = NLMSG_NEXT(nl, left))
			found |= nl->nlmsg_type == NLMSG_ERROR &&
				 ((struct nlmsgerr *)NLMSG_DATA(nl))->error == -error;
	}
	return found;
}

/* What REGISTER replaces is freed after a grace period: there is a limit until then. */
static void many_replaced(void)
{
	static const struct listener_filter everything;
	int room = 16 << 20, test = device_open(), found = 0, tries = 0, err;
	struct raw_answer answer;

	setsockopt(listener.raw.fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	do {
		device_read(test);
		found = refused_at_once(EAGAIN);
		device_read_end(test);
	} while (!found && tries++ < 10000 && patience_lasts());
	tap_ok(found, "a user that replaces registrations without end has to wait");
	while ((err = listener_register(&listener, &everything, &answer)) == -EAGAIN &&
	       patience_lasts())
		;
	tap_errno(err, 0, "and then goes on");
	close(test);
}

int main(void)
{
	listener_open(&listener, NULL, NULL);
	nothing_registered("at first");
	grammar();
	strings();
	conditions();
	wants();
	commands();
	nothing_registered("after all these errors");
	echo();
	nothing_registered("after DEREGISTER");
	many_processes();
	no_room();
	many_replaced();
	tap_equal(listener.wrong, 0, "no message breaks a promise");
	listener_close(&listener);
	return tap_done();
}
