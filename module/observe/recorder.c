// SPDX-License-Identifier: GPL-2.0-only
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include "compat/clock.h"
#include "observe/recorder.h"
#include "policy/quota.h"

/* The limit of each thread; alert_queue.c limits the rates of a user, and of all users. */
#define ALERTS_PER_SECOND	10

static atomic_t nr_recorders;

/* The caller has set the alert's identity, and passes on a reference to the recorder. */
static void recorder_hand_over(struct recorder *rec, u32 reason,
			       const struct taskrt_alert_request *said,
			       const struct recorder_event *present, u64 now)
{
	struct recorder_alert *alert = &rec->alert;

	alert->queued.at = now;
	alert->queued.quota = rec->quota;
	alert->queued.reserve = rec->reserve;
	alert->reason = reason;
	strscpy(alert->tag, said ? said->tag : "", sizeof(alert->tag));
	alert->begin = said ? said->begin_ns : 0;
	alert->end = said ? said->end_ns : 0;
	alert->present.ns = 0;
	if (present)
		alert->present = *present;
	alert->ring = rec->ring;
	rec->ring = rec->spare;
	memset(rec->runs, 0, sizeof(rec->runs));
	WRITE_ONCE(rec->spare, NULL);
	alert_queue_add(&alert->queued);
}

int recorder_raise(struct recorder *rec, struct thread *t, u32 reason,
		   const struct taskrt_alert_request *said, const struct recorder_event *present,
		   u64 now)
{
	struct recorder_alert *alert = &rec->alert;
	struct task_struct *task = t->task;

	/* spare is NULL while an alert is being delivered; pairs with recorder_alert_done(). */
	if (!smp_load_acquire(&rec->spare) ||
	    !alert_queue_within_rate(t->alert_due, now, NSEC_PER_SEC)) {
		alert_queue_drop();
		return -EAGAIN;
	}
	/* If the thread was just disarmed, only RCU still keeps the recorder's memory. */
	if (!refcount_inc_not_zero(&rec->refs))
		return -ENODATA;
	alert_queue_count_rate(&t->alert_due, now, ALERTS_PER_SECOND);
	alert->tid = task_pid_nr(task);
	alert->tgid = task_tgid_nr(task);
	strscpy(alert->comm, task->comm, sizeof(alert->comm));
	recorder_hand_over(rec, reason, said, present, now);
	return 0;
}

/* After a grace period no hook has the recorder. */
static void recorder_last_rcu(struct rcu_head *rcu)
{
	struct recorder *rec = container_of(rcu, struct recorder, rcu);
	struct recorder_alert *alert = &rec->alert;
	unsigned long flags;
	bool free;

	local_irq_save(flags);
	/* Pairs with recorder_alert_done(). */
	free = smp_load_acquire(&rec->spare);
	if (free) {
		alert->tid = rec->last_tid;
		alert->tgid = rec->last_tgid;
		strscpy(alert->comm, rec->last_comm, sizeof(alert->comm));
		recorder_hand_over(rec, TASKRT_REASON_DISARMED, NULL, NULL, clock_now());
	} else {
		alert_queue_drop();
	}
	local_irq_restore(flags);
	if (!free)
		recorder_put(rec);
}

void recorder_raise_last(struct recorder *rec, struct task_struct *task)
{
	rec->last_tid = task_pid_nr(task);
	rec->last_tgid = task_tgid_nr(task);
	get_task_comm(rec->last_comm, task);
	refcount_inc(&rec->refs);
	call_rcu(&rec->rcu, recorder_last_rcu);
}

void recorder_alert_done(struct recorder *rec, int err)
{
	if (err)
		alert_queue_drop();
	else
		alert_queue_delivered();
	rec->alert.ring->recorded = 0;
	/* Now the thread can raise an alert again; pairs with recorder_raise(). */
	smp_store_release(&rec->spare, rec->alert.ring);
	recorder_put(rec);
}

struct recorder *recorder_next_alert(void)
{
	struct queued_alert *alert;
	struct recorder *rec;

	while ((alert = alert_queue_next())) {
		rec = container_of(alert, struct recorder, alert.queued);
		if (alert_queue_permits(alert))
			return rec;
		recorder_alert_done(rec, -EAGAIN);
		cond_resched();
	}
	return NULL;
}

const struct recorder_event *recorder_event(const struct recorder *rec, u32 n)
{
	const struct recorder_ring *ring = rec->alert.ring;
	const u32 depth = rec->options.depth;
	u64 first = ring->recorded > depth ? ring->recorded - depth : 0;

	if (first + n < ring->recorded)
		return &ring->events[(first + n) % depth];
	return first + n == ring->recorded && rec->alert.present.ns ? &rec->alert.present : NULL;
}

int recorder_alert(const struct taskrt_alert_request *said)
{
	struct recorder_event present = {
		.which = TASKRT_STATE_RUNNING,
		.flags = TASKRT_EVENT_PRESENT,
	};
	struct recorder *rec = NULL;
	unsigned long flags;
	struct thread *t;
	int err = -ENODATA;
	u64 now;

	local_irq_save(flags);
	/* thread_on_cpu is for hooks only: find the thread in the table. */
	t = thread_find(current);
	if (t)
		rec = READ_ONCE(t->recorder);
	if (rec) {
		now = clock_now();
		present.at = t->record.since;
		present.ns = record_elapsed(present.at, now);
		present.cpu = raw_smp_processor_id();
		err = recorder_raise(rec, t, TASKRT_REASON_REQUESTED, said, &present, now);
	}
	local_irq_restore(flags);
	return err;
}

static size_t recorder_ring_size(const struct recorder_options *options)
{
	return struct_size((struct recorder_ring *)NULL, events, options->depth);
}

static void recorder_free(struct recorder *rec)
{
	kvfree(rec->ring);
	kvfree(rec->spare);
	kfree(rec);
	atomic_dec(&nr_recorders);
}

static void recorder_free_rcu(struct rcu_head *rcu)
{
	struct recorder *rec = container_of(rcu, struct recorder, rcu);
	struct quota *quota = rec->quota;

	occupants_drop(&rec->queue);
	recorder_free(rec);
	quota_left(quota, QUOTA_ARMED);
}

void recorder_put(struct recorder *rec)
{
	if (!refcount_dec_and_test(&rec->refs))
		return;
	call_rcu(&rec->rcu, recorder_free_rcu);
}

struct recorder *recorder_alloc(const struct recorder_options *options,
				struct quota *quota)
{
	struct recorder *rec = kzalloc(sizeof(*rec), GFP_KERNEL_ACCOUNT);

	if (!rec)
		return ERR_PTR(-ENOMEM);
	atomic_inc(&nr_recorders);
	rec->options = *options;
	rec->quota = quota;
	rec->open.which = STATE_UNSEEN;
	refcount_set(&rec->refs, 1);
	rec->ring = kvzalloc(recorder_ring_size(options), GFP_KERNEL_ACCOUNT);
	rec->spare = kvzalloc(recorder_ring_size(options), GFP_KERNEL_ACCOUNT);
	if (rec->ring && rec->spare)
		return rec;
	recorder_free(rec);
	return ERR_PTR(-ENOMEM);
}

unsigned int recorder_count(void)
{
	return atomic_read(&nr_recorders);
}

u64 recorder_memory(const struct recorder *rec)
{
	return sizeof(*rec) + 2 * recorder_ring_size(&rec->options);
}

void recorder_stop(void)
{
	/* Wait for recorder_last_rcu(), which raises alerts, too. */
	rcu_barrier();
	alert_queue_stop();
}
