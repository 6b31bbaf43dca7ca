/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that use the module all the time, whether it is there or not. */
#ifndef ASKER_H
#define ASKER_H

#include <stdint.h>

#include "thread.h"

struct asker {
	struct thread thread;
	volatile int stop;
	uint64_t answers;		/* threads, or exits, that were reported to it */
	uint64_t gone;			/* times that the module was removed meanwhile */
	unsigned int wrong;		/* other errors; each is printed */
};

/* Queries its own thread, the module and all threads, in turn. */
void asker_start(struct asker *asker);
/* Listens to all exits. */
void asker_start_listening(struct asker *asker);
void asker_stop(struct asker *asker);

#endif
