/* SPDX-License-Identifier: GPL-2.0-only */
/* Something that happens to an armed thread, and the alert about it. */
#ifndef FLIGHT_H
#define FLIGHT_H

#include <stdint.h>

#include "alert.h"

/* Intervals of this length and longer have their stacks recorded. */
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

/* Joins the group; call this first. */
void flight_open(void);
/* One check: every promise was kept. */
void flight_close(void);

/*
 * Runs fn in a fresh thread of that name, which arms itself before and alerts afterwards;
 * checks what every alert contains.  Ends the test if no alert comes.
 */
void flight_observe(struct flight *flight, const char *name, flight_fn fn, void *arg);

/*
 * Must a wait that should have been in one piece be repeated?  On a busy host it may be
 * over before it has begun, or come in pieces.  Returns 1 if a query, too, says that less
 * time was spent in that state, or that there was not exactly one wait.  Returns 0 once
 * CLOCK_PATIENCE has passed since the first call; *until is 0 before that call.
 */
int flight_again(const struct flight *flight, uint32_t state, uint64_t least, uint64_t *until);

/*
 * The longest event of that kind (a state, ALERT_FAULT, ALERT_LOCK) within the flight that
 * lasted at least this long; NULL, after printing all events, if there is none.
 */
const struct alert_event *flight_find(const struct flight *flight, uint32_t kind,
				      uint64_t least);
/* The same for an event that lasted at least from the one instant until the other. */
const struct alert_event *flight_find_at(const struct flight *flight, uint32_t kind,
					 uint64_t from_ns, uint64_t until_ns);

#endif
