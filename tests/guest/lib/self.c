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

int self_read(const struct taskrt_self *self, struct taskrt_snapshot *now)
{
	int status;

	do
		status = taskrt_self_read(self, now);
	while (status == -EAGAIN);
	if (status < 0)
		tap_bail("taskrt_self_read: %s", strerror(-status));
	return status;
}

int self_stats(const struct taskrt_self *self, struct taskrt_stats *stats)
{
	int status;

	do
		status = taskrt_self_stats(self, stats, sizeof(*stats));
	while (status == -EAGAIN);
	if (status < 0)
		tap_bail("taskrt_self_stats: %s", strerror(-status));
	return status;
}

int self_adds_up(const struct taskrt_snapshot *now, uint64_t tracked_since_ns)
{
	uint64_t sum = window_sum(now->totals.states_ns, TASKRT_NR_STATES);

	if (sum == now->at_ns - tracked_since_ns)
		return 1;
	tap_diag("states %llu, at - tracked_since %llu", (unsigned long long)sum,
		 (unsigned long long)(now->at_ns - tracked_since_ns));
	return 0;
}

int self_agrees(const struct taskrt_snapshot *now)
{
	const struct taskrt_totals *totals = &now->totals;
	uint64_t locks = window_sum(totals->lock_time_ns, TASKRT_NR_LOCKS);

	if (locks == totals->lock_contention_time_ns &&
	    totals->minor_fault_time_ns + totals->major_fault_time_ns <= totals->page_fault_time_ns)
		return 1;
	tap_diag("locks %llu of %llu, faults %llu + %llu of %llu", (unsigned long long)locks,
		 (unsigned long long)totals->lock_contention_time_ns,
		 (unsigned long long)totals->minor_fault_time_ns,
		 (unsigned long long)totals->major_fault_time_ns,
		 (unsigned long long)totals->page_fault_time_ns);
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
