/* SPDX-License-Identifier: GPL-2.0-only */
/* What surrounds the writers in the module: one thread, and the functions that they call. */
#ifndef TASKRT_NEXT_SURROUNDINGS_H
#define TASKRT_NEXT_SURROUNDINGS_H

#include "observe/recorder.h"
#include "task/thread.h"

extern u64 the_time;
extern struct task_struct the_task;
extern struct thread the_thread;
extern struct recorder_event the_event;	/* of an alert */
extern struct recorder *the_recorder;	/* whose alert waits */
extern int the_error;			/* of its delivery */
extern struct sk_buff *the_alert;	/* that was sent last */
extern int the_pages_fd;		/* the memory of the page */

/* Resets everything. */
void surroundings_begin(void);

#endif /* TASKRT_NEXT_SURROUNDINGS_H */
