/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel that answers as the test wants.  send(), recv(), recvmsg() and the joining of
 * multicast groups by the whole program, libnl included, come here; everything else is
 * real.
 */
#ifndef TASKRT_FAKE_KERNEL_H
#define TASKRT_FAKE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <netlink/msg.h>

struct fake {
	uint16_t family;	/* the number of "taskrt"; 0: not loaded */
	uint32_t family_version;
	uint32_t alerts_group;	/* the number of the multicast group; 0: there is none */
	int join_errno;		/* joining it fails with it */
	bool no_rights;		/* the process has no capability */
	uint32_t joined[4];	/* groups that were joined */
	unsigned int nr_joined;
	/* Called for a request to the family; answers with the functions below. */
	void (*answer)(struct nlmsghdr *request);
	bool connected;		/* the socket takes from the kernel alone */
	bool stray;		/* what was sent to the socket before is still there */
	int receive_errno;	/* the next recv() or recvmsg() fails with it */
	/* If it is not NULL, it replaces poll(): it may queue something, or set errno. */
	int (*wait)(void);
	int waited_ms;		/* as the last poll() was asked */
	uint32_t port;		/* what is queued from now on is sent by; 0: the kernel */
	unsigned int requests;	/* to the family, so far */
	unsigned int sockets;	/* different ones that were sent on, so far */
	int fd;			/* the last of them */
	struct nlmsghdr *last;	/* the last request to the family */
};

extern struct fake fake;

/* Forgets everything; the module is loaded. */
void fake_reset(void (*answer)(struct nlmsghdr *request));

/* A message of the family, for fake_send(). */
struct nl_msg *fake_message(uint8_t command, int flags);

/* Queues the message, as a datagram of its own or behind the one before, and frees it. */
void fake_send(struct nl_msg *message);
void fake_send_behind(struct nl_msg *message);

/* Queues the message as one that was not requested. */
void fake_notify(struct nl_msg *message);

/* Queue bytes that are not a message. */
void fake_datagram(const void *bytes, size_t length);

/* Generic netlink's notification that a family has gone. */
void fake_farewell(uint16_t family);

/*
 * The verdict on a request, with a text and the request or without.  An
 * acknowledgement (0) comes only to those who asked for it.
 */
void fake_verdict(const struct nlmsghdr *request, int err, const char *text, bool capped);

/* A verdict that points at an attribute of the request, or at one in it. */
void fake_refuse(const struct nlmsghdr *request, int err, const char *text, int attribute);

/* The end of a dump. */
void fake_done(int err, const char *text);

/* A u32 attribute of the last request to the family; -1: it had none. */
int64_t fake_asked(int attribute);

#endif /* TASKRT_FAKE_KERNEL_H */
