// SPDX-License-Identifier: GPL-2.0-only
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include "hook/room.h"
#include "task/process.h"

#define BATCH_MAX	16

DEFINE_PER_CPU(struct room [NR_HOOKS], rooms);

static struct {
	atomic_t rest;		/* that no processor has */
	int batch;
} room_common[NR_HOOKS];

/*
 * On each processor one more instance may be in use than is counted: between the moment when
 * the kernel takes it and the entry handler, or between the exit handler and the
 * moment when the kernel has it back.  Preemption is off in both.
 *
 * A task that dies by an oops in the function does not come back, and keeps its room.
 */
void room_prepare(enum hook_id id, int instances)
{
	const int cpus = num_possible_cpus(), all = instances - cpus;
	const int batch = clamp(all / (8 * cpus), 1, BATCH_MAX);
	int cpu;

	room_common[id].batch = batch;
	atomic_set(&room_common[id].rest, all);
	for_each_possible_cpu(cpu)
		per_cpu(rooms, cpu)[id] = (struct room){ .most = 2 * batch };
}

/* Return: true if there is room on this processor now. */
bool room_fetch(enum hook_id id)
{
	int part, rest = atomic_read(&room_common[id].rest);

	do {
		part = min(rest, room_common[id].batch);
		if (part <= 0)
			return false;
	} while (!atomic_try_cmpxchg_relaxed(&room_common[id].rest, &rest, rest - part));
	__this_cpu_add(rooms[id].left, part);
	return true;
}

void room_bring(enum hook_id id)
{
	__this_cpu_sub(rooms[id].left, room_common[id].batch);
	atomic_add(room_common[id].batch, &room_common[id].rest);
}

int room_refuse(enum hook_id id, struct thread *t)
{
	hook_miss(id);
	thread_missed(t);
	return 1;
}
