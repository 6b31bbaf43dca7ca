/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits of what the module keeps for user space: for each user, and for all users together.
 *
 * Credentials in a user namespace use the quota of the user that made the namespace, so all
 * subordinate ids of a user share one quota, as in the kernel's ucounts.  A namespace that the
 * initial root made is usually a container, and has a quota of its own.
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
	bool reserve;			/* may use the reserve; the user's other quota may not */
	unsigned int used[NR_QUOTA_KINDS];
	unsigned int leaving[NR_QUOTA_KINDS];	/* no longer used, but not freed yet */
	unsigned long idle_since;	/* in jiffies */
	u64 alerts_due;			/* for alert_queue_permits() */
};

struct quota_limits {
	unsigned int own;		/* for the quota */
	unsigned int all;		/* for all quotas together */
	bool reserve;			/* may also take the last quarter of all */
	bool again;			/* another one is released right after this */
};

/*
 * Counts one more for the quota of @cred.  Context: may sleep, to allocate.
 * Return: the quota, for quota_release() or quota_leave(); or an ERR_PTR: -EUSERS: the quota is
 * used up; -EAGAIN: too many objects are leaving; -ENOSPC: the limit of all is reached; -ENOMEM.
 */
struct quota *quota_charge(const struct cred *cred, enum quota_kind kind,
			   const struct quota_limits *limits);

/* Count one less.  Context: process; does not sleep. */
void quota_release(struct quota *quota, enum quota_kind kind);

/*
 * quota_leave(), quota_left() - quota_release() in two steps, for what is freed later
 *
 * Between the steps, the object counts against another limit.  This bounds the memory of a program
 * that creates and releases in turn.
 * Context: as quota_release(); quota_left(): also an RCU callback.
 */
void quota_leave(struct quota *quota, enum quota_kind kind);
void quota_left(struct quota *quota, enum quota_kind kind);

/* A replaced part counts as leaving until quota_left().  Context: as quota_release(). */
void quota_replaced(struct quota *quota, enum quota_kind kind);

/* True if one more object may be leaving.  @own: the limit of the quota. */
bool quota_may_replace(struct quota *quota, enum quota_kind kind, unsigned int own);

/* The number in use, of all quotas. */
unsigned int quota_total(enum quota_kind kind);

/* Module unload: everything was released, and the worker still exists. */
void quota_exit(void);

#endif /* TASKRT_QUOTA_H */
