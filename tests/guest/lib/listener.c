// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "listener.h"
#include "tap.h"

/* The limit that the header calls "about 16 KiB", and one record more. */
#define LONGEST_MESSAGE	(18 * 1024)
#define COMPLAINTS	10

struct message {
	struct listener *listener;
	const char *begin;
	uint64_t seq, lost;
	unsigned int seqs, losts, records;
	struct listener_record record;
	int has_id, has_cpu, has_seq, has_stats;
	uint64_t own_seq;		/* in the record's nest */
};

static void expect(struct listener *listener, int held, const char *promise)
{
	if (held)
		return;
	if (listener->wrong++ < COMPLAINTS)
		tap_diag("message %u: %s", listener->messages, promise);
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
	struct listener_record *record = &message->record;
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
		expect(message->listener, ((const char *)payload - message->begin) % 8 == 0,
		       "STATS or a group is not aligned to 8");
		expect(message->listener,
		       type == TASKRT_AGGR_A_STATS || length == group_length(type),
		       "a group of a wrong length");
		raw_into_reading(&record->reading, type, payload, length);
		break;
	default:
		expect(message->listener, 0, "an attribute that a record does not have");
	}
}

static void take_record(struct message *message, int process, const void *payload, size_t length)
{
	struct listener_record *record = &message->record;
	struct listener *listener = message->listener;

	memset(record, 0, sizeof(*record));
	record->process = process;
	record->seq = message->seq + message->records++;
	message->has_id = message->has_cpu = message->has_seq = message->has_stats = 0;
	raw_walk(payload, length, in_aggregate, message);
	expect(listener, message->has_id == 1 && message->has_cpu == 1 && message->has_seq == 1 &&
		    message->has_stats == 1, "an aggregate without an id, a CPU, SEQ or STATS");
	expect(listener, message->own_seq == record->seq, "a record's SEQ is not its number");
	expect(listener, message->seqs == 1 && message->losts == 1, "a record before SEQ and LOST");
	listener->received++;
	if (process && record->id == listener->awaited)
		listener->came = 1;
	if (listener->fn)
		listener->fn(record, listener->arg);
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
		expect(message->listener, 0, "an attribute that an EXIT does not have");
	}
}

/* received is the number before this message, as in the header. */
static void check_message(struct listener *listener, const struct message *message,
			  uint64_t received, const struct nlmsghdr *nl)
{
	const struct genlmsghdr *genl = NLMSG_DATA(nl);

	expect(listener, genl->cmd == TASKRT_CMD_EXIT, "it is no EXIT");
	expect(listener, !nl->nlmsg_pid && !nl->nlmsg_flags, "it has a port id or flags");
	expect(listener, nl->nlmsg_len <= LONGEST_MESSAGE, "it is too long");
	expect(listener, message->seqs == 1 && message->losts == 1, "not one SEQ and one LOST");
	expect(listener, message->lost >= listener->lost, "LOST shrinks");
	expect(listener, message->records || message->lost > listener->lost, "it says nothing");
	if (message->seq == received + message->lost)
		return;
	expect(listener, 0, "SEQ is not received + LOST");
	tap_diag("SEQ %llu, received %llu, LOST %llu", (unsigned long long)message->seq,
		 (unsigned long long)received, (unsigned long long)message->lost);
}

static void told(const struct nlmsghdr *nl, void *arg)
{
	struct listener *listener = arg;
	struct message message = { .listener = listener, .begin = (const char *)nl };
	uint64_t received = listener->received;

	listener->messages++;
	if (nl->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN) {
		expect(listener, 0, "it is too short");
		return;
	}
	raw_walk((const char *)NLMSG_DATA(nl) + GENL_HDRLEN,
		 nl->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN, in_message, &message);
	check_message(listener, &message, received, nl);
	listener->lost = message.lost;
	listener->empty += !message.records;
}

int listener_try_open(struct listener *listener, listener_fn fn, void *arg)
{
	int err;

	memset(listener, 0, sizeof(*listener));
	err = raw_open_plain(&listener->raw);
	listener->raw.told = told;
	listener->raw.told_arg = listener;
	listener->fn = fn;
	listener->arg = arg;
	return err;
}

void listener_open(struct listener *listener, listener_fn fn, void *arg)
{
	int err = listener_try_open(listener, fn, arg);

	if (err)
		tap_bail("no socket of the family: %s", strerror(-err));
}

void listener_close(struct listener *listener)
{
	raw_close(&listener->raw);
}

int listener_send(struct listener *listener, struct raw_message *message, struct raw_answer *answer)
{
	struct raw_answer unwanted;

	if (!answer)
		answer = &unwanted;
	raw_ask(&listener->raw, message, answer, NULL, NULL);
	return answer->answered || answer->error ? answer->error : -EPROTO;
}

static void put_conditions(struct raw_message *message, const struct listener_filter *filter)
{
	unsigned int i;
	size_t nest;

	if (!filter->own && !filter->tgid && !filter->nr_tgids && !filter->cgroup)
		return;
	nest = raw_nest(message, TASKRT_A_FILTER);
	if (filter->own)
		raw_put(message, TASKRT_FILTER_A_OWN, NULL, 0);
	if (filter->tgid)
		raw_put_u32(message, TASKRT_FILTER_A_TGID,
			    filter->tgid == LISTENER_SELF ? 0 : filter->tgid);
	for (i = 0; i < filter->nr_tgids; i++)
		raw_put_u32(message, TASKRT_FILTER_A_TGID, filter->tgids[i]);
	if (filter->cgroup)
		raw_put(message, TASKRT_FILTER_A_CGROUP, &filter->cgroup, sizeof(filter->cgroup));
	raw_nest_end(message, nest);
}

static void put_groups(struct raw_message *message, uint32_t groups)
{
	if (groups)
		raw_put_u32(message, TASKRT_A_GROUPS, groups == LISTENER_NO_GROUP ? 0 : groups);
}

int listener_register(struct listener *listener, const struct listener_filter *filter,
		      struct raw_answer *answer)
{
	const char *cpus = filter->cpus ? filter->cpus : "all";
	struct raw_message message;

	raw_begin(&listener->raw, &message, TASKRT_CMD_REGISTER, NLM_F_ACK);
	raw_put(&message, TASKRT_A_CPUMASK, cpus, strlen(cpus) + 1);
	if (filter->entities)
		raw_put_u32(&message, TASKRT_A_ENTITIES, filter->entities);
	put_conditions(&message, filter);
	if (filter->version)
		raw_put_u32(&message, TASKRT_A_VERSION, filter->version);
	put_groups(&message, filter->groups);
	return listener_send(listener, &message, answer);
}

void listener_listen(struct listener *listener, const struct listener_filter *filter)
{
	static const struct listener_filter everything;
	struct raw_answer answer;
	int err = listener_register(listener, filter ? filter : &everything, &answer);

	if (err)
		tap_bail("REGISTER: %s (%s)", strerror(-err), answer.text);
}

int listener_ask(struct listener *listener, uint8_t cmd, const char *cpus,
		 struct raw_answer *answer)
{
	struct raw_message message;

	raw_begin(&listener->raw, &message, cmd, NLM_F_ACK);
	if (cpus)
		raw_put(&message, TASKRT_A_CPUMASK, cpus, strlen(cpus) + 1);
	return listener_send(listener, &message, answer);
}

uint64_t listener_listed(struct listener *listener, uint16_t type)
{
	struct raw_answer answer;
	int err = listener_ask(listener, TASKRT_CMD_LIST, NULL, &answer);
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

/* Every sender but the kernel has a port. */
static ssize_t receive(struct listener *listener, char *buffer, size_t size)
{
	struct sockaddr_nl from = { 0 };
	socklen_t length = sizeof(from);
	ssize_t n = recvfrom(listener->raw.fd, buffer, size, MSG_DONTWAIT, (void *)&from, &length);

	if (n >= 0)
		expect(listener, !from.nl_pid && !from.nl_groups, "it is not from the kernel");
	return n < 0 ? -errno : n;
}

int listener_read(struct listener *listener)
{
	char buffer[65536] __attribute__((aligned(8)));
	unsigned int messages = listener->messages;
	struct raw_answer stray = { 0 };
	ssize_t n;

	while ((n = receive(listener, buffer, sizeof(buffer))) > 0)
		raw_take(&listener->raw, buffer, n, &stray, NULL, NULL);
	expect(listener, !stray.answered && !stray.messages, "an answer that nobody asked for");
	if (n != -EAGAIN)
		listener->error = -n;
	return listener->messages != messages ? 0 : n;
}

int listener_wait(struct listener *listener, int ms)
{
	struct pollfd ready = { .fd = listener->raw.fd, .events = POLLIN };

	return poll(&ready, 1, ms) == 1 && !listener_read(listener);
}

void listener_until(struct listener *listener, pid_t tgid)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;

	listener->came = 0;
	listener->awaited = tgid;
	while (!listener->came) {
		listener_wait(listener, 100);
		if (clock_now() > end)
			tap_bail("no record of the end of process %d: %llu received, %llu lost",
				 tgid, (unsigned long long)listener->received,
				 (unsigned long long)listener->lost);
	}
}

/* There is no order between CPUs, but each has its own. */
void listener_drain(struct listener *listener)
{
	long cpu, cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (cpu = 0; cpu < cpus; cpu++) {
		pid_t pid = fork();
		cpu_set_t set;

		if (!pid) {
			CPU_ZERO(&set);
			CPU_SET(cpu, &set);
			/* One that is off has ended nothing lately. */
			sched_setaffinity(0, sizeof(set), &set);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		listener_until(listener, pid);
	}
}
