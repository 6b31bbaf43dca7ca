/* SPDX-License-Identifier: GPL-2.0-only */
/* Those who use the module all the time, whether it is there or not. */
#ifndef ASKER_H
#define ASKER_H

#include <stdint.h>

#include "thread.h"

struct asker {
	struct thread thread;
	volatile int stop;
	uint64_t answers;		/* threads, or exits, that it was told of */
	uint64_t gone;			/* times that the module went from under it */
	unsigned int wrong;		/* other errors; each is said */
};

/* Asks for itself, for the module and for all threads, in turn. */
void asker_start(struct asker *asker);
/* Listens to everybody's exits. */
void asker_start_listening(struct asker *asker);
void asker_stop(struct asker *asker);

#endif
