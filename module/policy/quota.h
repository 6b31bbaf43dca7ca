/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module keeps for user space counts for the user that asked for it.  Limits apply to
 * each user, and to all together.
 *
 * Credentials of a user namespace use the quota of the user that made the namespace, so all
 * subordinate ids of a user share one quota, as in the kernel's own counts (ucounts).  A namespace
 * that the initial root made is usually a container, and has a quota of its own.
 */
#ifndef TASKRT_QUOTA_H
#define TASKRT_QUOTA_H

#include <linux/cred.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct user_namespace;

enum quota_kind {
	QUOTA_LISTENERS,
	QUOTA_ARMED,			/* recorders, until the thread is disarmed */
	QUOTA_MAPPINGS,
	NR_QUOTA_KINDS
};

struct quota {
	struct hlist_node node;		/* in the table */
	struct user_namespace *users;	/* a reference; NULL: the quota of a user */
	kuid_t user;			/* the user, or the owner of users */
	bool reserve;			/* may use the reserve; apart from the user's other quota */
	unsigned int used[NR_QUOTA_KINDS];
	unsigned int leaving[NR_QUOTA_KINDS];	/* no longer used, but not freed yet */
	unsigned long idle_since;	/* jiffies since which nothing is used */
	u64 alerts_due;			/* for alert_queue_permits() */
};

struct quota_limits {
	unsigned int own;		/* for the quota */
	unsigned int all;		/* for all quotas together */
	bool reserve;			/* may also take the last quarter of all */
	bool again;			/* another one is released right after this */
};

/*
 * quota_charge() - count one more for the quota of @cred
 *
 * Context: may sleep, to allocate; waits for no lock that is held for long.
 * Return: the quota, for quota_release() or quota_leave(); or an ERR_PTR: -EUSERS: the quota is
 * used up; -EAGAIN: too many of it are leaving; -ENOSPC: all together are too many; -ENOMEM.
 */
struct quota *quota_charge(const struct cred *cred, enum quota_kind kind,
			   const struct quota_limits *limits);

/* Count one less.  Context: process; does not sleep. */
void quota_release(struct quota *quota, enum quota_kind kind);

/*
 * quota_leave(), quota_left() - the same in two steps, for what is freed later
 *
 * In between it counts against another limit, which bounds the memory of programs that create and
 * release in turn.
 * Context: quota_leave() as quota_release(); quota_left(): also an RCU callback.
 */
void quota_leave(struct quota *quota, enum quota_kind kind);
void quota_left(struct quota *quota, enum quota_kind kind);

/* A replaced part counts as leaving until quota_left().  Context: as quota_release(). */
void quota_replaced(struct quota *quota, enum quota_kind kind);

/* May one more be leaving?  @own: the limit of the quota. */
bool quota_may_replace(struct quota *quota, enum quota_kind kind, unsigned int own);

/* The number in use, of all quotas. */
unsigned int quota_total(enum quota_kind kind);

/* Module unload: everything was released, and the worker still exists. */
void quota_exit(void);

#endif /* TASKRT_QUOTA_H */
