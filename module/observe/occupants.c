// SPDX-License-Identifier: GPL-2.0-only
#include <linux/minmax.h>
#include <linux/string.h>
#include "compat/clock.h"
#include "observe/occupants.h"

DEFINE_PER_CPU(struct occupants, occupants);
DEFINE_STATIC_KEY_FALSE(switch_watched);

static struct occupant *occupants_least(struct occupants *here)
{
	struct occupant *o, *least = here->places;

	for (o = here->places; o < here->places + OCCUPANTS; o++) {
		/* Old turns lose weight, so that no place is kept for ever. */
		o->score /= 2;
		if (o->score < least->score)
			least = o;
	}
	return least;
}

/* Take a free place, or the place of the occupant with the lowest score. */
static struct occupant *occupants_take_place(struct occupants *here, u32 tid)
{
	/* Another CPU may set nr to 0: see occupants_enter(). */
	const u32 nr = READ_ONCE(here->nr);
	struct occupant *o = nr < OCCUPANTS ? &here->places[nr] : occupants_least(here);

	if (nr < OCCUPANTS)
		WRITE_ONCE(here->nr, nr + 1);
	o->tid = tid;
	o->serial = ++here->serial;
	o->ns = 0;
	o->score = 0;
	return o;
}

static struct occupant *occupants_find(struct occupants *here, u32 tid)
{
	const u32 nr = READ_ONCE(here->nr);
	u32 i;

	for (i = 0; i < nr; i++)
		if (here->places[i].tid == tid)
			return &here->places[i];
	return NULL;
}

/* The name may change during the copy, but not its last byte. */
static void occupants_name(struct occupant *o, const struct task_struct *task)
{
	memcpy(o->comm, task->comm, sizeof(o->comm));
	o->comm[sizeof(o->comm) - 1] = 0;
}

void occupants_add(const struct thread *out)
{
	struct occupants *here = this_cpu_ptr(&occupants);
	const u64 ns = record_elapsed(out->record.since, clock_now());
	const u32 tid = task_pid_nr(out->task);
	struct occupant *o = occupants_find(here, tid) ?: occupants_take_place(here, tid);

	occupants_name(o, out->task);
	o->score += ns;
	WRITE_ONCE(o->ns, o->ns + ns);
}

static void occupants_enter(struct occupants_wait *wait, unsigned int cpu, u64 now)
{
	const struct thread *present = READ_ONCE(per_cpu(thread_on_cpu, cpu));
	struct occupants *there = per_cpu_ptr(&occupants, cpu);
	u32 i;

	/* A thread may move here without the lock of @cpu's runqueue: that CPU may be using nr. */
	if (!atomic_fetch_inc(&there->waiting))
		WRITE_ONCE(there->nr, 0);
	wait->cpu_plus_1 = cpu + 1;
	wait->since = now;
	wait->present = present->task ? task_pid_nr(present->task) : 0;
	wait->present_ns = wait->present ? record_elapsed(present->record.since, now) : 0;
	wait->nr = READ_ONCE(there->nr);
	for (i = 0; i < wait->nr; i++) {
		wait->serial[i] = READ_ONCE(there->places[i].serial);
		wait->ns[i] = READ_ONCE(there->places[i].ns);
	}
}

void occupants_start(struct occupants_wait *wait, unsigned int cpu, u64 now)
{
	occupants_drop(wait);
	wait->most.ns = 0;
	occupants_enter(wait, cpu, now);
}

/* The length of the present turn, which no sum has yet.  A turn of @t itself does not count. */
static u64 occupants_unadded(const struct occupants_wait *wait, const struct thread *present,
			     const struct thread *t, u64 now)
{
	if (!present->task || present == t)
		return 0;
	return record_elapsed(max(present->record.since, wait->since), now);
}

/* How much of the wait belongs to @o, the occupant of place @i. */
static u64 occupants_share(const struct occupants_wait *wait, const struct occupant *o, u32 i)
{
	u64 ns = o->ns;

	if (i < wait->nr && wait->serial[i] == o->serial)
		ns -= min(ns, wait->ns[i]);	/* the sum may have changed during the copy */
	/* @o had the CPU when the wait started: a part of that turn was before it. */
	if (o->tid == wait->present)
		ns -= min(ns, wait->present_ns);
	return ns;
}

static void occupants_take(struct occupants_wait *wait, const struct occupant *o, u64 ns)
{
	if (ns <= wait->most.ns)
		return;
	wait->most = *o;
	wait->most.ns = ns;
}

/* Take the thread that still runs, its present turn included, if it had the CPU longest. */
static void occupants_take_present(struct occupants_wait *wait, struct task_struct *task,
				   u64 unadded)
{
	struct occupants *there = per_cpu_ptr(&occupants, wait->cpu_plus_1 - 1);
	struct occupant last = { .tid = task_pid_nr(task) };
	const struct occupant *o = occupants_find(there, last.tid);

	occupants_name(&last, task);
	if (o)
		unadded += occupants_share(wait, o, o - there->places);
	occupants_take(wait, &last, unadded);
}

/* End the wait for one CPU: find the thread that has had it longest. */
static void occupants_settle(struct occupants_wait *wait, const struct thread *t, u64 now)
{
	const unsigned int cpu = wait->cpu_plus_1 - 1;
	const struct thread *present = READ_ONCE(per_cpu(thread_on_cpu, cpu));
	struct occupants *there = per_cpu_ptr(&occupants, cpu);
	const u64 unadded = occupants_unadded(wait, present, t, now);
	const u32 nr = READ_ONCE(there->nr);
	u32 i;

	/* @present's turn started before the wait, and no sum has it yet: subtract nothing. */
	if (unadded && present->record.since <= wait->since)
		wait->present_ns = 0;
	for (i = 0; i < nr; i++)
		occupants_take(wait, &there->places[i],
			       occupants_share(wait, &there->places[i], i));
	if (unadded)
		occupants_take_present(wait, present->task, unadded);
	occupants_drop(wait);
}

void occupants_move(struct occupants_wait *wait, const struct thread *t, unsigned int cpu)
{
	u64 now;

	if (!wait->cpu_plus_1)
		return;
	now = clock_now();
	occupants_settle(wait, t, now);
	occupants_enter(wait, cpu, now);
}

const struct occupant *occupants_end(struct occupants_wait *wait, const struct thread *t, u64 now)
{
	if (!wait->cpu_plus_1)
		return NULL;
	if (wait->cpu_plus_1 == raw_smp_processor_id() + 1)
		occupants_settle(wait, t, now);
	else
		/* The thread has moved here unreported: this CPU's occupants are unknown. */
		occupants_drop(wait);
	return wait->most.ns ? &wait->most : NULL;
}

void occupants_drop(struct occupants_wait *wait)
{
	if (wait->cpu_plus_1)
		atomic_dec(&per_cpu(occupants.waiting, wait->cpu_plus_1 - 1));
	wait->cpu_plus_1 = 0;
}
