/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The alerts that were raised, on their way to a worker, which is not the one of exits.
 * The worker numbers them, and delivers them in the order in which they were raised, within
 * the limits of their rate.
 *
 *	hook, ioctl or RCU callback
 *			adds the alert to the list of its CPU, or counts it as lost there
 *	irq_work	queues the worker
 *	worker		delivers the alert, or counts it as lost
 */
#ifndef TASKRT_ALERT_QUEUE_H
#define TASKRT_ALERT_QUEUE_H

#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/time64.h>
#include <linux/types.h>

struct account;

struct queued_alert {
	struct llist_node node;		/* in the list of its CPU, until the worker takes it */
	struct list_head due;		/* in the worker's, after that */
	struct account *account;	/* whose rate is limited; the owner holds it */
	bool reserve;			/* may take the last quarter of the rate of all */
	u64 at;				/* when it was raised */
	u64 seq;			/* set on delivery: alerts delivered and lost before */
	u64 lost;			/* of these, lost */
};

/*
 * struct alert_queue_sink - how alerts are delivered
 * @tell: if it returns an error, the alert is counted as lost
 * @done: called for each alert after that; the alert is its owner's again
 *
 * Context: the worker, or alert_queue_stop() in its place; one alert at a time.
 */
struct alert_queue_sink {
	int (*tell)(const struct queued_alert *alert);
	void (*done)(struct queued_alert *alert);
};

/*
 * alert_queue_init(), alert_queue_exit() - module load and unload
 *
 * alert_queue_stop() is called before alert_queue_exit().
 * Return: 0 or an error.
 */
int alert_queue_init(const struct alert_queue_sink *sink);
void alert_queue_exit(void);

/* Delivers what was raised, when nothing raises alerts: see recorder_stop().  May sleep. */
void alert_queue_stop(void);

/* Context of both: preemption off; the runqueue lock may be held. */
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

/* The number of alerts since load, and of those lost. */
void alert_queue_counts(u64 *alerts, u64 *lost);

#endif /* TASKRT_ALERT_QUEUE_H */
