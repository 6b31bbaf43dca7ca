// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks never call two of these functions at once for a thread: scheduler events come while it is
 * switched or does not run, and faults and lock waits while it runs.  But an interrupt may come
 * during one of them and write to the ring.  So the ring is written with interrupts off.
 */
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/stacktrace.h>
#include "compat/clock.h"
#include "compat/compat.h"
#include "observe/lock_owner.h"
#include "observe/recorder_events.h"
#include "observe/waker.h"
#include "task/process.h"
#include "task/wait.h"

static void recorder_note_task(struct recorder_task *who, const struct task_struct *task)
{
	/* The idle task is not reported. */
	if (!task || !task_pid_nr((struct task_struct *)task))
		return;
	who->tid = task_pid_nr((struct task_struct *)task);
	memcpy(who->comm, task->comm, sizeof(who->comm));
	who->comm[sizeof(who->comm) - 1] = 0;
}

static void recorder_note_thread(struct recorder_task *who, const struct thread *t)
{
	recorder_note_task(who, t ? t->task : NULL);
}

/*
 * The last reader of a lock may have been freed long ago.  So its address is looked up in the
 * table, and the lock of its process keeps the task from being freed during its use.
 */
static void recorder_note_reader(struct recorder_task *who, const struct task_struct *task)
{
	struct thread *t = task ? thread_find(task) : NULL;
	struct process *p = t ? READ_ONCE(t->process) : NULL;
	unsigned long flags;

	if (!p || !raw_spin_trylock_irqsave(&p->group.lock, flags))
		return;
	/* By now the task may have been freed, and the record may belong to another one. */
	if (!t->freed && t->task == task)
		recorder_note_thread(who, t);
	raw_spin_unlock_irqrestore(&p->group.lock, flags);
}

/* Context: interrupts off. */
static void recorder_push(struct recorder *rec, const struct recorder_event *e)
{
	struct recorder_ring *ring = rec->ring;

	ring->events[ring->recorded % rec->options.depth] = *e;
	ring->recorded++;
}

/* The event in the ring that this one may join, or NULL. */
static struct recorder_event *recorder_run(const struct recorder *rec,
					   const struct recorder_event *e)
{
	const u64 run = rec->runs[e->which];
	struct recorder_ring *ring = rec->ring;
	struct recorder_event *last;

	if (!run || ring->recorded - run >= rec->options.depth)
		return NULL;
	last = &ring->events[(run - 1) % rec->options.depth];
	return last->flags == e->flags && last->lock_addr == e->lock_addr ? last : NULL;
}

static void recorder_join(struct recorder_event *run, const struct recorder_event *e)
{
	const u64 longest = run->count ? run->longest : run->ns;
	const u64 at = run->at, ns = run->ns + e->ns;
	const u32 count = max_t(u32, run->count, 1) + 1;

	if (e->ns > longest)
		*run = *e;
	run->at = at;
	run->ns = ns;
	run->count = count;
	run->longest = max(longest, e->ns);
	run->end = e->at + e->ns;
}

/*
 * Thousands of short faults or lock waits in a row would push out what made the thread late, so
 * they share an event.  One in which the thread left its CPU has its own event.  Therefore all of
 * the shared time was spent on the CPU.
 */
static void recorder_push_whole(struct recorder *rec, const struct recorder_event *e)
{
	struct recorder_event *run = NULL;
	unsigned long flags;
	bool alone;

	local_irq_save(flags);
	alone = e->ns >= rec->options.threshold || e->at < rec->open.at;
	if (!alone)
		run = recorder_run(rec, e);
	if (run) {
		recorder_join(run, e);
	} else {
		recorder_push(rec, e);
		rec->runs[e->which] = alone ? 0 : rec->ring->recorded;
	}
	local_irq_restore(flags);
}

/* True if this interval raises an alert. */
static bool recorder_is_over(const struct recorder *rec, const struct recorder_event *e)
{
	const struct recorder_options *options = &rec->options;

	return options->alert_over && e->ns >= options->alert_over &&
	       e->which < NR_STATES && (options->states & (1U << e->which));
}

/* Complete the open event, for the state that was left. */
static struct recorder_event *recorder_closing(struct recorder *rec, const struct thread *t,
					       u8 left, u64 since)
{
	struct recorder_event *e = &rec->open;

	if (e->which != left || e->at != since)
		*e = (struct recorder_event){
			.which = left, .at = since, .flags = TASKRT_EVENT_EARLY,
		};
	e->ns = t->record.since - since;
	e->cpu = raw_smp_processor_id();
	e->stack = e->nr_frames && e->ns >= rec->options.threshold;
	return e;
}

/*
 * If the stack was not saved when the wait started, save it now, but only for waits of at least
 * the threshold.
 */
static void recorder_note_stack(const struct recorder *rec, const struct thread *t,
				struct recorder_event *e)
{
	if (e->nr_frames || e->ns < rec->options.threshold)
		return;
	e->nr_frames = compat_stack_save(t->task, e->frames, ARRAY_SIZE(e->frames));
	e->stack = e->nr_frames;
}

/* Record the open event, and open the next one. */
static void recorder_close(struct recorder *rec, struct thread *t)
{
	struct recorder_event *e = &rec->open;
	const bool over = recorder_is_over(rec, e);

	recorder_push(rec, e);
	memset(rec->runs, 0, sizeof(rec->runs));
	e->which = record_present(&t->record);
	e->at = t->record.since;
	e->nr_frames = 0;
	e->flags = 0;
	e->lock = 0;
	e->lock_addr = 0;
	e->fault_addr = 0;
	e->futex = 0;
	e->futex_op = 0;
	e->syscall = 0;
	e->owner.tid = 0;
	e->waker.tid = 0;
	e->other.tid = 0;
	e->other_ns = 0;
	e->slack = 0;
	if (over)
		recorder_raise(rec, t, TASKRT_REASON_OVER, NULL, NULL, t->record.since);
}

static void recorder_note_futex(struct recorder_event *e)
{
	rcu_read_lock();
	recorder_note_task(&e->owner, futex_owner(&e->futex, &e->futex_op));
	rcu_read_unlock();
	if (e->futex)
		e->flags |= TASKRT_EVENT_FUTEX_OP;
}

static void recorder_note_syscall(struct recorder_event *e, struct task_struct *task)
{
	const int nr = wait_syscall(task);

	if (nr < 0)
		return;
	e->syscall = nr;
	e->flags |= TASKRT_EVENT_SYSCALL;
}

/*
 * Note what the thread waits for.  Save its stack now if the waker cannot: modules may not read
 * the stacks of other tasks (COMPAT_STACK_OF_OTHERS), or that stack would end at the module's own
 * kretprobe on handle_mm_fault().
 */
static void recorder_note_wait(struct recorder *rec, const struct thread *t)
{
	struct recorder_event *e = &rec->open;
	const struct record *r = &t->record;

	if (r->fault_depth)
		e->fault_addr = rec->fault.fault_addr;
	if (r->fault_depth)
		e->flags |= rec->fault.flags;
	if (e->which == TASKRT_STATE_SLEEPING_FUTEX)
		recorder_note_futex(e);
	if (e->which == TASKRT_STATE_BLOCKED_LOCK && rec->wait.lock_addr == r->lock_addr) {
		e->lock_addr = rec->wait.lock_addr;
		e->lock = rec->wait.lock;
		e->owner = rec->wait.owner;
		e->flags |= rec->wait.flags;
		e->nr_frames = rec->wait.nr_frames;
		memcpy(e->frames, rec->wait.frames, sizeof(e->frames));
		return;
	}
	if (!COMPAT_STACK_OF_OTHERS || (r->fault_depth && !t->fault.returns_to))
		e->nr_frames = stack_trace_save(e->frames, ARRAY_SIZE(e->frames), 0);
}

/* True if other threads keep this one from running: it is not throttled, and has not yielded. */
static bool recorder_is_queued(u8 state)
{
	return state == TASKRT_STATE_PREEMPTED || state == TASKRT_STATE_WOKEN;
}

static bool recorder_waits(u8 state)
{
	return state < NR_STATES && state != TASKRT_STATE_YIELDED &&
	       state != TASKRT_STATE_THROTTLED;
}

static void recorder_note_queue(struct recorder *rec, const struct thread *t, unsigned int cpu,
				const struct thread *present)
{
	recorder_note_thread(&rec->open.other, present);
	occupants_start(&rec->queue, cpu, t->record.since);
}

void recorder_switch_out(struct recorder *rec, struct thread *t, u8 left, u64 since,
			 const struct thread *next)
{
	recorder_closing(rec, t, left, since);
	recorder_close(rec, t);
	recorder_note_syscall(&rec->open, t->task);
	if (recorder_is_queued(rec->open.which))
		recorder_note_queue(rec, t, raw_smp_processor_id(), next);
	else if (recorder_waits(rec->open.which))
		recorder_note_wait(rec, t);
}

/*
 * If it is unknown which thread had the CPU longest, the event keeps the thread that had the CPU
 * when the wait started, without a time.
 */
void recorder_switch_in(struct recorder *rec, struct thread *t, u8 left, u64 since)
{
	struct recorder_event *e = recorder_closing(rec, t, left, since);
	const struct occupant *most = occupants_end(&rec->queue, t, t->record.since);

	if (recorder_is_queued(left) && most) {
		e->other.tid = most->tid;
		memcpy(e->other.comm, most->comm, sizeof(e->other.comm));
		e->other_ns = min(most->ns, e->ns);
	}
	recorder_close(rec, t);
}

void recorder_throttled(struct recorder *rec, struct thread *t, u64 since)
{
	struct recorder_event *e = &rec->open;
	const struct recorder_task other = e->other;
	const u32 flags = e->flags, syscall = e->syscall;
	const bool open = e->at == since;

	/* The sums of the occupants include the throttled part of the wait. */
	occupants_drop(&rec->queue);
	e->which = TASKRT_STATE_THROTTLED;
	e->other.tid = 0;
	recorder_closing(rec, t, TASKRT_STATE_THROTTLED, since);
	recorder_close(rec, t);
	if (!open)
		return;
	/* What was noted of the wait also holds for its rest. */
	e->other = other;
	e->flags = flags;
	e->syscall = syscall;
}

/* The current task is the waker, unless this is an interrupt or the idle task. */
static void recorder_note_waker(struct recorder_waker *waker)
{
	waker->task.tid = 0;
	if (in_task())
		recorder_note_task(&waker->task, current);
	waker->interrupt = !waker->task.tid;
}

/*
 * The lock of the task (pi_lock) is held until the wake-up is queued, and no other wake-up of the
 * task starts before this one has ended.  So the next recorder_wake() or recorder_wake_nothing()
 * of the thread belongs to this wake-up.  Only a task that wakes itself does not hold the lock.
 */
void recorder_waking(struct recorder *rec)
{
	recorder_note_waker(&rec->waker);
	rec->waker.known = true;
}

void recorder_wake_nothing(struct recorder *rec)
{
	rec->waker.known = false;
}

/* An interrupt may finish the wake-up of another CPU: the waker is what recorder_waking() noted. */
static void recorder_take_waker(struct recorder *rec, struct recorder_event *e)
{
	if (!rec->waker.known)
		recorder_note_waker(&rec->waker);
	rec->waker.known = false;
	if (rec->waker.interrupt)
		e->flags |= TASKRT_EVENT_INTERRUPT;
	else
		e->waker = rec->waker.task;
}

void recorder_wake(struct recorder *rec, struct thread *t, u8 left, u64 since)
{
	const struct thread *running = READ_ONCE(per_cpu(thread_on_cpu, task_cpu(t->task)));
	struct recorder_event *e = recorder_closing(rec, t, left, since);

	recorder_take_waker(rec, e);
	if (left == TASKRT_STATE_SLEEPING_TIMER)
		e->slack = waker_slack(t->task);
	recorder_note_stack(rec, t, e);
	recorder_close(rec, t);
	if (recorder_is_queued(rec->open.which))
		recorder_note_queue(rec, t, task_cpu(t->task), running == t ? NULL : running);
}

void recorder_migrate(struct recorder *rec, const struct thread *t, unsigned int cpu)
{
	occupants_move(&rec->queue, t, cpu);
}

void recorder_fault_begin(struct recorder *rec, const struct vm_area_struct *vma,
			  unsigned long address, unsigned int flags)
{
	rec->fault.fault_addr = address;
	rec->fault.flags = (flags & FAULT_FLAG_WRITE ? TASKRT_EVENT_WRITE : 0) |
			   (vma->vm_file ? TASKRT_EVENT_FILE : 0);
}

void recorder_fault_end(struct recorder *rec, u64 since, u64 ns, bool major)
{
	struct recorder_event *e = &rec->fault;

	e->type = TASKRT_EVENT_TIMER;
	e->which = TASKRT_TIMER_FAULT;
	e->at = since;
	e->ns = ns;
	e->cpu = raw_smp_processor_id();
	if (major)
		e->flags |= TASKRT_EVENT_MAJOR;
	recorder_push_whole(rec, e);
}

void recorder_lock_begin(struct recorder *rec, const struct record *r)
{
	struct recorder_event *e = &rec->wait;
	struct task_struct *owner;
	bool reader;

	e->lock_addr = r->lock_addr;
	e->lock = r->lock_kind;
	e->owner.tid = 0;
	owner = lock_owner(r->lock_addr, r->lock_kind, &reader);
	if (reader)
		recorder_note_reader(&e->owner, owner);
	else
		recorder_note_task(&e->owner, owner);
	e->flags = reader ? TASKRT_EVENT_READER : 0;
	e->nr_frames = stack_trace_save(e->frames, ARRAY_SIZE(e->frames), 0);
}

void recorder_lock_end(struct recorder *rec, u64 lock, u8 kind, u64 since, u64 ns)
{
	struct recorder_event *e = &rec->wait;

	/* If the thread was armed during the wait, the owner is unknown. */
	if (e->lock_addr != lock)
		*e = (struct recorder_event){
			.lock = kind, .lock_addr = lock, .flags = TASKRT_EVENT_EARLY,
		};
	e->type = TASKRT_EVENT_TIMER;
	e->which = TASKRT_TIMER_LOCK;
	e->at = since;
	e->ns = ns;
	e->cpu = raw_smp_processor_id();
	e->stack = ns >= rec->options.threshold;
	recorder_push_whole(rec, e);
	e->lock_addr = 0;
}

/* There are many shorter interrupts, which would push out what made the thread late. */
#define INTERRUPT_LEAST	(100 * NSEC_PER_USEC)

void recorder_interrupt(struct recorder *rec, unsigned int timer, u64 since, u64 ns)
{
	/* Record the whole interval: @ns excludes waits and interruptions. */
	if (timer != TASKRT_TIMER_HARDIRQ)
		ns = record_elapsed(since, clock_now());
	if (ns < max_t(u64, rec->options.threshold, INTERRUPT_LEAST))
		return;
	recorder_push(rec, &(struct recorder_event){
		.type = TASKRT_EVENT_TIMER,
		.which = record_timer_number(timer),
		.at = since,
		.ns = ns,
		.cpu = raw_smp_processor_id(),
	});
}
