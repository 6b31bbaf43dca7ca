/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is on its way to one socket: a message that is being filled, and those
 * that wait because the socket is full.  The socket itself, not its number: a
 * number may be somebody else's tomorrow.
 */
#ifndef TASKRT_BATCH_H
#define TASKRT_BATCH_H

#include <linux/skbuff.h>
#include "netlink/stats.h"
#include "track/exit.h"

struct sock;

struct batch {
	struct sock *socket;		/* a reference */
	struct sk_buff *open;		/* the newest, being filled or waiting; or NULL */
	void *header;			/* of it */
	u32 records;			/* in it */
	bool sealed;			/* it takes no more */
	struct sk_buff_head backlog;
	u64 backlog_bytes;
	u64 sequence;			/* records: sent, waiting and lost */
	u64 lost;
	u64 lost_reported;
};

/* How far it has come; lost is part of sequence. */
struct batch_progress {
	u64 sequence;
	u64 lost;
	u64 backlog_bytes;
};

struct batch_counts {
	u64 delivered;			/* records put into sockets */
	u64 lost;
	u64 backlog_bytes;
};

void batch_init(struct batch *batch, struct sock *socket);

/* What follows: in the worker. */
void batch_exit(struct batch *batch);

/* Takes what is wanted of the exit, or counts it as lost.  RCU must not be held. */
void batch_add(struct batch *batch, const struct exit *exit, u32 entities,
	       const struct stats_view *view);

/* Sends what there is.  Return: true, if something is left. */
bool batch_send(struct batch *batch);

/* From anywhere. */
void batch_progress(const struct batch *batch, struct batch_progress *progress);

/* Of all batches, ever; backlog_bytes: now. */
void batch_counts(struct batch_counts *counts);
u64 batch_backlog_max(void);

#endif /* TASKRT_BATCH_H */
