/* SPDX-License-Identifier: GPL-2.0-only */
/* Raised alerts on their way to the kernel thread that delivers them, in the order of raising. */
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
	struct quota *quota;		/* limits the rate; the recorder keeps it charged */
	bool reserve;			/* may take the last quarter of alerts_max */
	u64 at;				/* when it was raised */
	u64 seq;			/* how many alerts came before; set by alert_queue_next() */
	u64 lost;			/* how many of the earlier alerts were dropped */
};

/* Module load.  @work delivers alerts, and is queued for them.  Return: 0 or an error. */
int alert_queue_init(struct kthread_work *work);

/* Module unload, after alert_queue_stop(). */
void alert_queue_exit(void);

/* Wait until all alerts are delivered.  The caller ensures that none is raised.  May sleep. */
void alert_queue_stop(void);

/* Take the oldest alert, or NULL; test if its rate permits the delivery.  Context: the work. */
struct queued_alert *alert_queue_next(void);
bool alert_queue_permits(const struct queued_alert *alert);

/* Count the last alert as delivered.  Context: the work. */
void alert_queue_delivered(void);

/* These wake no task.  Context: preemption off; a runqueue lock may be held. */
void alert_queue_add(struct queued_alert *alert);
void alert_queue_drop(void);

/*
 * alert_queue_within_rate(), alert_queue_count_rate() - a rate, with bursts of a second
 * @due: when the next alert is due at the highest rate
 * @ahead_ns: an alert may come this long before it is due
 */
static inline bool alert_queue_within_rate(u64 due, u64 now, u64 ahead_ns)
{
	return due <= now + ahead_ns;
}

static inline void alert_queue_count_rate(u64 *due, u64 now, unsigned int per_second)
{
	*due = max(*due, now) + NSEC_PER_SEC / per_second;
}

/* The number of alerts since module load, and how many of them were dropped. */
void alert_queue_counts(u64 *alerts, u64 *lost);

#endif /* TASKRT_ALERT_QUEUE_H */
