// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a task has used before it was tracked is known to a few ms, even if it runs where the
 * kernel has no tick that keeps the task's runtime up to date (nohz_full=).
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "module.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define ROUNDS	4
#define TICKS	(25 * MS)	/* two and a half at 100 Hz */

static pid_t spin_on(unsigned int cpu)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	thread_pin(cpu);
	for (;;)
		;
}

/* By how much less does the module know than the kernel, which is asked after it? */
static uint64_t missing(pid_t pid)
{
	struct taskrt *handle = window_open();
	struct taskrt_reading reading;
	uint64_t kernel, now, known;
	clockid_t clock;

	window_thread(handle, pid, &reading);
	/* This renews the runtime. */
	if (clock_getcpuclockid(pid, &clock))
		tap_bail("no clock of a process");
	kernel = clock_of(clock);
	now = clock_now();
	taskrt_close(handle);
	known = reading.stats.cpu_time_ns + now - reading.stats.sample_time_ns;
	return kernel > known ? kernel - known : 0;
}

int main(void)
{
	uint64_t lacks, most = 0;
	pid_t pid = spin_on(1);
	int i;

	thread_pin(0);
	for (i = 0; i < ROUNDS; i++) {
		module_again("");
		lacks = missing(pid);
		most = lacks > most ? lacks : most;
		clock_sleep(300 * MS);
	}
	tap_at_most(most, TICKS, "the runtime before the module was inserted is known to a few ticks");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return tap_done();
}
