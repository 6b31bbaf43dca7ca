// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "ear.h"
#include "tap.h"

/* "About 16 KiB", and a record more. */
#define LONGEST_MESSAGE	(18 * 1024)
#define COMPLAINTS	10

struct message {
	struct ear *ear;
	const char *begin;
	uint64_t seq, lost;
	unsigned int seqs, losts, records;
	struct ear_record record;
	int has_id, has_cpu, has_seq, has_stats;
	uint64_t own_seq;		/* in the record's nest */
};

static void expect(struct ear *ear, int held, const char *promise)
{
	if (held)
		return;
	if (ear->wrong++ < COMPLAINTS)
		tap_diag("message %u: %s", ear->messages, promise);
}

static int take_u32(uint32_t *value, const void *payload, size_t length)
{
	if (length != sizeof(*value))
		return 0;
	memcpy(value, payload, length);
	return 1;
}

static int take_u64(uint64_t *value, const void *payload, size_t length)
{
	if (length != sizeof(*value))
		return 0;
	memcpy(value, payload, length);
	return 1;
}

static size_t group_length(uint16_t type)
{
	return type == TASKRT_AGGR_A_TIMES ? sizeof(struct taskrt_times) :
	       type == TASKRT_AGGR_A_COUNTS ? sizeof(struct taskrt_counts) :
	       sizeof(struct taskrt_longests);
}

static void in_aggregate(const struct nlattr *attr, const void *payload, size_t length,
			 void *arg)
{
	struct message *message = arg;
	struct ear_record *record = &message->record;
	uint16_t type = attr->nla_type & NLA_TYPE_MASK;

	switch (type) {
	case TASKRT_AGGR_A_TID:
	case TASKRT_AGGR_A_TGID:
		message->has_id += take_u32(&record->id, payload, length);
		break;
	case TASKRT_AGGR_A_CPU:
		message->has_cpu += take_u32(&record->cpu, payload, length);
		break;
	case TASKRT_AGGR_A_SEQ:
		message->has_seq += take_u64(&message->own_seq, payload, length);
		break;
	case TASKRT_AGGR_A_PAD:
		break;
	case TASKRT_AGGR_A_STATS:
		message->has_stats++;
		record->length = length;
		/* fall through */
	case TASKRT_AGGR_A_TIMES:
	case TASKRT_AGGR_A_COUNTS:
	case TASKRT_AGGR_A_LONGEST:
		expect(message->ear, ((const char *)payload - message->begin) % 8 == 0,
		       "STATS or a group is not aligned to 8");
		expect(message->ear, type == TASKRT_AGGR_A_STATS || length == group_length(type),
		       "a group of a wrong length");
		raw_into_reading(&record->reading, type, payload, length);
		break;
	default:
		expect(message->ear, 0, "an attribute that a record does not have");
	}
}

static void take_record(struct message *message, int process, const void *payload, size_t length)
{
	struct ear_record *record = &message->record;
	struct ear *ear = message->ear;

	memset(record, 0, sizeof(*record));
	record->process = process;
	record->seq = message->seq + message->records++;
	message->has_id = message->has_cpu = message->has_seq = message->has_stats = 0;
	raw_walk(payload, length, in_aggregate, message);
	expect(ear, message->has_id == 1 && message->has_cpu == 1 && message->has_seq == 1 &&
		    message->has_stats == 1, "an aggregate without an id, a CPU, SEQ or STATS");
	expect(ear, message->own_seq == record->seq, "a record's SEQ is not its number");
	expect(ear, message->seqs == 1 && message->losts == 1, "a record before SEQ and LOST");
	ear->received++;
	if (process && record->id == ear->awaited)
		ear->came = 1;
	if (ear->fn)
		ear->fn(record, ear->arg);
}

static void in_message(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct message *message = arg;

	switch (attr->nla_type & NLA_TYPE_MASK) {
	case TASKRT_A_SEQ:
		message->seqs += take_u64(&message->seq, payload, length);
		break;
	case TASKRT_A_LOST:
		message->losts += take_u64(&message->lost, payload, length);
		break;
	case TASKRT_A_AGGR_TID:
	case TASKRT_A_AGGR_TGID:
		take_record(message, (attr->nla_type & NLA_TYPE_MASK) == TASKRT_A_AGGR_TGID,
			    payload, length);
		break;
	case TASKRT_A_PAD:
		break;
	default:
		expect(message->ear, 0, "an attribute that an EXIT does not have");
	}
}

/* received is that before this message, as the header has it. */
static void check_message(struct ear *ear, const struct message *message, uint64_t received,
			  const struct nlmsghdr *nl)
{
	const struct genlmsghdr *genl = NLMSG_DATA(nl);

	expect(ear, genl->cmd == TASKRT_CMD_EXIT, "it is no EXIT");
	expect(ear, !nl->nlmsg_pid && !nl->nlmsg_flags, "it has a port id or flags");
	expect(ear, nl->nlmsg_len <= LONGEST_MESSAGE, "it is too long");
	expect(ear, message->seqs == 1 && message->losts == 1, "not one SEQ and one LOST");
	expect(ear, message->lost >= ear->lost, "LOST shrinks");
	expect(ear, message->records || message->lost > ear->lost, "it says nothing");
	if (message->seq == received + message->lost)
		return;
	expect(ear, 0, "SEQ is not received + LOST");
	tap_diag("SEQ %llu, received %llu, LOST %llu", (unsigned long long)message->seq,
		 (unsigned long long)received, (unsigned long long)message->lost);
}

static void told(const struct nlmsghdr *nl, void *arg)
{
	struct ear *ear = arg;
	struct message message = { .ear = ear, .begin = (const char *)nl };
	uint64_t received = ear->received;

	ear->messages++;
	if (nl->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN) {
		expect(ear, 0, "it is too short");
		return;
	}
	raw_walk((const char *)NLMSG_DATA(nl) + GENL_HDRLEN,
		 nl->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN, in_message, &message);
	check_message(ear, &message, received, nl);
	ear->lost = message.lost;
	ear->empty += !message.records;
}

int ear_try_open(struct ear *ear, ear_fn fn, void *arg)
{
	int err;

	memset(ear, 0, sizeof(*ear));
	err = raw_open_plain(&ear->raw);
	ear->raw.told = told;
	ear->raw.told_arg = ear;
	ear->fn = fn;
	ear->arg = arg;
	return err;
}

void ear_open(struct ear *ear, ear_fn fn, void *arg)
{
	int err = ear_try_open(ear, fn, arg);

	if (err)
		tap_bail("no socket of the family: %s", strerror(-err));
}

void ear_close(struct ear *ear)
{
	raw_close(&ear->raw);
}

int ear_send(struct ear *ear, struct raw_message *message, struct raw_answer *answer)
{
	struct raw_answer unwanted;

	if (!answer)
		answer = &unwanted;
	raw_ask(&ear->raw, message, answer, NULL, NULL);
	return answer->answered || answer->error ? answer->error : -EPROTO;
}

static void put_conditions(struct raw_message *message, const struct ear_filter *filter)
{
	size_t nest;

	if (!filter->own && !filter->tgid && !filter->cgroup)
		return;
	nest = raw_nest(message, TASKRT_A_FILTER);
	if (filter->own)
		raw_put(message, TASKRT_FILTER_A_OWN, NULL, 0);
	if (filter->tgid)
		raw_put_u32(message, TASKRT_FILTER_A_TGID,
			    filter->tgid == EAR_SELF ? 0 : filter->tgid);
	if (filter->cgroup)
		raw_put(message, TASKRT_FILTER_A_CGROUP, &filter->cgroup, sizeof(filter->cgroup));
	raw_nest_end(message, nest);
}

static void put_groups(struct raw_message *message, uint32_t groups)
{
	if (groups)
		raw_put_u32(message, TASKRT_A_GROUPS, groups == EAR_NO_GROUP ? 0 : groups);
}

int ear_register(struct ear *ear, const struct ear_filter *filter,
		 struct raw_answer *answer)
{
	const char *cpus = filter->cpus ? filter->cpus : "all";
	struct raw_message message;

	raw_begin(&ear->raw, &message, TASKRT_CMD_REGISTER, NLM_F_ACK);
	raw_put(&message, TASKRT_A_CPUMASK, cpus, strlen(cpus) + 1);
	if (filter->entities)
		raw_put_u32(&message, TASKRT_A_ENTITIES, filter->entities);
	put_conditions(&message, filter);
	if (filter->version)
		raw_put_u32(&message, TASKRT_A_VERSION, filter->version);
	put_groups(&message, filter->groups);
	return ear_send(ear, &message, answer);
}

void ear_listen(struct ear *ear, const struct ear_filter *filter)
{
	static const struct ear_filter everything;
	struct raw_answer answer;
	int err = ear_register(ear, filter ? filter : &everything, &answer);

	if (err)
		tap_bail("REGISTER: %s (%s)", strerror(-err), answer.text);
}

int ear_ask(struct ear *ear, uint8_t cmd, const char *cpus, struct raw_answer *answer)
{
	struct raw_message message;

	raw_begin(&ear->raw, &message, cmd, NLM_F_ACK);
	if (cpus)
		raw_put(&message, TASKRT_A_CPUMASK, cpus, strlen(cpus) + 1);
	return ear_send(ear, &message, answer);
}

uint64_t ear_listed(struct ear *ear, uint16_t type)
{
	struct raw_answer answer;
	int err = ear_ask(ear, TASKRT_CMD_LIST, NULL, &answer);
	const void *payload;
	uint64_t value;
	size_t length;

	if (err)
		tap_bail("LIST: %s (%s)", strerror(-err), answer.text);
	payload = raw_find(&answer, type, &length);
	if (!payload || length != sizeof(value))
		tap_bail("LIST: no attribute %u", type);
	memcpy(&value, payload, sizeof(value));
	return value;
}

/* All senders but the kernel have a port. */
static ssize_t receive(struct ear *ear, char *buffer, size_t size)
{
	struct sockaddr_nl from = { 0 };
	socklen_t length = sizeof(from);
	ssize_t n = recvfrom(ear->raw.fd, buffer, size, MSG_DONTWAIT, (void *)&from, &length);

	if (n >= 0)
		expect(ear, !from.nl_pid && !from.nl_groups, "it is not from the kernel");
	return n < 0 ? -errno : n;
}

int ear_read(struct ear *ear)
{
	char buffer[65536] __attribute__((aligned(8)));
	unsigned int messages = ear->messages;
	struct raw_answer stray = { 0 };
	ssize_t n;

	while ((n = receive(ear, buffer, sizeof(buffer))) > 0)
		raw_take(&ear->raw, buffer, n, &stray, NULL, NULL);
	expect(ear, !stray.answered && !stray.messages, "an answer that nobody asked for");
	if (n != -EAGAIN)
		ear->error = -n;
	return ear->messages != messages ? 0 : n;
}

int ear_wait(struct ear *ear, int ms)
{
	struct pollfd ready = { .fd = ear->raw.fd, .events = POLLIN };

	return poll(&ready, 1, ms) == 1 && !ear_read(ear);
}

void ear_until(struct ear *ear, pid_t tgid)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;

	ear->came = 0;
	ear->awaited = tgid;
	while (!ear->came) {
		ear_wait(ear, 100);
		if (clock_now() > end)
			tap_bail("nobody tells that process %d ended: %llu received, %llu lost",
				 tgid, (unsigned long long)ear->received,
				 (unsigned long long)ear->lost);
	}
}

void ear_drain(struct ear *ear)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	ear_until(ear, pid);
}
