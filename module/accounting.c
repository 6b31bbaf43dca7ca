// SPDX-License-Identifier: GPL-2.0-only
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/taskrt.h>
#include "accounting.h"
#include "clock.h"
#include "hook.h"
#include "track.h"

/* Outermost: readers hold it shared, the switch is thrown under it. */
static DECLARE_RWSEM(position);
static bool on;
static u64 valid;
static u64 since;
static bool dumpable_watched;	/* once wanted, always */

#define VALID_ALWAYS	(TASKRT_VALID_CLOCK | TASKRT_VALID_IDENTITY | TASKRT_VALID_SWITCHES | \
			 TASKRT_VALID_FAULTS | TASKRT_VALID_THREADS)
#define VALID_SWITCH	(TASKRT_VALID_CPU_TIME)
#define VALID_STATES	(TASKRT_VALID_QUEUE_TIME | TASKRT_VALID_STATE | TASKRT_VALID_STATES | \
			 TASKRT_VALID_WAKEUPS | TASKRT_VALID_LONGEST_STATE)
#define VALID_FAULT	(TASKRT_VALID_PAGE_FAULT_TIME | TASKRT_VALID_FAULT_TIMES | \
			 TASKRT_VALID_LONGEST_FAULT)
#define VALID_LOCK	(TASKRT_VALID_LOCK_TIME | TASKRT_VALID_LOCKS | TASKRT_VALID_LONGEST_LOCK)

static u64 measured(void)
{
	u64 mask = VALID_ALWAYS;

	if (hook_attached(HOOK_SCHED_SWITCH))
		mask |= VALID_SWITCH;
	if (hook_attached(HOOK_SCHED_SWITCH) && hook_attached(HOOK_SCHED_WAKEUP) &&
	    hook_attached(HOOK_SCHED_WAKEUP_NEW))
		mask |= VALID_STATES;
	if (hook_attached(HOOK_HANDLE_MM_FAULT))
		mask |= VALID_FAULT;
	if (hooks_see_locks())
		mask |= VALID_LOCK;
	return mask;
}

int accounting_on(u64 max_threads, const char *without)
{
	int err = 0;

	down_write(&position);
	if (on)
		goto out;
	clock_start();
	since = clock_now();
	track_prepare(max_threads);
	err = hooks_attach(without);
	if (err) {
		track_stop();
		clock_stop();
		goto out;
	}
	valid = measured();
	if (READ_ONCE(dumpable_watched))
		hook_enable(HOOK_EXIT_SIGNALS);
	track_start();
	/* Who was unlinked before that is freed now, and is no miss. */
	rcu_barrier();
	hooks_count_anew();
	on = true;
out:
	up_write(&position);
	return err;
}

void accounting_off(void)
{
	down_write(&position);
	if (on) {
		hooks_detach();
		track_stop();
		clock_stop();
		on = false;
	}
	up_write(&position);
}

bool accounting_get(void)
{
	down_read(&position);
	if (on)
		return true;
	up_read(&position);
	return false;
}

bool accounting_tryget(void)
{
	return down_read_trylock(&position);
}

bool accounting_is_on(void)
{
	return on;
}

void accounting_put(void)
{
	up_read(&position);
}

u64 accounting_valid(void)
{
	return valid;
}

u64 accounting_since(void)
{
	return since;
}

bool accounting_knows_children(void)
{
	return hook_attached(HOOK_RELEASE_TASK);
}

bool accounting_sees_exits(void)
{
	return hook_attached(HOOK_SCHED_SWITCH) && hook_attached(HOOK_SCHED_PROCESS_EXIT);
}

bool accounting_sees_execs(void)
{
	return hook_attached(HOOK_SCHED_PROCESS_EXEC);
}

int accounting_watch_dumpable(void)
{
	int err = hook_enable(HOOK_EXIT_SIGNALS);

	if (!err)
		WRITE_ONCE(dumpable_watched, true);
	return err;
}
