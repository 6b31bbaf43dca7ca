// SPDX-License-Identifier: GPL-2.0-only
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "relay.h"

#define SPINS		20000
#define LONGEST		10000000

static uint32_t load(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* Either may be ahead of the other, by one round. */
static int has_come(uint32_t seen, uint32_t round)
{
	return (int32_t)(seen - round) >= 0;
}

static void set(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void await(uint32_t *word, uint32_t value)
{
	unsigned int spins = SPINS;
	uint32_t seen;

	while (!has_come(seen = load(word), value)) {
		if (spins)
			spins--;
		else
			syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
	}
}

/* Spins, because the other thread is about to arrive. */
static void meet(uint32_t *mine, const uint32_t *other, uint32_t round)
{
	__atomic_store_n(mine, round, __ATOMIC_SEQ_CST);
	while (!has_come(load(other), round))
		;
}

void relay_begin(struct relay *relay, uint32_t round)
{
	set(&relay->begun, round);
	meet(&relay->leader, &relay->follower, round);
}

int relay_is_done(const struct relay *relay, uint32_t round)
{
	return has_come(load(&relay->done), round);
}

void relay_finish(struct relay *relay, uint32_t round)
{
	await(&relay->done, round);
}

void relay_follow(struct relay *relay, uint32_t round)
{
	await(&relay->begun, round);
	meet(&relay->follower, &relay->leader, round);
}

void relay_done(struct relay *relay, uint32_t round)
{
	set(&relay->done, round);
}

void relay_turn(int turns)
{
	volatile int turned = 0;

	while (turned < turns)
		turned++;
}

void relay_correct(struct relay_aim *aim, int less)
{
	aim->turns += less ? -aim->step : aim->step;
	if (abs(aim->turns) > LONGEST)
		aim->turns = 0;
	aim->step = aim->step > aim->least ? aim->step * 7 / 8 : rand() % aim->least;
}
