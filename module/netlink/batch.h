/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The exit records on their way to one socket: a message that is being filled, and messages
 * that wait because the socket is full.  The batch refers to the socket itself, because
 * the port id of a closed socket may be reused.
 */
#ifndef TASKRT_BATCH_H
#define TASKRT_BATCH_H

#include <linux/skbuff.h>
#include "netlink/stats.h"
#include "track/exit.h"

struct mem_cgroup;
struct sock;

struct batch {
	struct sock *socket;		/* a reference */
	struct mem_cgroup *memcg;	/* charged for the backlog; a reference, or NULL */
	struct sk_buff *open;		/* the newest message, or NULL */
	void *header;			/* of open */
	u32 records;			/* exit records in open */
	bool charged;			/* open is charged to memcg */
	bool sealed;			/* nothing is added to open */
	bool own;			/* the registration is limited to one user's tasks */
	struct sk_buff_head backlog;
	u64 backlog_bytes;
	u64 sequence;			/* exit records: sent, waiting and dropped */
	u64 dropped;
	u64 dropped_reported;
};

/* The progress of a batch.  sequence includes dropped. */
struct batch_progress {
	u64 sequence;
	u64 dropped;
	u64 backlog_bytes;
};

struct batch_counts {
	u64 delivered;			/* exit records sent, or waiting in a backlog */
	u64 dropped;
	u64 backlog_bytes;
};

/* The backlog is charged to the memory cgroup of the current process. */
void batch_init(struct batch *batch, struct sock *socket);

/* batch_exit(), batch_add(), batch_skip() and batch_send() are called in the worker. */
void batch_exit(struct batch *batch);

/*
 * batch_add() - add the records of an exit, or drop and count them
 * @exit: has a sample for each of @entities, with the groups of @view
 * @entities: the exit records that are wanted, TASKRT_ENTITIES_*
 *
 * Context: may sleep.
 */
void batch_add(struct batch *batch, const struct exit *exit, u32 entities,
	       const struct stats_view *view);

/* Counts @records exit records as dropped. */
void batch_skip(struct batch *batch, u32 records);

/* Sends messages.  Return: true if something is left to send. */
bool batch_send(struct batch *batch);

/* Context: any. */
void batch_progress(const struct batch *batch, struct batch_progress *progress);

/* The counts of all batches since load; backlog_bytes is the present value. */
void batch_counts(struct batch_counts *counts);
/* The limit of a backlog; half of it if the registration is OWN. */
u64 batch_backlog_max(void);

#endif /* TASKRT_BATCH_H */
