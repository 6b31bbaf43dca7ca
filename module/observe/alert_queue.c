// SPDX-License-Identifier: GPL-2.0-only
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include "compat/irq_work.h"
#include "observe/account.h"
#include "observe/alert_queue.h"
#include "task/worker.h"

static unsigned int alerts_per_user = 100;
module_param(alerts_per_user, uint, 0644);
MODULE_PARM_DESC(alerts_per_user, "Maximum number of alerts per second and user (default 100)");

static unsigned int alerts_max = 1000;
module_param(alerts_max, uint, 0644);
MODULE_PARM_DESC(alerts_max, "Maximum number of alerts per second, of all users (default 1000)");

/* One for each CPU, so that CPUs do not meet under their runqueue locks. */
struct alert_queue_here {
	struct llist_head alerts;
	struct irq_work handed_on;
	u64 lost;
};

static DEFINE_PER_CPU(struct alert_queue_here, alert_queue_here);

static const struct alert_queue_sink *sink;
static struct kthread_worker *worker;	/* of alerts only: delivering one may take long */
static struct kthread_work deliver_work;

/* In the order in which they were raised; they wait for others.  Worker only. */
static LIST_HEAD(held);

/* Written by the worker. */
static u64 nr_delivered;
static u64 all_due;

static void alert_queue_work(struct irq_work *work)
{
	kthread_queue_work(worker, &deliver_work);
}

void alert_queue_add(struct queued_alert *alert)
{
	struct alert_queue_here *here = this_cpu_ptr(&alert_queue_here);

	if (llist_add(&alert->node, &here->alerts))
		irq_work_queue(&here->handed_on);
}

void alert_queue_drop(void)
{
	this_cpu_inc(alert_queue_here.lost);
}

/* It never decreases, as none of its parts does. */
static u64 alert_queue_dropped(void)
{
	u64 lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += READ_ONCE(per_cpu(alert_queue_here.lost, cpu));
	return lost;
}

static bool alert_queue_permits(const struct queued_alert *alert)
{
	const unsigned int own = READ_ONCE(alerts_per_user), all = READ_ONCE(alerts_max);
	const u64 ahead_ns = alert->reserve ? NSEC_PER_SEC : NSEC_PER_SEC / 4 * 3;
	u64 *own_due = &alert->account->alerts_due;

	if (!own || !alert_queue_within_rate(*own_due, alert->at, NSEC_PER_SEC) ||
	    !all || !alert_queue_within_rate(all_due, alert->at, ahead_ns))
		return false;
	alert_queue_count_rate(own_due, alert->at, own);
	alert_queue_count_rate(&all_due, alert->at, all);
	return true;
}

static void alert_queue_deliver_one(struct queued_alert *alert)
{
	/* Numbers are assigned here, and lost alerts count: a gap is a lost one. */
	alert->lost = alert_queue_dropped();
	alert->seq = nr_delivered + alert->lost;
	if (alert_queue_permits(alert) && !sink->tell(alert))
		WRITE_ONCE(nr_delivered, nr_delivered + 1);
	else
		alert_queue_drop();
	sink->done(alert);
}

static u64 alert_queue_at(const struct list_head *due)
{
	return list_entry(due, struct queued_alert, due)->at;
}

/* The list of a CPU is in order but for its interrupts, so the search goes on from the last. */
static void alert_queue_collect_of(struct llist_head *alerts)
{
	struct list_head *behind = &held;
	struct queued_alert *alert;

	/* The line of a CPU that has raised nothing is not written to. */
	if (llist_empty(alerts))
		return;
	llist_for_each_entry(alert, llist_reverse_order(llist_del_all(alerts)), node) {
		while (behind != &held && alert_queue_at(behind) > alert->at)
			behind = behind->prev;
		while (behind->next != &held && alert_queue_at(behind->next) <= alert->at)
			behind = behind->next;
		list_add(&alert->due, behind);
		behind = &alert->due;
		cond_resched();
	}
}

static void alert_queue_collect(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		alert_queue_collect_of(&per_cpu(alert_queue_here.alerts, cpu));
}

/*
 * In the worker, or in alert_queue_stop() in its place; never in both at once.
 *
 * A thread may raise one alert on a CPU whose list we have just seen, move, and raise the
 * next on one that we come to.  So we look twice, and deliver only what was raised no later
 * than the last that the first look has found: whatever was added before one of these was
 * raised, the second look finds.
 */
static void alert_queue_deliver(struct kthread_work *work)
{
	struct queued_alert *alert;
	u64 end;

	alert_queue_collect();
	if (list_empty(&held))
		return;
	end = alert_queue_at(held.prev);
	alert_queue_collect();
	while (!list_empty(&held) && alert_queue_at(held.next) <= end) {
		alert = list_first_entry(&held, struct queued_alert, due);
		list_del(&alert->due);
		alert_queue_deliver_one(alert);
		cond_resched();
	}
	if (!list_empty(&held))
		kthread_queue_work(worker, &deliver_work);
}

void alert_queue_counts(u64 *alerts, u64 *lost)
{
	*lost = alert_queue_dropped();
	*alerts = READ_ONCE(nr_delivered) + *lost;
}

int alert_queue_init(const struct alert_queue_sink *to)
{
	int cpu;

	sink = to;
	for_each_possible_cpu(cpu)
		compat_init_irq_work(&per_cpu(alert_queue_here.handed_on, cpu), alert_queue_work);
	kthread_init_work(&deliver_work, alert_queue_deliver);
	worker = worker_start("taskrt_alerts");
	return PTR_ERR_OR_ZERO(worker);
}

void alert_queue_exit(void)
{
	kthread_destroy_worker(worker);
}

void alert_queue_stop(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(alert_queue_here.handed_on, cpu));
	kthread_cancel_work_sync(&deliver_work);
	/* Only an alert queues the work, and nobody raises one: the worker has no work. */
	alert_queue_deliver(NULL);
}
