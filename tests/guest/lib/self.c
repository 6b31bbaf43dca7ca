// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "self.h"
#include "tap.h"
#include "window.h"

#define CLOCKS	"/sys/devices/system/clocksource/clocksource0/"

struct taskrt_self *self_open(void)
{
	struct taskrt_self *self;
	int err = taskrt_self_open(&self, TASKRT_SELF_MAPPED);

	if (err)
		tap_bail("taskrt_self_open: %s", strerror(-err));
	return self;
}

unsigned int self_read(struct taskrt_self *self, struct taskrt_snapshot *now)
{
	int status;

	do
		status = taskrt_self_read(self, now);
	while (status == -EAGAIN);
	if (status)
		tap_bail("taskrt_self_read: %s", strerror(-status));
	return now->flags;
}

unsigned int self_get(struct taskrt_self *self, struct taskrt_reading *reading)
{
	int status;

	do
		status = taskrt_self_get(self, EVERY_GROUP, reading, sizeof(*reading));
	while (status == -EAGAIN);
	if (status)
		tap_bail("taskrt_self_get: %s", strerror(-status));
	return reading->flags;
}

void self_measured(const struct taskrt_self *self, struct taskrt_measured *measured)
{
	int err = taskrt_self_measured(self, measured, sizeof(*measured));

	if (err)
		tap_bail("taskrt_self_measured: %s", strerror(-err));
}

int self_adds_up(const struct taskrt_snapshot *now, uint64_t tracked_since_ns)
{
	uint64_t sum = window_sum(now->times.states_ns, TASKRT_STATES_ROOM);

	if (sum == now->at_ns - tracked_since_ns)
		return 1;
	tap_diag("states %llu, at - tracked_since %llu", (unsigned long long)sum,
		 (unsigned long long)(now->at_ns - tracked_since_ns));
	return 0;
}

int self_agrees(const struct taskrt_snapshot *now)
{
	const struct taskrt_times *times = &now->times;
	uint64_t locks = window_sum(times->locks_ns, TASKRT_LOCKS_ROOM);

	if (locks == times->timers_ns[TASKRT_TIMER_LOCK])
		return 1;
	tap_diag("locks %llu of %llu", (unsigned long long)locks,
		 (unsigned long long)times->timers_ns[TASKRT_TIMER_LOCK]);
	return 0;
}

static int is_good(const char *clock)
{
	static const char *const good[] = {
		"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter",
	};
	unsigned int i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++)
		if (!strcmp(clock, good[i]))
			return 1;
	return 0;
}

static int is_current_good(void)
{
	char clock[64] = "";
	FILE *file = fopen(CLOCKS "current_clocksource", "r");

	if (file && fscanf(file, "%63s", clock) != 1)
		clock[0] = 0;
	if (file)
		fclose(file);
	return is_good(clock);
}

const char *self_no_clock(void)
{
	int fd;

	if (is_current_good())
		return NULL;
	fd = open(CLOCKS "current_clocksource", O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		if (write(fd, "tsc", 3) != 3)
			tap_diag("tsc as the clock: %s", strerror(errno));
		close(fd);
	}
	return is_current_good() ? NULL : "this machine's clock is read by a system call";
}
