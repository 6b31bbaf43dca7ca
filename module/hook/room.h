/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Room for those who are inside a hooked function at the same time.
 *
 * A kretprobe has a fixed number of instances, each of which a task keeps from entry to
 * return, however long it sleeps.  What comes when they are used up, the kernel skips and
 * counts, and nobody knows whom it hit.  Therefore the hooks count for themselves, and
 * refuse a little before: the task that is refused is known, and is marked as incomplete.
 *
 * A processor takes room from the common rest in batches, and gives it back in batches, so
 * that it rarely touches a word of others.  What lies with all processors is at most a quarter
 * of everything, or two for each of them.
 */
#ifndef TASKRT_ROOM_H
#define TASKRT_ROOM_H

#include <linux/percpu.h>
#include "hook/hook.h"

/* Of one hook, on one processor. */
struct room {
	int left;		/* how many may enter before the common rest is asked */
	int most;		/* that are kept here */
};

DECLARE_PER_CPU(struct room [NR_HOOKS], rooms);

struct thread;

/* room_prepare() - before the probes are registered, with @instances for each function */
void room_prepare(enum hook_id id, int instances);

bool room_fetch(enum hook_id id);
void room_bring(enum hook_id id);

/* The parts of room_take(). */
static __always_inline bool room_here(enum hook_id id)
{
	return __this_cpu_read(rooms[id].left) > 0;
}

static __always_inline void room_enter(enum hook_id id)
{
	__this_cpu_dec(rooms[id].left);
}

/*
 * room_take() - a task enters the function
 *
 * Context: the entry handler of a kretprobe; preemption off.
 * Return: false if there is no room.  Otherwise room_give() follows in the exit handler.
 */
static __always_inline bool room_take(enum hook_id id)
{
	if (unlikely(!room_here(id)) && !room_fetch(id))
		return false;
	room_enter(id);
	return true;
}

static __always_inline void room_give(enum hook_id id)
{
	__this_cpu_inc(rooms[id].left);
	if (unlikely(__this_cpu_read(rooms[id].left) > __this_cpu_read(rooms[id].most)))
		room_bring(id);
}

/*
 * room_refuse() - the current task cannot be timed
 *
 * It counts the miss, and marks the thread and its process.
 * Return: 1, for the entry handler to return.
 */
int room_refuse(enum hook_id id, struct thread *t);

#endif /* TASKRT_ROOM_H */
