/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The threads that had a CPU, and for how long, while an armed thread waited for it.
 *
 * Each CPU has a table of the last threads that ran there, with sums that only grow.  Switches of
 * that CPU write it while an armed thread waits there.  The table is empty when the first such wait
 * starts.  Each further wait copies the sums at its start, and subtracts them at its end.
 */
#ifndef TASKRT_OCCUPANTS_H
#define TASKRT_OCCUPANTS_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include "task/thread.h"

#define OCCUPANTS	16

struct occupant {
	u64 ns;			/* since it took this place */
	u64 score;		/* as ns, but halved whenever a place is reassigned */
	u32 tid;
	u32 serial;		/* differs between the occupants of the place */
	char comm[TASK_COMM_LEN];
};

struct occupants {
	atomic_t waiting;	/* armed threads that wait for the CPU; maybe some that left */
	u32 serial;
	u32 nr;			/* places in use */
	struct occupant places[OCCUPANTS];
};

DECLARE_PER_CPU(struct occupants, occupants);

/* Set while the hook of a switch also counts cycles, or a thread is armed. */
DECLARE_STATIC_KEY_FALSE(switch_watched);

/* A wait of an armed thread for a CPU. */
struct occupants_wait {
	unsigned int cpu_plus_1;	/* 0: it does not wait */
	u64 since;
	u32 present;		/* tid of the thread that ran there at the start; 0: none */
	u64 present_ns;		/* for how long it had run by then */
	u32 nr;			/* length of the next two */
	u32 serial[OCCUPANTS];
	u64 ns[OCCUPANTS];
	struct occupant most;	/* had a CPU of the wait longest so far */
};

/* True if an armed thread waits for this CPU.  Context: preemption off. */
static __always_inline bool occupants_awaited(void)
{
	return unlikely(__this_cpu_read(occupants.waiting.counter));
}

/* A thread with a record leaves this CPU.  Context: the hook of a switch. */
void occupants_add(const struct thread *out);

/* A thread starts to wait for @cpu.  Context: a hook; a runqueue lock protects the wait. */
void occupants_start(struct occupants_wait *wait, unsigned int cpu, u64 now);

/* The queued thread moves to another CPU.  Context: as occupants_start(). */
void occupants_move(struct occupants_wait *wait, const struct thread *t, unsigned int cpu);

/*
 * The wait ends on this CPU.  Context: the hook of the switch, after occupants_add().
 * Return: the thread that had the CPU longest; NULL: unknown.
 */
const struct occupant *occupants_end(struct occupants_wait *wait, const struct thread *t, u64 now);

/* End a wait, if there is one, without a result.  Context: nothing else uses @wait. */
void occupants_drop(struct occupants_wait *wait);

#endif /* TASKRT_OCCUPANTS_H */
