/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Alerts that were raised, on their way to a worker of their own.  The worker numbers them, and
 * delivers them in the order in which they were raised, within the limits of their rate.
 *
 *	hook, ioctl or RCU callback
 *			adds the alert to a lock-free list, or drops and counts it
 *	irq_work	queues the work
 *	worker		delivers the alert, or drops and counts it
 */
#ifndef TASKRT_ALERT_QUEUE_H
#define TASKRT_ALERT_QUEUE_H

#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/time64.h>
#include <linux/types.h>

struct quota;

struct queued_alert {
	struct llist_node node;
	struct quota *quota;		/* whose rate is limited; the owner holds it */
	bool reserve;			/* may take the last quarter of the rate of all */
	u64 at;				/* when it was raised */
	u64 seq;			/* set on delivery: alerts delivered and dropped before */
	u64 lost;			/* of these, dropped */
};

/*
 * alert_queue_init() - module load
 * @finish: delivers an alert, if that is permitted, and takes it back in any case.  If it returns
 *	    an error, the alert is counted as dropped.  Context: the worker, or
 *	    alert_queue_stop() in its place; one alert at a time.
 *
 * Return: 0 or an error.
 */
int alert_queue_init(int (*finish)(struct queued_alert *alert, bool permitted));

/* Module unload, after alert_queue_stop(). */
void alert_queue_exit(void);

/* Delivers what was raised, when nothing raises alerts: see recorder_stop().  May sleep. */
void alert_queue_stop(void);

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
