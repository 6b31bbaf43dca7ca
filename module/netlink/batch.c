// SPDX-License-Identifier: GPL-2.0-only
#include <linux/memcontrol.h>
#include <linux/moduleparam.h>
#include <linux/taskrt.h>
#include <net/genetlink.h>
#include <net/sock.h>
#include "compat/compat.h"
#include "netlink/batch.h"
#include "netlink/family.h"
#include "netlink/message.h"

/* The size of a message.  The unused part is freed when the message is sent. */
#define MESSAGE_SIZE	(SKB_WITH_OVERHEAD(16384) - NLMSG_HDRLEN - GENL_HDRLEN)

/* Enough for 3,000 exit records with all groups.  A message holds seven. */
static unsigned int backlog_kib = 8192;
module_param(backlog_kib, uint, 0644);
MODULE_PARM_DESC(backlog_kib,
		 "Maximum KiB of exits that wait for one listener, half of it with OWN (default 8192)");

/*
 * At most this many messages of a backlog are sent at once.  Each message wakes every task that
 * waits for the socket, and a listener may have many such tasks.  So this limits how long one
 * listener can occupy the worker.
 */
#define SEND_AT_ONCE	16

/* Written by the worker only. */
static struct batch_counts all;

u64 batch_backlog_max(void)
{
	return (u64)READ_ONCE(backlog_kib) << 10;
}

void batch_counts(struct batch_counts *counts)
{
	counts->delivered = READ_ONCE(all.delivered);
	counts->dropped = READ_ONCE(all.dropped);
	counts->backlog_bytes = READ_ONCE(all.backlog_bytes);
}

void batch_init(struct batch *b, struct sock *socket)
{
	memset(b, 0, sizeof(*b));
	sock_hold(socket);
	b->socket = socket;
	b->memcg = get_mem_cgroup_from_mm(current->mm);
	__skb_queue_head_init(&b->backlog);
}

void batch_exit(struct batch *b)
{
	kfree_skb(b->open);
	__skb_queue_purge(&b->backlog);
	all.backlog_bytes -= b->backlog_bytes;
	mem_cgroup_put(b->memcg);
	sock_put(b->socket);
}

/*
 * Allocates memory that is charged to the listener's memory cgroup.  If the cgroup has reached its
 * limit, this fails at once: the worker serves all listeners, and must not reclaim memory for one.
 */
static struct sk_buff *batch_alloc_charged(const struct batch *b, unsigned int size)
{
	struct mem_cgroup *before = compat_charge_to(b->memcg);
	struct sk_buff *skb = alloc_skb(size, GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN);

	compat_charge_to(before);
	return skb;
}

static bool batch_open_message(struct batch *b)
{
	const unsigned int size = NLMSG_HDRLEN + GENL_HDRLEN + MESSAGE_SIZE;
	struct sk_buff *skb = batch_alloc_charged(b, size);

	b->charged = skb;
	/* One message of each listener may be uncharged until it is sent. */
	if (!skb)
		skb = alloc_skb(size, GFP_KERNEL | __GFP_NOWARN);
	if (!skb)
		return false;
	b->header = genlmsg_put(skb, 0, 0, &family, 0, TASKRT_CMD_EXIT);
	if (!b->header ||
	    nla_put_u64_64bit(skb, TASKRT_A_SEQ, b->sequence, TASKRT_A_PAD) ||
	    nla_put_u64_64bit(skb, TASKRT_A_LOST, b->dropped, TASKRT_A_PAD)) {
		kfree_skb(skb);
		return false;
	}
	b->open = skb;
	b->records = 0;
	b->sealed = false;
	b->dropped_reported = b->dropped;
	return true;
}

static void batch_seal(struct batch *b)
{
	if (!b->sealed)
		genlmsg_end(b->open, b->header);
	b->sealed = true;
}

/* True if netlink_trim() would shrink the message. */
static bool batch_wasteful(const struct sk_buff *skb)
{
	return (skb->end - skb->tail) * 2 > skb->truesize;
}

/* If memory allows, moves a wasteful message to a smaller buffer, which is not charged. */
static void batch_trim(struct batch *b, struct sk_buff *skb)
{
	const int less = -(int)(skb->end - skb->tail);

	if (!batch_wasteful(skb) || pskb_expand_head(skb, 0, less, GFP_KERNEL | __GFP_NOWARN))
		return;
	if (skb == b->open)
		b->charged = false;
}

/* Return: false if the socket is full; otherwise the message has been consumed. */
static bool batch_deliver(struct batch *b, struct sk_buff *skb)
{
	struct sock *socket = b->socket;
	int err = -ENOMEM;

	/* Test this first: a failed sock_queue_rcv_skb() is counted as a drop of the socket. */
	if (atomic_read(&socket->sk_rmem_alloc) < READ_ONCE(socket->sk_rcvbuf)) {
		batch_trim(b, skb);
		err = sock_queue_rcv_skb(socket, skb);
	}
	if (err == -ENOMEM || err == -ENOBUFS)
		return false;
	/* The socket's own filter has rejected the message. */
	if (err)
		kfree_skb(skb);
	return true;
}

static void batch_send_backlog(struct batch *b)
{
	unsigned int left = SEND_AT_ONCE;
	struct sk_buff *skb;

	while ((skb = skb_peek(&b->backlog)) && left--) {
		const u64 size = skb->truesize;
		bool sent;

		__skb_unlink(skb, &b->backlog);
		sent = batch_deliver(b, skb);
		if (!sent)
			__skb_queue_head(&b->backlog, skb);
		/* A message that was not sent may have been trimmed. */
		b->backlog_bytes -= sent ? size : size - skb->truesize;
		all.backlog_bytes -= sent ? size : size - skb->truesize;
		if (!sent)
			return;
		cond_resched();
	}
}

static struct sk_buff *batch_copy_charged(const struct batch *b, const struct sk_buff *skb)
{
	struct sk_buff *copy = batch_alloc_charged(b, skb->len);

	if (copy)
		skb_put_data(copy, skb->data, skb->len);
	return copy;
}

static bool batch_backlog_has_room(const struct batch *b, unsigned int size)
{
	/* OWN needs no right, so many listeners may have it: each gets half. */
	const u64 max = batch_backlog_max() >> READ_ONCE(b->own);

	return skb_queue_empty(&b->backlog) || b->backlog_bytes + size <= max;
}

/*
 * Return: false if the backlog has no room, or if the memory cgroup refuses the charge for an
 * uncharged message; otherwise the message is in the backlog.
 */
static bool batch_queue(struct batch *b, struct sk_buff *skb)
{
	struct sk_buff *copy = NULL;

	/* Even a copy without unused space takes at least this. */
	if (!batch_backlog_has_room(b, SKB_TRUESIZE(skb->len)))
		return false;
	if (!b->charged || batch_wasteful(skb))
		copy = batch_copy_charged(b, skb);
	if (!copy && !b->charged)
		return false;
	if (!batch_backlog_has_room(b, (copy ?: skb)->truesize)) {
		kfree_skb(copy);
		return false;
	}
	if (copy) {
		kfree_skb(skb);
		skb = copy;
	}
	__skb_queue_tail(&b->backlog, skb);
	b->backlog_bytes += skb->truesize;
	all.backlog_bytes += skb->truesize;
	return true;
}

/* Sends or queues the open message.  Return: false if there is no room, and it stays open. */
static bool batch_push(struct batch *b)
{
	struct sk_buff *skb = b->open;

	batch_seal(b);
	batch_send_backlog(b);
	if (!(skb_queue_empty(&b->backlog) && batch_deliver(b, skb)) &&
	    !batch_queue(b, skb))
		return false;
	b->open = NULL;
	all.delivered += b->records;
	return true;
}

static bool batch_make_room(struct batch *b, size_t size)
{
	if (b->open && !b->sealed && skb_tailroom(b->open) >= size)
		return true;
	if (b->open && !batch_push(b))
		return false;
	return batch_open_message(b);
}

static void batch_drop(struct batch *b, u32 records)
{
	/* Records after the loss go into a new message, whose LOST includes it. */
	if (b->open)
		batch_seal(b);
	WRITE_ONCE(b->dropped, b->dropped + records);
	all.dropped += records;
}

static void batch_put_thread(struct batch *b, const struct exit *exit,
			     const struct message_exit *where,
			     const struct stats_ids *ids, const struct stats_view *view)
{
	struct stats_aggr aggr;

	if (!message_put_thread(b->open, ids->tid, where, view, &aggr))
		stats_of_thread(&aggr, &exit->sample, exit->task, ids, view);
}

static void batch_put_process(struct batch *b, const struct exit *exit,
			      const struct message_exit *where,
			      const struct stats_ids *ids, const struct stats_view *view)
{
	struct stats_aggr aggr;

	if (!message_put_process(b->open, ids->tgid, where, view, &aggr))
		stats_of_process(&aggr, &exit->process, exit->leader, ids, view);
}

static void batch_put(struct batch *b, const struct exit *exit, u32 entities,
		      const struct stats_view *view)
{
	const struct thread_exit *who = &exit->thread->exit;
	const struct stats_ids ids = {
		.tid = stats_pid(view, who->tid),
		.tgid = stats_pid(view, who->tgid),
		.ppid = stats_pid(view, who->parent),
	};
	struct message_exit where = { .cpu = exit->thread->exit_cpu, .seq = b->sequence };

	rcu_read_lock();
	if (entities & TASKRT_ENTITIES_THREADS) {
		batch_put_thread(b, exit, &where, &ids, view);
		where.seq++;
	}
	if (entities & TASKRT_ENTITIES_PROCESSES)
		batch_put_process(b, exit, &where, &ids, view);
	rcu_read_unlock();
}

void batch_skip(struct batch *b, u32 records)
{
	WRITE_ONCE(b->sequence, b->sequence + records);
	smp_wmb();	/* dropped never exceeds sequence; pairs with batch_progress() */
	batch_drop(b, records);
}

void batch_add(struct batch *b, const struct exit *exit, u32 entities,
	       const struct stats_view *view)
{
	const u32 records = hweight32(entities);

	/* Make room for all records of the exit first, so that they stay together. */
	if (!batch_make_room(b, records * message_exit_size(view))) {
		batch_skip(b, records);
	} else {
		batch_put(b, exit, entities, view);
		b->records += records;
		WRITE_ONCE(b->sequence, b->sequence + records);
	}
}

void batch_progress(const struct batch *b, struct batch_progress *progress)
{
	progress->dropped = READ_ONCE(b->dropped);
	smp_rmb();		/* pairs with batch_skip() */
	progress->sequence = READ_ONCE(b->sequence);
	progress->backlog_bytes = READ_ONCE(b->backlog_bytes);
}

bool batch_send(struct batch *b)
{
	if (b->open)
		batch_push(b);
	else
		batch_send_backlog(b);
	if (!b->open && b->dropped != b->dropped_reported && batch_open_message(b))
		batch_push(b);
	return b->open || !skb_queue_empty(&b->backlog) || b->dropped != b->dropped_reported;
}
