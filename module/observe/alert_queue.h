/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Alerts that were raised, on their way to a worker of their own.  The worker takes them in the
 * order in which they were raised, and delivers them within the limits of their rate.
 *
 *	hook, ioctl or RCU callback
 *			adds the alert to a lock-free list, or drops and counts it
 *	irq_work	queues the work
 *	the work	takes one alert after the other, and delivers it, or drops and counts it
 */
#ifndef TASKRT_ALERT_QUEUE_H
#define TASKRT_ALERT_QUEUE_H

#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/time64.h>
#include <linux/types.h>

struct kthread_work;
struct quota;

struct queued_alert {
	struct llist_node node;
	struct quota *quota;		/* whose rate is limited; the owner holds it */
	bool reserve;			/* may take the last quarter of the rate of all */
	u64 at;				/* when it was raised */
	u64 seq;			/* of alert_queue_next(): alerts delivered and dropped before */
	u64 lost;			/* of these, dropped */
};

/*
 * alert_queue_init() - module load
 * @work: delivers alerts; it is queued when there are some
 *
 * Return: 0 or an error.
 */
int alert_queue_init(struct kthread_work *work);

/* Module unload, after alert_queue_stop(). */
void alert_queue_exit(void);

/* Waits until all alerts were delivered.  None is raised: see recorder_stop().  May sleep. */
void alert_queue_stop(void);

/* The oldest alert, or NULL; and whether its rate permits delivering it.  Context: the work. */
struct queued_alert *alert_queue_next(void);
bool alert_queue_permits(const struct queued_alert *alert);

/* Counts the last one as delivered.  Context: the work. */
void alert_queue_delivered(void);

/* Context of both: preemption off; the runqueue lock may be held, so nothing is woken. */
void alert_queue_add(struct queued_alert *alert);
void alert_queue_drop(void);

/*
 * alert_queue_within_rate(), alert_queue_count_rate() - a rate, with bursts of a second
 * @due: when the next one is due, if they come at the highest rate
 * @ahead_ns: one may come this long before it is due
 */
static inline bool alert_queue_within_rate(u64 due, u64 now, u64 ahead_ns)
{
	return due <= now + ahead_ns;
}

static inline void alert_queue_count_rate(u64 *due, u64 now, unsigned int per_second)
{
	*due = max(*due, now) + NSEC_PER_SEC / per_second;
}

/* The number of alerts since load, and of those dropped. */
void alert_queue_counts(u64 *alerts, u64 *lost);

#endif /* TASKRT_ALERT_QUEUE_H */
