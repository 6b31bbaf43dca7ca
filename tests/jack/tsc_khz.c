// SPDX-License-Identifier: GPL-2.0-only
/*
 * tsc_khz: how fast this machine's time stamp counter runs.  QEMU passes it on to its
 * guests unchanged, and they measure its rate.  On a busy machine the result is sometimes
 * wrong by a factor of several.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* Reads both clocks at once: of several tries, the one that took the least time. */
static void look(uint64_t *ns, uint64_t *tsc)
{
	uint64_t before, between, after, shortest = -1;
	int i;

	for (i = 0; i < 100; i++) {
		before = now_ns();
		between = __rdtsc();
		after = now_ns();
		if (after - before >= shortest)
			continue;
		shortest = after - before;
		*ns = before + shortest / 2;
		*tsc = between;
	}
}

int main(void)
{
	const struct timespec a_while = { 0, 200000000 };
	uint64_t ns[2] = { 0 }, tsc[2] = { 0 };

	look(&ns[0], &tsc[0]);
	nanosleep(&a_while, NULL);
	look(&ns[1], &tsc[1]);
	printf("%.0f\n", (tsc[1] - tsc[0]) * 1e6 / (ns[1] - ns[0]));
	return 0;
}
