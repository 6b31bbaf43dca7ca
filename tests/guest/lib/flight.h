/* SPDX-License-Identifier: GPL-2.0-only */
/* Something that happens to an armed thread, and the alert that tells of it. */
#ifndef FLIGHT_H
#define FLIGHT_H

#include <stdint.h>

#include "alert.h"

/* Its stacks are told from this on. */
#define FLIGHT_THRESHOLD	(20 * 1000 * 1000ULL)

typedef void (*flight_fn)(void *arg);

struct flight {
	const char *name;		/* of the thread, and its alert's tag */
	const struct alert *alert;	/* valid until the next one */
	uint64_t begin_ns, end_ns;	/* around fn alone */
	uint64_t states_ns[TASKRT_STATES_ROOM];	/* meanwhile, as a query has it */
	uint64_t waits;			/* how often it has left the CPU */
	uint32_t tid;
};

/* To be called first; joins the group. */
void flight_open(void);
/* Every promise was kept: one check. */
void flight_close(void);

/*
 * Does it in a fresh thread of that name, which arms itself before and alerts
 * after it; checks what an alert always says.  The end of the test if none comes.
 */
void flight_observe(struct flight *flight, const char *name, flight_fn fn, void *arg);

/*
 * Is what should have been one wait to be done once more?  On a busy host it may be
 * over before it has begun, or come in pieces: yes, for CLOCK_PATIENCE from *until on,
 * which is 0 at first, if a query has less of that state, too, or there were several.
 */
int flight_again(const struct flight *flight, uint32_t state, uint64_t least, uint64_t *until);

/*
 * The longest event of that kind (a state, ALERT_FAULT, ALERT_LOCK), at least so long,
 * within the flight; NULL, after it has said what there was, if there is none.
 */
const struct alert_event *flight_find(const struct flight *flight, uint32_t kind,
				      uint64_t least);
/* The same of that kind that lasted from the one instant until the other, at least. */
const struct alert_event *flight_find_at(const struct flight *flight, uint32_t kind,
					 uint64_t from_ns, uint64_t until_ns);

#endif
