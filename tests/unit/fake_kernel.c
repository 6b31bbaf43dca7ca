// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* syscall(), ppoll() */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/capability.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/genl/genl.h>

#include "fake_kernel.h"
#include "taskrt.h"

struct datagram {
	struct datagram *next;
	size_t length;
	uint32_t port;		/* of the sender */
	char bytes[];
};

struct fake fake;

static struct datagram *first, **end = &first;
static ino_t socket_inode;
static uint32_t request_seq, request_port;

static void forget_datagrams(void)
{
	while (first) {
		struct datagram *d = first;

		first = d->next;
		free(d);
	}
	end = &first;
}

void fake_reset(void (*answer)(struct nlmsghdr *request))
{
	forget_datagrams();
	free(fake.last);
	socket_inode = 0;
	fake = (struct fake){ .family = 40, .family_version = 1, .alerts_group = 30, .answer = answer };
}

static void queue(const void *bytes, size_t length)
{
	struct datagram *d = malloc(sizeof(*d) + length);

	d->next = NULL;
	d->length = length;
	d->port = fake.port;
	memcpy(d->bytes, bytes, length);
	*end = d;
	end = &d->next;
}

static void address(struct nl_msg *message)
{
	nlmsg_hdr(message)->nlmsg_seq = request_seq;
	nlmsg_hdr(message)->nlmsg_pid = request_port;
}

void fake_send(struct nl_msg *message)
{
	address(message);
	queue(nlmsg_hdr(message), nlmsg_hdr(message)->nlmsg_len);
	nlmsg_free(message);
}

void fake_notify(struct nl_msg *message)
{
	queue(nlmsg_hdr(message), nlmsg_hdr(message)->nlmsg_len);
	nlmsg_free(message);
}

void fake_datagram(const void *bytes, size_t length)
{
	queue(bytes, length);
}

void fake_send_behind(struct nl_msg *message)
{
	struct datagram **last = &first, *d;
	size_t length = nlmsg_hdr(message)->nlmsg_len, before;

	while ((*last)->next)
		last = &(*last)->next;
	before = NLMSG_ALIGN((*last)->length);
	d = realloc(*last, sizeof(*d) + before + length);
	address(message);
	memset(d->bytes + d->length, 0, before - d->length);
	memcpy(d->bytes + before, nlmsg_hdr(message), length);
	d->length = before + length;
	*last = d;
	end = &d->next;
	nlmsg_free(message);
}

struct nl_msg *fake_message(uint8_t command, int flags)
{
	struct nl_msg *message = nlmsg_alloc_size(16384);

	genlmsg_put(message, 0, 0, fake.family, 0, flags, command, 1);
	return message;
}

static struct nl_msg *verdict(int type, int flags, const void *payload, size_t length,
			      const char *text)
{
	struct nl_msg *message = nlmsg_alloc_size(16384);

	nlmsg_put(message, 0, 0, type, 0, flags | (text ? NLM_F_ACK_TLVS : 0));
	nlmsg_append(message, (void *)payload, length, NLMSG_ALIGNTO);
	if (text)
		nla_put_string(message, NLMSGERR_ATTR_MSG, text);
	return message;
}

void fake_verdict(const struct nlmsghdr *request, int err, const char *text, bool capped)
{
	size_t echo = capped ? sizeof(*request) : request->nlmsg_len;
	char *payload;

	if (!err && !(request->nlmsg_flags & NLM_F_ACK))
		return;
	payload = malloc(sizeof(err) + echo);
	memcpy(payload, &err, sizeof(err));
	memcpy(payload + sizeof(err), request, echo);
	fake_send(verdict(NLMSG_ERROR, capped ? NLM_F_CAPPED : 0, payload,
			  sizeof(err) + echo, text));
	free(payload);
}

void fake_refuse(const struct nlmsghdr *request, int err, const char *text, int attribute)
{
	struct nlattr *attr = nlmsg_find_attr((struct nlmsghdr *)request, GENL_HDRLEN, attribute);
	struct { int err; struct nlmsghdr request; } payload = { err, *request };
	struct nl_msg *message = verdict(NLMSG_ERROR, NLM_F_CAPPED, &payload,
					 sizeof(payload), text);

	if (!attr)
		abort();
	nlmsg_hdr(message)->nlmsg_flags |= NLM_F_ACK_TLVS;
	/* at its payload, as for what is in a nest */
	nla_put_u32(message, NLMSGERR_ATTR_OFFS, (char *)nla_data(attr) - (char *)request);
	fake_send(message);
}

void fake_done(int err, const char *text)
{
	fake_send(verdict(NLMSG_DONE, NLM_F_MULTI, &err, sizeof(err), text));
}

int64_t fake_asked(int attribute)
{
	struct nlattr *attr = nlmsg_find_attr(fake.last, GENL_HDRLEN, attribute);

	return attr ? (int64_t)nla_get_u32(attr) : -1;
}

static void put_groups(struct nl_msg *message)
{
	struct nlattr *groups = nla_nest_start(message, CTRL_ATTR_MCAST_GROUPS), *group;

	group = nla_nest_start(message, 1);
	nla_put_u32(message, CTRL_ATTR_MCAST_GRP_ID, fake.alerts_group + 1);
	nla_put_string(message, CTRL_ATTR_MCAST_GRP_NAME, "another");
	nla_nest_end(message, group);
	group = nla_nest_start(message, 2);
	nla_put_u32(message, CTRL_ATTR_MCAST_GRP_ID, fake.alerts_group);
	nla_put_string(message, CTRL_ATTR_MCAST_GRP_NAME, TASKRT_GENL_ALERTS);
	nla_nest_end(message, group);
	nla_nest_end(message, groups);
}

void fake_farewell(uint16_t family)
{
	struct nl_msg *message = nlmsg_alloc();

	genlmsg_put(message, 0, 0, GENL_ID_CTRL, 0, 0, CTRL_CMD_DELFAMILY, 2);
	nla_put_u16(message, CTRL_ATTR_FAMILY_ID, family);
	fake_notify(message);
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
	if (level != SOL_NETLINK || name != NETLINK_ADD_MEMBERSHIP)
		return syscall(SYS_setsockopt, fd, level, name, value, length);
	if (fake.join_errno) {
		errno = fake.join_errno;
		return -1;
	}
	if (fake.nr_joined == sizeof(fake.joined) / sizeof(fake.joined[0]))
		abort();
	memcpy(&fake.joined[fake.nr_joined++], value, sizeof(fake.joined[0]));
	return 0;
}

/* The rights do not depend on the user that runs the test. */
int capget(cap_user_header_t header, cap_user_data_t data)
{
	(void)header;
	memset(data, fake.no_rights ? 0 : 0xff, _LINUX_CAPABILITY_U32S_3 * sizeof(*data));
	return 0;
}

int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	struct timespec time = { timeout / 1000, timeout % 1000 * 1000000L };

	if (!fake.wait)
		return ppoll(fds, nr, timeout < 0 ? NULL : &time, NULL);
	fake.waited_ms = timeout;
	return fake.wait();
}

static void resolve(const struct nlmsghdr *request)
{
	struct nl_msg *message = nlmsg_alloc();

	if (fake.family) {
		genlmsg_put(message, 0, 0, GENL_ID_CTRL, 0, 0, CTRL_CMD_NEWFAMILY, 2);
		nla_put_string(message, CTRL_ATTR_FAMILY_NAME, TASKRT_GENL_NAME);
		nla_put_u16(message, CTRL_ATTR_FAMILY_ID, fake.family);
		nla_put_u32(message, CTRL_ATTR_VERSION, fake.family_version);
		if (fake.alerts_group)
			put_groups(message);
		fake_send(message);
	} else {
		nlmsg_free(message);
	}
	fake_verdict(request, fake.family ? 0 : -ENOENT, NULL, true);
}

/* A socket that was not seen before has nothing queued from an earlier life. */
static void note_socket(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		abort();
	if (st.st_ino == socket_inode)
		return;
	socket_inode = st.st_ino;
	fake.sockets++;
	fake.connected = false;
	fake.fd = fd;
	forget_datagrams();
}

ssize_t send(int fd, const void *message, size_t length, int flags)
{
	const struct nlmsghdr *request = message;

	(void)flags;
	note_socket(fd);
	request_seq = request->nlmsg_seq;
	request_port = request->nlmsg_pid;
	if (request->nlmsg_type == GENL_ID_CTRL) {
		resolve(request);
	} else if (request->nlmsg_type != fake.family) {
		fake_verdict(request, -ENOENT, NULL, true);
	} else {
		fake.requests++;
		fake.last = realloc(fake.last, request->nlmsg_len);
		memcpy(fake.last, request, request->nlmsg_len);
		fake.answer(fake.last);
	}
	return length;
}

/* Return: what is received next; NULL: nothing, and errno says why. */
static struct datagram *receive(int flags)
{
	if (fake.receive_errno) {
		errno = fake.receive_errno;
		fake.receive_errno = 0;
		return NULL;
	}
	if (!first && !(flags & MSG_DONTWAIT)) {
		fprintf(stderr, "the library waits for what never comes\n");
		abort();
	}
	errno = EAGAIN;
	return first;
}

static void forget_first(void)
{
	struct datagram *d = first;

	first = d->next;
	if (!first)
		end = &first;
	free(d);
}

/* Somebody else was faster. */
int connect(int fd, const struct sockaddr *address, socklen_t length)
{
	const struct nlmsghdr stray = { .nlmsg_len = sizeof(stray), .nlmsg_type = NLMSG_ERROR };

	if (address->sa_family == AF_NETLINK) {
		note_socket(fd);
		queue(&stray, sizeof(stray));
		fake.stray = true;
		fake.connected = true;
	}
	return syscall(SYS_connect, fd, address, length);
}

ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
	struct datagram *d;
	size_t length;

	(void)fd;
	while (fake.connected && first && first->port)
		forget_first();
	d = receive(flags);
	if (!d)
		return -1;
	length = d->length;
	memcpy(buffer, d->bytes, length < size ? length : size);
	if (flags & MSG_DONTWAIT)
		fake.stray = false;
	forget_first();
	return flags & MSG_TRUNC || length < size ? length : size;
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	struct sockaddr_nl *from = msg->msg_name;
	struct datagram *d = receive(flags);
	size_t length;

	(void)fd;
	if (!d)
		return -1;
	length = d->length < msg->msg_iov->iov_len ? d->length : msg->msg_iov->iov_len;
	if (length)
		memcpy(msg->msg_iov->iov_base, d->bytes, length);
	memset(from, 0, sizeof(*from));
	from->nl_family = AF_NETLINK;
	from->nl_pid = d->port;
	msg->msg_namelen = sizeof(*from);
	msg->msg_controllen = 0;
	msg->msg_flags = length < d->length ? MSG_TRUNC : 0;
	if (flags & MSG_PEEK)
		return d->length;
	forget_first();
	return length;
}
