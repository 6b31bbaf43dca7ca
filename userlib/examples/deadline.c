// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * deadline: a thread with 10 ms for its work, which says why it was late.
 *
 *	cc -o deadline deadline.c $(pkg-config --cflags --libs libtaskrt)
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <taskrt.h>

#define MS		1000000
#define PERIOD_NS	(10 * MS)

static void work(int round)
{
	const struct timespec too_long = { .tv_nsec = 15 * MS };

	if (round % 100 == 99)
		nanosleep(&too_long, NULL);
}

static void say(const struct taskrt_window *window)
{
	struct taskrt_explanation why;
	char line[600];

	taskrt_window_explain(window, &why, sizeof(why));
	taskrt_explanation_format(&why, PERIOD_NS, line, sizeof(line));
	puts(line);
}

int main(void)
{
	struct taskrt_window window;
	struct taskrt_self *self;
	struct timespec next;
	int round, err = taskrt_self_open(&self, 0);

	if (err) {
		fprintf(stderr, "deadline: %s\n", strerror(-err));
		return 1;
	}
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (round = 0; round < 300; round++) {
		next.tv_nsec += PERIOD_NS;
		next.tv_sec += next.tv_nsec / (1000 * MS);
		next.tv_nsec %= 1000 * MS;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		taskrt_window_begin(&window, self);
		work(round);
		taskrt_window_end(&window);
		if (window.elapsed_ns > PERIOD_NS)
			say(&window);
	}
	taskrt_self_close(self);
	return 0;
}
