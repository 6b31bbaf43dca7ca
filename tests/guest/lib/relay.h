/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two threads on two CPUs that begin something within less than a microsecond, round
 * after round: one leads, the other follows.  Between the rounds who waits leaves his
 * CPU, which the other's may be short of in an emulated machine.
 */
#ifndef RELAY_H
#define RELAY_H

#include <stdint.h>

/* Zeroes at first; only the functions below touch it. */
struct relay {
	uint32_t begun, done, leader, follower;
};

/* The leader: return as both are there; is the follower done already; wait for it. */
void relay_begin(struct relay *relay, uint32_t round);
int relay_is_done(const struct relay *relay, uint32_t round);
void relay_finish(struct relay *relay, uint32_t round);

/* The follower: returns as both are there; says that it is done. */
void relay_follow(struct relay *relay, uint32_t round);
void relay_done(struct relay *relay, uint32_t round);

/* Time that is shorter than any clock can tell: turns of a loop. */
void relay_turn(int turns);

/* The turns after which two things come together, found by trying. */
struct relay_aim {
	int turns, step;
	int least;		/* steps get smaller down to this */
};

/* Less next time, or more. */
void relay_correct(struct relay_aim *aim, int less);

#endif
