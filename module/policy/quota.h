/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The accounts: what the module keeps for user space is counted for whoever asked for it,
 * and limited for each account and in all.
 *
 * The account of credentials is that of the user who is responsible for them.  Those of a
 * user namespace count as those of the user that made it, so all subordinate ids of a user
 * are one account, as for the kernel's own counts (ucounts).  The exception is what the
 * initial root made, which is usually a container: each outermost user namespace of its is
 * one account.
 */
#ifndef TASKRT_ACCOUNT_H
#define TASKRT_ACCOUNT_H

#include <linux/cred.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct user_namespace;

enum account_kind {
	ACCOUNT_LISTENERS,
	ACCOUNT_ARMED,			/* recorders, until the thread is disarmed */
	ACCOUNT_MAPPINGS,
	NR_ACCOUNT_KINDS
};

struct account {
	struct hlist_node node;		/* in the table */
	struct user_namespace *users;	/* a reference; NULL: it is the account of a user */
	kuid_t user;			/* that owns users, if that is not NULL */
	bool reserve;			/* of who may use the reserve: an account of its own */
	unsigned int used[NR_ACCOUNT_KINDS];
	unsigned int leaving[NR_ACCOUNT_KINDS];	/* not used any more, and not freed yet */
	unsigned long idle_since;	/* jiffies, since nothing has been used */
	u64 alerts_due;			/* of the worker of alerts: see recorder.c */
};

struct account_limits {
	unsigned int own;		/* for the account */
	unsigned int all;		/* for all accounts together */
	bool reserve;			/* may also take the last quarter of all */
	bool again;			/* one that it has is released right after this */
};

/*
 * account_charge() - count one more for the account of @cred
 *
 * Context: may sleep, to allocate; waits for no lock that is held for long.
 * Return: the account, for account_release(), or for account_leave() and account_left(); or
 * an ERR_PTR: -EUSERS if the account has too many, -EAGAIN if too many of it are leaving,
 * -ENOSPC if all together have too many, -ENOMEM.
 */
struct account *account_charge(const struct cred *cred, enum account_kind kind,
			       const struct account_limits *limits);

/* Counts one less.  Context: process; does not sleep. */
void account_release(struct account *account, enum account_kind kind);

/*
 * account_leave(), account_left() - the same in two steps, for what is freed later
 *
 * In between it counts towards another limit, which bounds the memory of those who make and
 * end one after the other.
 * Context: account_leave() as account_release(); account_left(): also an RCU callback.
 */
void account_leave(struct account *account, enum account_kind kind);
void account_left(struct account *account, enum account_kind kind);

/*
 * account_replaced() - a part of something that is used was replaced, and is freed later
 *
 * It counts as leaving until account_left().
 * Context: as account_release().
 */
void account_replaced(struct account *account, enum account_kind kind);

/*
 * account_may_replace() - are fewer leaving than may be?
 * @own: how many the account may use
 */
bool account_may_replace(struct account *account, enum account_kind kind, unsigned int own);

/* How many there are, of all accounts. */
unsigned int account_total(enum account_kind kind);

/* Module unload: everything was released, and the worker still exists. */
void account_exit(void);

#endif /* TASKRT_ACCOUNT_H */
