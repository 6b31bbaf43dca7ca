// SPDX-License-Identifier: GPL-2.0-only
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include "compat/compat.h"
#include "observe/alert_queue.h"
#include "policy/quota.h"
#include "task/worker.h"

static unsigned int alerts_per_user = 100;
module_param(alerts_per_user, uint, 0644);
MODULE_PARM_DESC(alerts_per_user, "Maximum number of alerts per second and user (default 100)");

static unsigned int alerts_max = 1000;
module_param(alerts_max, uint, 0644);
MODULE_PARM_DESC(alerts_max, "Maximum number of alerts per second, of all users (default 1000)");

/* All CPUs share the queue.  recorder_raise() keeps it short, by limiting the rate of a thread. */
static LLIST_HEAD(queue);

/* Per CPU, because many alerts may be dropped.  The counts never decrease, nor does their sum. */
static DEFINE_PER_CPU(u64, dropped);

static struct kthread_worker *worker;	/* for alerts only: a delivery may take long */
static struct kthread_work *deliver_work;
static struct irq_work wake_work;

/* Written by deliver_work only: */
static struct llist_node *pending;	/* taken from the queue, oldest first */
static u64 nr_delivered;
static u64 all_due;

static void alert_queue_wake(struct irq_work *work)
{
	kthread_queue_work(worker, deliver_work);
}

void alert_queue_add(struct queued_alert *alert)
{
	if (llist_add(&alert->node, &queue))
		irq_work_queue(&wake_work);
}

void alert_queue_drop(void)
{
	this_cpu_inc(dropped);
}

static u64 alert_queue_dropped(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(dropped, cpu));
	return sum;
}

bool alert_queue_permits(const struct queued_alert *alert)
{
	const unsigned int own = READ_ONCE(alerts_per_user), all = READ_ONCE(alerts_max);
	const u64 ahead_ns = alert->reserve ? NSEC_PER_SEC : NSEC_PER_SEC / 4 * 3;
	u64 *own_due = &alert->quota->alerts_due;

	if (!own || !alert_queue_within_rate(*own_due, alert->at, NSEC_PER_SEC) ||
	    !all || !alert_queue_within_rate(all_due, alert->at, ahead_ns))
		return false;
	alert_queue_count_rate(own_due, alert->at, own);
	alert_queue_count_rate(&all_due, alert->at, all);
	return true;
}

struct queued_alert *alert_queue_next(void)
{
	struct queued_alert *alert;

	if (!pending)
		pending = llist_reverse_order(llist_del_all(&queue));
	if (!pending)
		return NULL;
	alert = llist_entry(pending, struct queued_alert, node);
	pending = pending->next;
	/* Dropped alerts have numbers, too, so that a gap shows them. */
	alert->lost = alert_queue_dropped();
	alert->seq = nr_delivered + alert->lost;
	return alert;
}

void alert_queue_delivered(void)
{
	WRITE_ONCE(nr_delivered, nr_delivered + 1);
}

void alert_queue_counts(u64 *alerts, u64 *lost)
{
	*lost = alert_queue_dropped();
	*alerts = READ_ONCE(nr_delivered) + *lost;
}

int alert_queue_init(struct kthread_work *work)
{
	deliver_work = work;
	compat_init_irq_work(&wake_work, alert_queue_wake);
	worker = worker_start("taskrt_alerts");
	return PTR_ERR_OR_ZERO(worker);
}

void alert_queue_exit(void)
{
	kthread_destroy_worker(worker);
}

void alert_queue_stop(void)
{
	irq_work_sync(&wake_work);
	kthread_flush_work(deliver_work);
}
