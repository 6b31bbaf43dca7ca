// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contended acquisitions in a fixed pattern, for counting instructions on one
 * CPU.  The second thread is a real-time one: it runs as soon as it is woken,
 * so every round is the same four switches and two wake-ups.  The locks belong to the
 * caller, so that callers on several CPUs do not wait for each other.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "internal.h"

struct round {
	u32 what;
	u32 rounds;
	struct mutex mutex;	/* both are to be contended, and protect nothing */
	struct rw_semaphore rwsem;
	struct completion go, second;
};

static void take(struct round *round, u32 lock)
{
	switch (lock) {
	case TASKRT_TEST_RWSEM_READ:
		return down_read(&round->rwsem);
	case TASKRT_TEST_RWSEM_WRITE:
		return down_write(&round->rwsem);
	}
	mutex_lock(&round->mutex);
}

static void drop(struct round *round, u32 lock)
{
	switch (lock) {
	case TASKRT_TEST_RWSEM_READ:
		return up_read(&round->rwsem);
	case TASKRT_TEST_RWSEM_WRITE:
		return up_write(&round->rwsem);
	}
	mutex_unlock(&round->mutex);
}

static void take_second(struct round *round)
{
	/* As cheap as a lock wait: an uninterruptible one without a lock takes the slow path. */
	if (round->what == TASKRT_TEST_BENCH_NOTHING) {
		wait_for_completion_interruptible(&round->second);
		return;
	}
	take(round, round->what);
	drop(round, round->what);
}

static int second(void *arg)
{
	struct round *round = arg;
	u32 i;

	for (i = 0; i < round->rounds; i++) {
		wait_for_completion(&round->go);
		take_second(round);
	}
	while (!kthread_should_stop()) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
	}
	return 0;
}

/* What the caller holds so that the second thread has to wait for its lock. */
static u32 opposite(u32 lock)
{
	switch (lock) {
	case TASKRT_TEST_RWSEM_READ:
		return TASKRT_TEST_RWSEM_WRITE;
	case TASKRT_TEST_RWSEM_WRITE:
		return TASKRT_TEST_RWSEM_READ;
	}
	return lock;
}

static void one_round(struct round *round)
{
	u32 mine = opposite(round->what);

	if (round->what == TASKRT_TEST_BENCH_NOTHING) {
		complete(&round->go);
		schedule();		/* it runs, and waits for second */
		complete(&round->second);
		schedule();		/* it runs, and waits for go */
		return;
	}
	take(round, mine);
	complete(&round->go);
	schedule();			/* it runs, and waits for the lock */
	drop(round, mine);
	schedule();			/* it takes the lock, and waits for go */
}

static int contended(struct taskrt_test_bench *bench, struct round *round)
{
	struct task_struct *task;
	u64 begin;
	u32 i;

	task = kthread_create(second, round, "taskrt_second");
	if (IS_ERR(task))
		return PTR_ERR(task);
	get_task_struct(task);
	kthread_bind(task, raw_smp_processor_id());
	sched_set_fifo(task);
	wake_up_process(task);
	schedule();
	begin = ktime_get_ns();
	for (i = 0; i < bench->rounds; i++)
		one_round(round);
	bench->ns = ktime_get_ns() - begin;
	kthread_stop(task);
	put_task_struct(task);
	return 0;
}

static void uncontended(struct taskrt_test_bench *bench, struct round *round)
{
	u64 begin = ktime_get_ns();
	u32 i;

	for (i = 0; i < bench->rounds; i++) {
		take(round, TASKRT_TEST_MUTEX);
		drop(round, TASKRT_TEST_MUTEX);
	}
	bench->ns = ktime_get_ns() - begin;
}

int test_bench(struct taskrt_test_bench *bench)
{
	struct round round = { .what = bench->what, .rounds = bench->rounds };

	if (!bench->rounds || bench->rounds > 1000000)
		return -EINVAL;
	mutex_init(&round.mutex);
	init_rwsem(&round.rwsem);
	init_completion(&round.go);
	init_completion(&round.second);
	switch (bench->what) {
	case TASKRT_TEST_BENCH_FREE:
		uncontended(bench, &round);
		return 0;
	case TASKRT_TEST_MUTEX:
	case TASKRT_TEST_RWSEM_READ:
	case TASKRT_TEST_RWSEM_WRITE:
	case TASKRT_TEST_BENCH_NOTHING:
		return contended(bench, &round);
	}
	return -EINVAL;
}
