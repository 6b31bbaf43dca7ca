/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two threads on two CPUs that start something within less than a microsecond of each
 * other, round after round: one leads, the other follows.  Between the rounds a waiting
 * thread leaves its CPU, which the other one may need in an emulated machine.
 */
#ifndef RELAY_H
#define RELAY_H

#include <stdint.h>

/* Zeroed at first; only the functions below change it. */
struct relay {
	uint32_t begun, done, leader, follower;
};

/* For the leader: return when both are there; say whether the follower is done; wait for it. */
void relay_begin(struct relay *relay, uint32_t round);
int relay_is_done(const struct relay *relay, uint32_t round);
void relay_finish(struct relay *relay, uint32_t round);

/* For the follower: return when both are there; report that it is done. */
void relay_follow(struct relay *relay, uint32_t round);
void relay_done(struct relay *relay, uint32_t round);

/* Spends a time that is shorter than any clock's resolution: turns of a loop. */
void relay_turn(int turns);

/* The number of turns after which two events coincide, found by trying. */
struct relay_aim {
	int turns, step;
	int least;		/* steps get smaller down to this */
};

/* Less next time, or more. */
void relay_correct(struct relay_aim *aim, int less);

#endif
