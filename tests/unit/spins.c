// SPDX-License-Identifier: GPL-2.0-only
/* The end of a spin is told from the end of a wait, also where both are for one address. */
#include "engine/record_lock.h"
#include "engine/record_lock.h"
#include "tap.h"

#define L1	0x1000
#define L2	0x2000

static struct record record;
static struct spins spins;

/* As hook_lock_end() does it.  Return: true if the thread's wait has ended. */
static int ends(u64 lock)
{
	if (spins.lock != lock)
		return record_lock_closes(&record, lock);
	spins_end(&spins);
	return 0;
}

static int none_left(void)
{
	return !spins.lock && !spins.outer;
}

int main(void)
{
	record_init(&record, TASKRT_STATE_RUNNING, 0, 0);
	tap_ok(!ends(L1), "an end without a begin");
	spins_begin(&spins, L1);
	tap_ok(!ends(L1) && none_left(), "a spin outside a wait");

	record_lock_begin(&record, L1, TASKRT_LOCK_OTHER, 10);
	spins_begin(&spins, L1);
	tap_ok(!ends(L1) && none_left(), "the spinlock at a semaphore's own address ends first");
	spins_begin(&spins, L2);
	tap_ok(!ends(L2) && none_left(), "another spinlock inside the wait");
	tap_ok(!ends(L2), "the end of a wait inside the wait");
	tap_ok(ends(L1), "then the wait");
	record_lock_end(&record, 20);
	tap_ok(!ends(L1), "only once");

	record_lock_begin(&record, L1, TASKRT_LOCK_OTHER, 30);
	spins_begin(&spins, L2);
	spins_begin(&spins, L1);
	tap_ok(!ends(L1), "a rwlock's own spinlock, at the address of the wait");
	tap_ok(!ends(L2) && none_left(), "then the rwlock");
	tap_ok(ends(L1), "then the wait");
	return tap_done();
}
