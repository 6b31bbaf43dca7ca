// SPDX-License-Identifier: GPL-2.0-only
#include "task/process.h"
#include "track/gaps.h"

static bool lacking;	/* some task is not tracked */
static bool lacked;	/* the first walk is over, or a task could not be tracked */

void gaps_note(struct task_struct *task)
{
	struct process *p = process_find(task->signal);

	if (p)
		WRITE_ONCE(p->incomplete, true);
	WRITE_ONCE(lacked, true);
	WRITE_ONCE(lacking, true);
}

void gaps_walk(void)
{
	WRITE_ONCE(lacking, false);
}

void gaps_walked(void)
{
	WRITE_ONCE(lacked, true);
}

void gaps_suspect(void)
{
	WRITE_ONCE(lacking, true);
}

bool gaps_now(void)
{
	return READ_ONCE(lacking);
}

bool gaps_ever(void)
{
	return READ_ONCE(lacked);
}

void gaps_reset(void)
{
	WRITE_ONCE(lacking, false);
	WRITE_ONCE(lacked, false);
}
