/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which threads have had a CPU, and for how long, while an armed thread waited for it.
 *
 * Each CPU has a table of the last threads that ran there, with sums that only grow.  It is
 * written at switches of that CPU, and only while an armed thread waits there: it is empty when
 * the first one starts to wait.  Each further wait copies the sums when it starts: the
 * difference at its end belongs to the wait.
 */
#ifndef TASKRT_OCCUPANTS_H
#define TASKRT_OCCUPANTS_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include "task/thread.h"

#define OCCUPANTS	16

struct occupant {
	u64 ns;			/* since it has this place */
	u64 score;		/* as ns, but halved whenever a place is taken away */
	u32 tid;
	u32 serial;		/* another one for each occupant of the place */
	char comm[TASK_COMM_LEN];
};

struct occupants {
	atomic_t waiting;	/* armed threads that wait for the CPU; may be one too many */
	u32 serial;
	u32 nr;			/* places in use, since a thread waits */
	struct occupant places[OCCUPANTS];
};

DECLARE_PER_CPU(struct occupants, occupants);

/*
 * A switch is looked at by more than the records: cycles are counted, or a thread is armed.
 * Otherwise the hook of a switch does not ask.
 */
DECLARE_STATIC_KEY_FALSE(switch_watched);

/* A wait of an armed thread for a CPU. */
struct occupants_wait {
	unsigned int cpu_plus_1;	/* 0: it does not wait */
	u64 since;
	u32 present;		/* the tid of the thread that ran there at the start; 0: none */
	u64 present_ns;		/* and had run for this long */
	u32 nr;			/* of those that follow */
	u32 serial[OCCUPANTS];
	u64 ns[OCCUPANTS];
	struct occupant most;	/* that had the CPU longest; on one of them, if they were several */
};

/* Does an armed thread wait for this CPU?  Context: preemption off. */
static __always_inline bool occupants_awaited(void)
{
	return unlikely(__this_cpu_read(occupants.waiting.counter));
}

/* The thread, which has a record, leaves this CPU.  Context: the hook of a switch. */
void occupants_add(const struct thread *out);

/*
 * occupants_start() - a thread starts to wait for a CPU
 *
 * Context: a hook; the lock of a runqueue keeps others from the wait.
 */
void occupants_start(struct occupants_wait *wait, unsigned int cpu, u64 now);

/* The thread, which is still queued, is moved to another CPU.  Context: as above. */
void occupants_move(struct occupants_wait *wait, const struct thread *t, unsigned int cpu);

/*
 * occupants_end() - the wait is over, on this CPU
 *
 * Context: the hook of the switch, after occupants_add().
 * Return: the thread that had the CPU longest; NULL: none is known.
 */
const struct occupant *occupants_end(struct occupants_wait *wait, const struct thread *t, u64 now);

/* The thread was disarmed, perhaps while it waited.  Context: no hook has the wait. */
void occupants_drop(struct occupants_wait *wait);

#endif /* TASKRT_OCCUPANTS_H */
