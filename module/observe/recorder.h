/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flight recorder of an armed thread: its last events in a ring of fixed
 * size.  On an alert the ring is handed on to be told, and the other of two
 * takes its place; while both are busy, further alerts are lost.
 *
 *	hook or ioctl	the ring is exchanged
 *	irq_work	wakes the worker, which is alerts' own
 *	worker		tells the sink
 */
#ifndef TASKRT_RECORDER_H
#define TASKRT_RECORDER_H

#include <linux/irq_work.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/taskrt_page.h>
#include <linux/uidgid.h>
#include "task/thread.h"

struct sock;
struct vm_area_struct;

/* Somebody who had to do with it. */
struct recorder_task {
	u32 tid;
	char comm[TASK_COMM_LEN];
};

struct recorder_event {
	u64 at;
	u64 ns;
	u8 type;			/* enum taskrt_event_type */
	u8 which;
	u8 lock;			/* enum taskrt_lock */
	bool stack;			/* it took so long that the frames are told */
	u32 nr_frames;
	u32 flags;			/* TASKRT_EVENT_* */
	u32 cpu;
	u64 lock_addr;
	u64 fault_addr;
	struct recorder_task owner, waker, other;
	unsigned long frames[TASKRT_FRAMES_MAX];
};

struct recorder_ring {
	u64 recorded;			/* ever, since it was empty */
	struct recorder_event events[];
};

/* As the thread's, when it was raised. */
struct recorder_alert {
	u64 seq;
	u64 lost;
	u64 at;
	u32 reason;
	u32 tid, tgid;			/* initial pid namespace */
	char comm[TASK_COMM_LEN];
	char tag[TASKRT_TAG_MAX];
	struct recorder_ring *ring;
	struct recorder_event present;	/* what it is doing; ns 0: nothing to tell of that */
};

struct recorder_options {
	u32 depth;
	u32 states;			/* an alert if one of these takes */
	u64 alert_over;			/* so long; 0: never */
	u64 threshold;			/* the stack of waits that take so long */
};

struct recorder {
	struct recorder_options options;
	struct recorder_ring *ring;	/* that is written */
	struct recorder_ring *spare;	/* NULL: it is being told */
	struct recorder_event open;	/* what is known of the present state */
	struct recorder_event fault;	/* the present fault, and lock wait: */
	struct recorder_event wait;

	struct recorder_alert alert;	/* while it is being told */
	struct llist_node raised;

	refcount_t refs;		/* of armed.h, and one while it is being told */
	struct rcu_head rcu;

	/* Of armed.h, under observer_lock: */
	struct list_head node;
	struct thread *thread;
	kuid_t user;
	struct sock *socket;
};

/*
 * Module load and unload; -ENOMEM.  A worker calls tell(): 0, or it is lost.  Before
 * the exit everything has been told, see recorder_stop().
 */
int recorder_init(int (*tell)(const struct recorder *rec));
void recorder_exit(void);

/* No hook runs any more: tell of what was raised.  May sleep. */
void recorder_stop(void);

/* ERR_PTR: -ENOMEM.  With one reference.  May sleep. */
struct recorder *recorder_alloc(const struct recorder_options *options);
void recorder_put(struct recorder *rec);

/* One that no hook has seen: at once. */
void recorder_discard(struct recorder *rec);
u64 recorder_memory(const struct recorder *rec);

/* Also those that are disarmed, and being told of. */
unsigned int recorder_count(void);

/*
 * recorder_alert() - the current thread was late
 * Return: 0; -ENODATA: it is not armed; -EAGAIN: this one is lost.
 */
int recorder_alert(const char *tag);

/* Raised, and of these not told; ever. */
void recorder_alerts(u64 *alerts, u64 *lost);

/* The n-th of the events that a ring still has, the oldest first; NULL: no more. */
const struct recorder_event *recorder_event(const struct recorder *rec, u32 n);

/* Hooks. */
void recorder_switch_out(struct recorder *rec, struct thread *t, u8 left, u64 since,
			 const struct thread *next);
void recorder_switch_in(struct recorder *rec, struct thread *t, u8 left, u64 since,
			const struct thread *prev);
void recorder_wake(struct recorder *rec, struct thread *t, u8 left, u64 since);
void recorder_fault_begin(struct recorder *rec, const struct vm_area_struct *vma,
			  unsigned long address, unsigned int flags);
void recorder_fault_end(struct recorder *rec, u64 since, u64 ns, bool major);
void recorder_lock_begin(struct recorder *rec, const struct record *r);
void recorder_lock_end(struct recorder *rec, u64 since, u64 ns);

#endif /* TASKRT_RECORDER_H */
