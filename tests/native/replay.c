// SPDX-License-Identifier: GPL-2.0-only
#include <asm/unistd.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena.h"
#include "fields.h"
#include "hook/hook.h"
#include "hook/probes.h"
#include "compat/clock.h"
#include "compat/compat.h"
#include "replay.h"
#include "task/thread.h"
#include "task/wait.h"

#define MAX_THREADS	65536	/* the parameter's default */

typedef void (*switch_probe)(void *data, bool preempt, struct task_struct *prev,
			     struct task_struct *next, unsigned int prev_state);
typedef void (*wakeup_probe)(void *data, struct task_struct *task);
typedef void (*lock_begin_probe)(void *data, void *lock, unsigned int flags);
typedef void (*lock_end_probe)(void *data, void *lock, int ret);

struct probes {
	switch_probe switched;
	wakeup_probe woken;
	lock_begin_probe lock_begun;
	lock_end_probe lock_ended;
	kretprobe_handler_t fault_begun, fault_ended;
};

enum event {
	WAKEUP,		/* a sleeping thread is woken */
	SLEEP,		/* one goes to sleep in futex(), one that was woken gets the CPU */
	PREEMPT,	/* one is preempted, one that was preempted gets the CPU */
	LOCK,		/* the begin and the end of a wait for a mutex */
	FAULT,		/* the begin and the end of a minor fault */
	EVENTS,
};

static const char * const event_marks[EVENTS] = {
	[WAKEUP] = "mark wake-up",
	[SLEEP] = "mark switch to sleep",
	[PREEMPT] = "mark preempting switch",
	[LOCK] = "mark lock wait",
	[FAULT] = "mark minor fault",
};

struct replay_scenario {
	const char *name;
	void (*run)(unsigned int steps, const struct probes *probes);
	bool sleeping;		/* half of the threads sleep at first */
};

/* Written before and after each event: that is where a trace of all accesses is cut. */
struct marks {
	volatile u64 begin[EVENTS];
	volatile u64 end;
} __aligned(64);

static struct marks *marks;
static const struct replay_scenario *scenario;
static struct task_struct idle = { .flags = PF_IDLE };
static struct task_struct **turns;	/* the order in which they get the CPU */
static unsigned int nr, now_running;

static void empty_switched(void *data, bool preempt, struct task_struct *prev,
			   struct task_struct *next, unsigned int prev_state)
{
	barrier();
}

static void empty_woken(void *data, struct task_struct *task)
{
	barrier();
}

static void empty_lock_begun(void *data, void *lock, unsigned int flags)
{
	barrier();
}

static void empty_lock_ended(void *data, void *lock, int ret)
{
	barrier();
}

static int empty_fault(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}

/*
 * What went before is finished: in the kernel thousands of instructions lie between two
 * events, and the misses of one do not overlap with those of the next.
 */
static __always_inline void isolate(void)
{
#ifdef __x86_64__
	__asm__ volatile("lfence" ::: "memory");
#else
	__asm__ volatile("dsb ld\n\tisb" ::: "memory");
#endif
}

static __always_inline void event_begin(enum event event)
{
	isolate();
	marks->begin[event] = 1;
}

static __always_inline void event_end(void)
{
	marks->end = 1;
	isolate();
}

static __always_inline void report_wakeup(struct task_struct *task, wakeup_probe probe)
{
	task->__state = TASK_WAKING;
	task->on_rq = 1;
	event_begin(WAKEUP);
	probe(NULL, task);
	event_end();
	task->__state = TASK_RUNNING;
}

static __always_inline void report_sleep(struct task_struct *prev, struct task_struct *next,
					 switch_probe probe)
{
	task_pt_regs(prev)->syscall = __NR_futex;
	prev->__state = TASK_INTERRUPTIBLE;
	prev->on_rq = 0;
	next->on_cpu = 1;
	if (!prev->in_iowait)
		prev->on_cpu = 0;
	event_begin(SLEEP);
	probe(NULL, false, prev, next, TASK_INTERRUPTIBLE);
	event_end();
}

static __always_inline void report_preemption(struct task_struct *prev, struct task_struct *next,
					      switch_probe probe)
{
	next->on_cpu = 1;
	prev->on_cpu = 0;
	event_begin(PREEMPT);
	probe(NULL, true, prev, next, TASK_RUNNING);
	event_end();
}

/* The thread that runs was switched in before, which has touched its first line. */
static __always_inline void put_on_cpu(struct task_struct *task)
{
	pcpu_hot.current_task = task;
	thread_on_cpu = thread_find(task);
	(void)READ_ONCE(thread_on_cpu->task);
}

static __always_inline void report_lock(struct task_struct *task, lock_begin_probe begin,
					lock_end_probe end)
{
	put_on_cpu(task);
	event_begin(LOCK);
	begin(NULL, task, LCB_F_MUTEX);
	end(NULL, task, 0);
	event_end();
}

static __always_inline void report_fault(struct task_struct *task, kretprobe_handler_t begin,
					 kretprobe_handler_t end)
{
	struct kretprobe_instance ri;
	struct pt_regs regs = {};

	put_on_cpu(task);
	event_begin(FAULT);
	begin(&ri, &regs);
	end(&ri, &regs);
	event_end();
}

static struct task_struct *turn(unsigned int i)
{
	return turns[i < nr ? i : i - nr];
}

/* The thread whose turn comes half a round later is woken now. */
static void run_sleeping(unsigned int steps, const struct probes *probes)
{
	for (; steps--; now_running = (now_running + 1) % nr) {
		report_wakeup(turn(now_running + nr / 2), probes->woken);
		report_sleep(turns[now_running], turn(now_running + 1), probes->switched);
	}
}

static void run_preempting(unsigned int steps, const struct probes *probes)
{
	for (; steps--; now_running = (now_running + 1) % nr)
		report_preemption(turns[now_running], turn(now_running + 1), probes->switched);
}

static void run_locking(unsigned int steps, const struct probes *probes)
{
	for (; steps--; now_running = (now_running + 1) % nr)
		report_lock(turns[now_running], probes->lock_begun, probes->lock_ended);
}

static void run_faulting(unsigned int steps, const struct probes *probes)
{
	for (; steps--; now_running = (now_running + 1) % nr)
		report_fault(turns[now_running], probes->fault_begun, probes->fault_ended);
}

static const struct replay_scenario scenarios[] = {
	{ "sleep", run_sleeping, true },
	{ "preempt", run_preempting },
	{ "lock", run_locking },
	{ "fault", run_faulting },
};

const struct replay_scenario *replay_scenario(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scenarios); i++)
		if (!strcmp(scenarios[i].name, name))
			return &scenarios[i];
	return NULL;
}

/* Each probe has found its thread. */
static void check_misses(void)
{
	int i;

	for (i = 0; i < NR_HOOKS; i++)
		if (hook_counts.misses[i])
			abort();
}

void replay_run(unsigned int steps, bool called)
{
	const struct probes empty = {
		empty_switched, empty_woken, empty_lock_begun, empty_lock_ended,
		empty_fault, empty_fault,
	};
	const struct probes module = {
		hook_probe_switch, hook_probe_wakeup, hook_probe_contention_begin,
		hook_probe_contention_end, hook_fault.on_entry, hook_fault.on_exit,
	};

	scenario->run(steps, called ? &module : &empty);
	check_misses();
}

/*
 * The tasks have gaps of random length between them, so that the table of threads is
 * filled as unevenly as by tasks that come and go.
 */
static struct task_struct *make_task(void)
{
	struct task_struct *task;

	arena_take(sizeof(*task) * (1 + arena_random(8)));
	task = arena_take(sizeof(*task));
	task->stack = (char *)arena_take(256) + 256 - THREAD_SIZE;
	task->prio = MAX_RT_PRIO;
	return task;
}

/* As the hook of fork does it. */
static void make_thread(struct task_struct *task)
{
	struct thread *t = thread_alloc();

	memset(t, 0, sizeof(*t));
	t->task = task;
	record_init(&t->record, TASKRT_STATE_BLOCKED_OTHER, 0, clock_now());
	if (thread_insert(t))
		abort();
}

static void shuffle(void)
{
	unsigned int i, other;

	for (i = nr; i > 1; i--) {
		other = arena_random(i);
		swap(turns[i - 1], turns[other]);
	}
}

/* The first thread runs.  Those that get the CPU before anybody wakes them are woken. */
static void begin(void)
{
	const unsigned int runnable = scenario->sleeping ? nr / 2 : nr;
	const switch_probe switched = hook_probe_switch;
	const wakeup_probe woken = hook_probe_wakeup_new;
	unsigned int i;

	for (i = 0; i < runnable; i++)
		woken(NULL, turns[i]);
	switched(NULL, false, &idle, turns[0], TASK_RUNNING);
}

/* There are as many slots as threads. */
void kretprobe_group_refuse(struct kretprobe_group *group, struct thread *t)
{
	abort();
}

void replay_make(unsigned int threads, const struct replay_scenario *which)
{
	unsigned int i;

	scenario = which;
	nr = threads;
	marks = arena_take(sizeof(*marks));
	turns = arena_take(nr * sizeof(*turns));
	if (thread_init(MAX_THREADS, 0))
		abort();
	atomic_set(&hook_fault.slots, MAX_THREADS);
	for (i = 0; i < nr; i++) {
		turns[i] = make_task();
		make_thread(turns[i]);
	}
	shuffle();
	begin();
}

static void print_object(const volatile void *at, size_t size, const char *name)
{
	printf("object %zu %zu %s\n", (size_t)at, size, name);
}

void replay_map(void)
{
	unsigned int i;

	for (i = 0; i < EVENTS; i++)
		print_object(&marks->begin[i], sizeof(marks->begin[i]), event_marks[i]);
	print_object(&marks->end, sizeof(marks->end), "mark end");
	print_object(arena_stack, ARENA_STACK, "stack");
	print_object(&counted_cycles, sizeof(counted_cycles), "cycles");
	for (i = 0; i < nr; i++)
		print_object(thread_find(turns[i]), sizeof(struct thread), "thread");
	fields_map();
}
