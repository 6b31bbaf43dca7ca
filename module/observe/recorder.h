/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flight recorder of an armed thread keeps the thread's last events in a ring of fixed size.
 * An alert passes the ring to a worker, and a second ring takes its place.  Until the alert is
 * delivered, further alerts of the thread are dropped.
 */
#ifndef TASKRT_RECORDER_H
#define TASKRT_RECORDER_H

#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/taskrt_page.h>
#include "observe/alert_queue.h"
#include "observe/occupants.h"
#include "task/thread.h"

struct quota;
struct net;
struct observer_bucket;
struct sock;

/* Another task that was involved in an event. */
struct recorder_task {
	u32 tid;
	char comm[TASK_COMM_LEN];
};

/* The waker of the thread, from the start of the wake-up on. */
struct recorder_waker {
	bool known;
	bool interrupt;			/* an interrupt is the waker, not a task */
	struct recorder_task task;
};

struct recorder_event {
	u64 at;
	u64 ns;
	u8 type;			/* enum taskrt_event_type */
	u8 which;
	u8 lock;			/* enum taskrt_lock */
	bool stack;			/* it took so long that its frames are reported */
	u32 nr_frames;
	u32 flags;			/* TASKRT_EVENT_* */
	u32 cpu;
	u64 lock_addr;
	u64 fault_addr;
	u64 futex;			/* its address in the process */
	u64 other_ns;			/* how long other had the CPU; 0: not known */
	u64 slack;			/* how late a timer may be */
	/* If several intervals share the event: see struct taskrt_event. */
	u32 count;
	u64 longest, end;
	u32 futex_op;			/* valid if flags say so, like syscall */
	u32 syscall;
	struct recorder_task owner, waker, other;
	unsigned long frames[TASKRT_FRAMES_MAX];
};

struct recorder_ring {
	u64 recorded;			/* events written since the ring was empty */
	struct recorder_event events[];
};

/* An alert, with the identity that the thread had when the alert was raised. */
struct recorder_alert {
	struct queued_alert queued;
	u32 reason;
	u32 tid, tgid;			/* initial pid namespace */
	char comm[TASK_COMM_LEN];
	char tag[TASKRT_TAG_MAX];
	u64 begin, end;			/* the late cycle, if the thread has reported it */
	struct recorder_ring *ring;
	struct recorder_event present;	/* the present state; ns 0: not reported */
};

struct recorder_options {
	u32 depth;
	u32 states;			/* mask: states whose intervals may raise an alert */
	u64 alert_over;			/* if they take at least this many ns; 0: never */
	u64 threshold;			/* report the stacks of waits of at least this many ns */
};

struct recorder {
	struct recorder_options options;
	struct recorder_ring *ring;	/* hooks write events to it */
	struct recorder_ring *spare;	/* NULL while an alert is being delivered */
	/* ring->recorded after the event that the next short fault or lock wait may join; or 0. */
	u64 runs[NR_OWN_TIMERS];
	struct recorder_event open;	/* of the present state, as far as known */
	struct recorder_event fault;	/* of the present fault */
	struct recorder_event wait;	/* of the present lock wait */
	struct recorder_waker waker;
	struct occupants_wait queue;	/* while it waits for a CPU */

	struct recorder_alert alert;	/* valid while it is being delivered */

	refcount_t refs;		/* one of armed.c, and one during a delivery */
	struct rcu_head rcu;		/* for the last alert, and for freeing after that */
	u32 last_tid, last_tgid;	/* for the last alert, as is the name */
	char last_comm[TASK_COMM_LEN];

	/* Constant once a hook or the table of armed.c has the recorder: */
	struct quota *quota;		/* charged until the last reference is dropped */
	bool reserve;			/* the requester may use the reserve */
	struct sock *socket;		/* a reference, while it is in the table */
	const struct net *net;		/* of socket, as is port */
	u32 port;
	struct observer_bucket *bucket;	/* of the thread */

	struct hlist_node node;		/* in the table of armed.c */
	struct thread *thread;		/* under the lock of bucket; NULL: detached */
};

/* Wait until all alerts are delivered.  May sleep.  Hooks and requests no longer raise any. */
void recorder_stop(void);

/*
 * recorder_alloc() - allocate a recorder with one reference
 * @quota: already charged; quota_left() is called after the last reference is dropped
 *
 * May sleep.  Return: the recorder; or ERR_PTR(-ENOMEM), and the caller releases the quota.
 */
struct recorder *recorder_alloc(const struct recorder_options *options,
				struct quota *quota);
void recorder_put(struct recorder *rec);
u64 recorder_memory(const struct recorder *rec);

/* The number of recorders in memory, including disarmed ones. */
unsigned int recorder_count(void);

/*
 * recorder_raise() - raise an alert: pass the ring to the worker
 * @said: the thread's request, if it has raised the alert itself; or NULL
 * @present: the event of the present state; or NULL
 *
 * Context: interrupts off; the thread is the current one, or does not run.
 * Return: 0; -EAGAIN: dropped and counted; -ENODATA: the thread was just disarmed.
 */
int recorder_raise(struct recorder *rec, struct thread *t, u32 reason,
		   const struct taskrt_alert_request *said, const struct recorder_event *present,
		   u64 now);

/*
 * recorder_raise_last() - report that another requester has disarmed @task
 *
 * The alert is raised after a grace period, when no hook has the recorder; or dropped and
 * counted, if another alert of the thread is being delivered then.
 * Context: the recorder is detached; the caller has a reference, and keeps it.
 */
void recorder_raise_last(struct recorder *rec, struct task_struct *task);

/*
 * recorder_alert() - raise an alert of the current thread; @said: the program's request
 *
 * Context: accounting is held on.
 * Return: 0; -ENODATA: the thread is not armed; -EAGAIN: dropped and counted.
 */
int recorder_alert(const struct taskrt_alert_request *said);

/*
 * recorder_next_alert() - the recorder of the oldest alert that may be delivered, or NULL
 * recorder_alert_done() - return it; @err: it was not sent, and counts as dropped
 *
 * Context: the work of alert_queue.h, which delivers one alert at a time.
 */
struct recorder *recorder_next_alert(void);
void recorder_alert_done(struct recorder *rec, int err);

/* The n-th event of the alert, the oldest first; NULL: there are no more. */
const struct recorder_event *recorder_event(const struct recorder *rec, u32 n);

#endif /* TASKRT_RECORDER_H */
