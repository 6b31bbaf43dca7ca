// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of the first day.  It knows version 1 in numbers of its own, takes
 * none of our headers nor the library, and must be understood for ever: do
 * not change what it sends or expects.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

struct v1 {
	uint32_t version;
	uint32_t size;
	uint64_t valid;
	uint64_t cpu_time_ns;
	uint64_t queue_time_ns;
};

#define V1_VALID_BOTH	3ULL
#define V1_CMD_GET	1
#define V1_A_TID	1
#define V1_A_TGID	2
#define V1_A_VERSION	3
#define V1_A_AGGR_TID	4
#define V1_A_AGGR_TGID	5
#define V1_AGGR_A_TID	2
#define V1_AGGR_A_TGID	3
#define V1_AGGR_A_STATS	4

_Static_assert(sizeof(struct v1) == 32, "32 bytes, for ever");

struct message {
	struct nlmsghdr header;
	struct genlmsghdr genl;
	char attributes[4096];
};

static int netlink;
static int number;
static int failed;

static void ok(int good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++number, name);
	failed |= !good;
}

static void put(struct message *m, uint16_t type, const void *data, uint16_t length)
{
	struct nlattr *attr = (void *)((char *)m + NLMSG_ALIGN(m->header.nlmsg_len));

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + length;
	memcpy((char *)attr + NLA_HDRLEN, data, length);
	m->header.nlmsg_len = NLMSG_ALIGN(m->header.nlmsg_len) + NLA_ALIGN(attr->nla_len);
}

static void begin(struct message *m, uint16_t family, uint8_t command, uint8_t version)
{
	memset(m, 0, sizeof(*m));
	m->header.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	m->header.nlmsg_type = family;
	m->header.nlmsg_flags = NLM_F_REQUEST;
	m->genl.cmd = command;
	m->genl.version = version;
}

/* One request, one answer.  Return: 0, or the error that was the answer. */
static int talk(struct message *m)
{
	ssize_t got;

	if (send(netlink, m, m->header.nlmsg_len, 0) < 0)
		return -1;
	got = recv(netlink, m, sizeof(*m), 0);
	if (got < (ssize_t)sizeof(m->header) || m->header.nlmsg_len > got)
		return -1;
	if (m->header.nlmsg_type == NLMSG_ERROR)
		return ((struct nlmsgerr *)NLMSG_DATA(&m->header))->error;
	return 0;
}

static struct nlattr *find(void *from, int length, uint16_t type)
{
	struct nlattr *attr = from;

	while (length >= NLA_HDRLEN && attr->nla_len >= NLA_HDRLEN && attr->nla_len <= length) {
		if ((attr->nla_type & NLA_TYPE_MASK) == type)
			return attr;
		length -= NLA_ALIGN(attr->nla_len);
		attr = (void *)((char *)attr + NLA_ALIGN(attr->nla_len));
	}
	return NULL;
}

static struct nlattr *find_in_message(struct message *m, uint16_t type)
{
	return find(m->attributes, m->header.nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN), type);
}

static struct nlattr *find_in_nest(struct nlattr *nest, uint16_t type)
{
	return find((char *)nest + NLA_HDRLEN, nest->nla_len - NLA_HDRLEN, type);
}

static uint16_t family(void)
{
	struct message m;
	struct nlattr *id;
	uint16_t number = 0;

	begin(&m, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1);
	put(&m, CTRL_ATTR_FAMILY_NAME, "taskrt", sizeof("taskrt"));
	if (talk(&m))
		return 0;
	id = find_in_message(&m, CTRL_ATTR_FAMILY_ID);
	if (id)
		memcpy(&number, (char *)id + NLA_HDRLEN, sizeof(number));
	return number;
}

static void print_bytes(const void *bytes, size_t length)
{
	const unsigned char *byte = bytes;
	size_t i;

	printf("#");
	for (i = 0; i < length; i++)
		printf("%s%02x", i % 8 ? "" : " ", byte[i]);
	printf("\n");
}

/* The payload, checked for form; NULL if there is none of the right length. */
static const struct v1 *stats(struct message *m, uint16_t nest_type, uint16_t id_type)
{
	struct nlattr *nest = find_in_message(m, nest_type), *payload, *id;
	const char *bytes;

	if (!nest)
		return NULL;
	id = find_in_nest(nest, id_type);
	payload = find_in_nest(nest, V1_AGGR_A_STATS);
	if (!id || id->nla_len != NLA_HDRLEN + 4 || !payload)
		return NULL;
	bytes = (char *)payload + NLA_HDRLEN;
	print_bytes(bytes, payload->nla_len - NLA_HDRLEN);
	if (payload->nla_len != NLA_HDRLEN + sizeof(struct v1))
		return NULL;
	return (bytes - (char *)m) % 8 ? NULL : (void *)bytes;
}

static uint64_t ask(uint16_t id, uint16_t attribute, uint16_t nest_type, uint16_t id_type,
		    const char *what)
{
	const uint32_t self = 0, version = 1;
	const struct v1 *v1;
	struct message m;
	int err;

	begin(&m, id, V1_CMD_GET, 1);
	put(&m, attribute, &self, sizeof(self));
	put(&m, V1_A_VERSION, &version, sizeof(version));
	err = talk(&m);
	if (err)
		printf("# error %d\n", err);
	v1 = err ? NULL : stats(&m, nest_type, id_type);
	printf("# %s: 32 bytes at an address that 8 divides, version 1, two fields\n", what);
	ok(v1 && v1->version == 1 && v1->size == 32 && v1->valid == V1_VALID_BOTH, what);
	return v1 ? v1->cpu_time_ns : 0;
}

int main(void)
{
	static char work[1 << 16];
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	uint64_t thread, again, process;
	uint16_t id;

	printf("1..6\n");
	netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	ok(netlink >= 0 && !connect(netlink, (void *)&kernel, sizeof(kernel)), "a socket");
	id = family();
	ok(id, "the family by its name");
	if (!id) {
		printf("Bail out! no family\n");
		return 1;
	}
	thread = ask(id, V1_A_TID, V1_A_AGGR_TID, V1_AGGR_A_TID, "this thread");
	for (int i = 0; i < 1000; i++)
		memset(work, i, sizeof(work));
	again = ask(id, V1_A_TID, V1_A_AGGR_TID, V1_AGGR_A_TID, "this thread again");
	process = ask(id, V1_A_TGID, V1_A_AGGR_TGID, V1_AGGR_A_TGID, "this process");
	ok(thread > 0 && again > thread && process >= again, "time on the CPU grows");
	close(netlink);
	return failed;
}
