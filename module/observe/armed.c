// SPDX-License-Identifier: GPL-2.0-only
#include <linux/moduleparam.h>
#include <net/sock.h>
#include "observe/armed.h"
#include "observe/observer.h"
#include "task/process.h"

static unsigned int armed_per_user = 256;
module_param(armed_per_user, uint, 0644);
MODULE_PARM_DESC(armed_per_user, "Maximum number of armed threads per user (default 256)");

static unsigned int armed_max = 1024;
module_param(armed_max, uint, 0644);
MODULE_PARM_DESC(armed_max, "Maximum number of armed threads, of all users (default 1024)");

/* Recorders that may be pending free even if armed_max is small. */
#define LEAVING_MAX	64

static LIST_HEAD(recorders);		/* under observer_lock */

/* Under observer_lock.  The caller releases the recorder later, with armed_let_go(). */
static struct recorder *armed_detach(struct recorder *rec)
{
	WRITE_ONCE(rec->thread->recorder, NULL);
	rec->thread = NULL;
	list_del(&rec->node);
	return rec;
}

static void armed_let_go(struct recorder *rec)
{
	if (!rec)
		return;
	sock_put(rec->socket);
	recorder_put(rec);
}

/* Also counts recorders that were disarmed, and are being delivered or are pending free. */
static bool armed_too_many(void)
{
	return recorder_count() > 2ULL * READ_ONCE(armed_max) + LEAVING_MAX;
}

/* Under observer_lock.  @instead: the recorder that the new one replaces, or NULL. */
static int armed_check_limits(kuid_t user, const struct recorder *instead)
{
	unsigned int own = 0, all = 0;
	struct recorder *rec;

	list_for_each_entry(rec, &recorders, node) {
		if (rec == instead)
			continue;
		own += uid_eq(rec->user, user);
		all++;
	}
	if (own >= READ_ONCE(armed_per_user))
		return -EUSERS;
	if (all >= READ_ONCE(armed_max))
		return -ENOSPC;
	return armed_too_many() ? -ENOSPC : 0;
}

static int armed_check(const struct recorder *there, const struct sock *socket, kuid_t user)
{
	return there && there->socket != socket ? -EBUSY : armed_check_limits(user, there);
}

/*
 * Under observer_lock: interrupts are off, which keeps the thread as the RCU read lock
 * would (see process_thread()).  Either we see that the kernel has freed the task, or
 * who folds it sees the recorder: pairs with thread_freed() and armed_end().  And
 * either we see that a hook has taken the mark away, or the hook sees the recorder.
 */
static int armed_attach(struct recorder *rec, struct thread *t)
{
	rec->thread = t;
	list_add(&rec->node, &recorders);
	/* The recorder is initialized when a hook sees it. */
	smp_store_release(&t->recorder, rec);
	smp_mb();	/* as said above */
	if (!READ_ONCE(t->freed))
		return 0;
	armed_detach(rec);
	return -ENODATA;
}

int armed_add(struct recorder *rec, struct task_struct *task, struct sock *socket, kuid_t user)
{
	struct recorder *before = NULL;
	unsigned long flags;
	struct thread *t;
	int err = -ENODATA;

	/* Wait for pending frees before enforcing the limit. */
	if (armed_too_many())
		rcu_barrier();
	rec->user = user;
	rec->socket = socket;
	sock_hold(socket);
	raw_spin_lock_irqsave(&observer_lock, flags);
	t = process_thread(task);
	if (t)
		err = armed_check(t->recorder, socket, user);
	if (!err) {
		before = t->recorder ? armed_detach(t->recorder) : NULL;
		err = armed_attach(rec, t);
	}
	raw_spin_unlock_irqrestore(&observer_lock, flags);
	armed_let_go(before);
	if (err)
		sock_put(socket);
	else
		observer_mark_sync(task);
	return err;
}

int armed_remove(struct task_struct *task)
{
	struct recorder *rec = NULL;
	unsigned long flags;
	struct thread *t;

	raw_spin_lock_irqsave(&observer_lock, flags);
	t = thread_find(task);
	if (t && t->recorder)
		rec = armed_detach(t->recorder);
	raw_spin_unlock_irqrestore(&observer_lock, flags);
	armed_let_go(rec);
	return rec ? 0 : -ENODATA;
}

void armed_end(struct thread *t)
{
	struct recorder *rec = NULL;
	unsigned long flags;

	smp_mb();	/* pairs with armed_attach() */
	if (!READ_ONCE(t->recorder))
		return;
	raw_spin_lock_irqsave(&observer_lock, flags);
	if (t->recorder)
		rec = armed_detach(t->recorder);
	raw_spin_unlock_irqrestore(&observer_lock, flags);
	armed_let_go(rec);
}

/* Under observer_lock.  Detaches one recorder whose socket was closed. */
static struct recorder *armed_orphan(void)
{
	struct recorder *rec;

	list_for_each_entry(rec, &recorders, node)
		if (sock_flag(rec->socket, SOCK_DEAD))
			return armed_detach(rec);
	return NULL;
}

void armed_socket_closed(void)
{
	struct recorder *rec;
	unsigned long flags;

	if (list_empty_careful(&recorders))
		return;
	do {
		raw_spin_lock_irqsave(&observer_lock, flags);
		rec = armed_orphan();
		raw_spin_unlock_irqrestore(&observer_lock, flags);
		armed_let_go(rec);
	} while (rec);
}

void armed_counts(struct armed_counts *counts)
{
	struct recorder *rec;
	unsigned long flags;

	*counts = (struct armed_counts){};
	raw_spin_lock_irqsave(&observer_lock, flags);
	list_for_each_entry(rec, &recorders, node) {
		counts->armed++;
		counts->memory += recorder_memory(rec);
	}
	raw_spin_unlock_irqrestore(&observer_lock, flags);
}
