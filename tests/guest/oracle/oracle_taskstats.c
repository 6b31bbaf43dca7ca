// SPDX-License-Identifier: GPL-2.0-only
/*
 * Agreement with taskstats, the kernel's own per-task accounting, about a child that
 * computes, faults, waits as if for a disk and ends.  Its delays are compared only where
 * delay accounting can be switched on.
 */
#include <linux/taskstats.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "delays.h"
#include "device.h"
#include "patience.h"
#include "state.h"
#include "tap.h"
#include "window.h"

#define BURN	(200 * MS)
#define IO	(200 * MS)
/*
 * In addition to 10 %: the time that an emulator's host may steal between two readings of
 * a clock.
 */
#define SLACK	(40 * MS)

static void child_work(int device)
{
	volatile char *area = mmap(NULL, 64 * 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	for (i = 0; i < 64; i++)
		area[i * 4096] = 1;
	clock_burn(BURN);
	device_delay(device, TASKRT_TEST_IO, IO);
	clock_sleep(5 * MS);
	_exit(0);
}

static int near(uint64_t value, uint64_t oracle)
{
	uint64_t slack = oracle / 10 + SLACK;

	return value + slack >= oracle && value <= oracle + slack;
}

static void close_to(uint64_t value, uint64_t oracle, const char *name)
{
	uint64_t slack = oracle / 10 + SLACK;

	tap_at_least(value + slack, oracle, "%s: not less", name);
	tap_at_most(value, oracle + slack, "%s: not more", name);
}

static void check(const struct taskrt_reading *ours, const struct taskstats *theirs, int delays)
{
	close_to(ours->stats.cpu_time_ns, theirs->cpu_run_virtual_total, "cpu_time");
	tap_equal(VALUE(*ours, VOLUNTARY_SWITCHES), theirs->nvcsw, "voluntary switches");
	tap_equal(VALUE(*ours, INVOLUNTARY_SWITCHES), theirs->nivcsw, "involuntary switches");
	tap_equal(VALUE(*ours, MINOR_FAULTS), theirs->ac_minflt, "minor faults");
	tap_equal(VALUE(*ours, MAJOR_FAULTS), theirs->ac_majflt, "major faults");
	tap_equal(ours->stats.uid, theirs->ac_uid, "uid");
	tap_equal(ours->stats.ppid, theirs->ac_ppid, "ppid");
	tap_ok(!strcmp(ours->stats.comm, theirs->ac_comm), "comm");
	if (!delays) {
		tap_skip("delays", "no kernel.task_delayacct");
		return;
	}
	close_to(ours->stats.queue_time_ns, theirs->cpu_delay_total, "queue_time");
	close_to(ours->times.states_ns[TASKRT_STATE_BLOCKED_IO], theirs->blkio_delay_total,
		 "blocked_io");
	tap_at_least(theirs->blkio_delay_total, IO / 2, "taskstats saw the disk");
}

/* Queries both about a child, after its last switch: its parent is notified before that. */
static void observe(struct taskrt *handle, int device, struct taskrt_reading *ours,
		    struct taskstats *theirs)
{
	siginfo_t info;
	pid_t pid = fork();

	if (!pid)
		child_work(device);
	waitid(P_PID, pid, &info, WEXITED | WNOWAIT);
	state_await(handle, pid, TASKRT_STATE_EXITED, ours);
	delays_ask(pid, theirs);
	waitpid(pid, NULL, 0);
}

static int times_agree(const struct taskrt_reading *ours, const struct taskstats *theirs,
		       int delays)
{
	if (!near(ours->stats.cpu_time_ns, theirs->cpu_run_virtual_total))
		return 0;
	return !delays || (near(ours->stats.queue_time_ns, theirs->cpu_delay_total) &&
			   near(ours->times.states_ns[TASKRT_STATE_BLOCKED_IO],
				theirs->blkio_delay_total) &&
			   theirs->blkio_delay_total >= IO / 2);
}

int main(void)
{
	int were_on = delays_are_on(), device = device_open(), delays = delays_switch(1);
	struct taskrt *handle = window_open();
	struct taskrt_reading ours;
	struct taskstats theirs;

	/*
	 * An emulator's host may stop the machine between the two clocks' readings of
	 * one switch, but not every time.
	 */
	do
		observe(handle, device, &ours, &theirs);
	while (!times_agree(&ours, &theirs, delays) && patience_lasts());
	check(&ours, &theirs, delays);
	delays_switch(were_on);
	taskrt_close(handle);
	return tap_done();
}
