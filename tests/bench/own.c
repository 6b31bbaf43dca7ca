// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/taskrt_page.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "event.h"
#include "page.h"
#include "raw.h"
#include "recorder.h"
#include "self.h"
#include "tap.h"
#include "thread.h"

/* Ten calls in each round, to keep the cost of the loop small. */
#define TEN(what)	what; what; what; what; what; what; what; what; what; what

double own_read(void)
{
	enum { ROUNDS = 2000 };
	struct taskrt_self *self = self_open();
	struct taskrt_snapshot now;
	uint64_t begin = clock_now();
	int i, status = 0;
	double cost;

	for (i = 0; i < ROUNDS; i++) {
		TEN(status |= taskrt_self_read(self, &now));
	}
	cost = event_each(begin, clock_now(), 10 * ROUNDS);
	if (status)
		tap_bail("taskrt_self_read() failed");
	taskrt_self_close(self);
	return cost;
}

static double get(uint32_t groups)
{
	enum { ROUNDS = 10000 };
	struct taskrt_self *self = self_open();
	struct taskrt_reading reading;
	uint64_t begin = clock_now();
	double cost;
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (taskrt_self_get(self, groups, &reading, sizeof(reading)))
			tap_bail("taskrt_self_get() failed");
	cost = event_each(begin, clock_now(), ROUNDS);
	taskrt_self_close(self);
	return cost;
}

double own_get(void)
{
	return get(EVERY_GROUP);
}

double own_get_times(void)
{
	return get(TASKRT_GROUP_TIMES);
}

double own_window(void)
{
	enum { ROUNDS = 10000 };
	struct taskrt_self *self = self_open();
	struct taskrt_window window;
	uint64_t begin = clock_now();
	double cost;
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (taskrt_window_begin(&window, self) || taskrt_window_end(&window))
			tap_bail("a window could not be begun or ended");
	cost = event_each(begin, clock_now(), ROUNDS);
	taskrt_self_close(self);
	return cost;
}

double own_clock(void)
{
	enum { ROUNDS = 2000 };
	uint64_t begin = clock_now();
	struct timespec ts;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		TEN(clock_gettime(CLOCK_MONOTONIC, &ts));
	}
	return event_each(begin, clock_now(), 10 * ROUNDS);
}

double own_cpu_clock(void)
{
	enum { ROUNDS = 2000 };
	uint64_t begin = clock_now();
	int i;

	for (i = 0; i < ROUNDS; i++)
		clock_of(CLOCK_THREAD_CPUTIME_ID);
	return event_each(begin, clock_now(), ROUNDS);
}

double own_rusage(void)
{
	enum { ROUNDS = 2000 };
	uint64_t begin = clock_now();
	struct rusage usage;
	int i;

	for (i = 0; i < ROUNDS; i++)
		getrusage(RUSAGE_THREAD, &usage);
	return event_each(begin, clock_now(), ROUNDS);
}

/* Few enough alerts for the limit per second; the real-time thread keeps the worker waiting. */
double own_alert(void)
{
	enum { ROUNDS = 20 };
	struct taskrt_alert_request request = { .tag = "bench" };
	const struct recorder_arm arm = { .depth = 64 };
	struct raw raw;
	uint64_t spent = 0, begin;
	int fd = page_device(), i;

	if (raw_open(&raw) || recorder_arm(&raw, &arm, NULL))
		tap_bail("cannot arm the thread");
	thread_fifo(1);
	for (i = 0; i < ROUNDS; i++) {
		clock_sleep(200 * MS);
		begin = clock_now();
		if (ioctl(fd, TASKRT_IOC_ALERT, &request))
			tap_bail("alert: %s", strerror(errno));
		spent += clock_now() - begin;
	}
	thread_other();
	raw_close(&raw);
	close(fd);
	return (double)spent / ROUNDS;
}
