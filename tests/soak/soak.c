// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inserts and removes the module again and again while everything else happens at once:
 * tasks switch, fork, end, fault, contend and are frozen; the module is asked, listened to
 * and switched off and on; threads are armed and map their counters; processors go offline
 * and come back.  Now and then all of this stops: then nothing of it is left.
 *
 * TASKRT_SOAK_SECONDS: for how long (600).  TASKRT_SOAK_ROUNDS: insertions, at most (no
 * limit).  TASKRT_SOAK_THREADS: threads that sleep meanwhile (0).
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "clock.h"
#include "load.h"
#include "module.h"
#include "quiet.h"
#include "shake.h"
#include "tap.h"
#include "users.h"
#include "window.h"

#define PERIOD	10	/* rounds until all stops */

/* The parameters of the rounds, in turn: most are at one of their ends. */
static const char *const parameters[] = {
	"", "max_threads=1", "", "max_threads=4294967295", "listeners_max=0 listeners_per_user=0",
	"", "armed_max=0 mappings_max=0", "armed_per_user=1 mappings_per_user=1 listeners_per_user=1",
	"", "backlog_kib=0 exit_delay_ms=0", "exit_delay_ms=1000", "alerts_max=0 alerts_per_user=0",
	"", "coarse_ns=1000000", "enabled=0", "max_threads=100",
	"listeners_max=4294967295 armed_max=4294967295 mappings_max=4294967295",
	"backlog_kib=4294967295 alerts_max=4294967295 alerts_per_user=4294967295",
	"without=sched_switch,release_task", "without=handle_mm_fault,sched_process_exit",
};

#define SETS	(sizeof(parameters) / sizeof(parameters[0]))

static struct {
	unsigned long rounds, forks_before;
	uint64_t begin, told, lost, alerts, alerts_lost, refused;
} done;

static unsigned long count_forks(void)
{
	unsigned long forks = 0;
	char line[4096];
	FILE *file = fopen("/proc/stat", "r");

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "processes %lu", &forks);
	if (file)
		fclose(file);
	return forks;
}

/* Before the module goes: its counts go with it. */
static void add_counts(void)
{
	struct taskrt *handle;
	struct taskrt_info info;

	if (taskrt_open(&handle))
		return;
	if (!taskrt_get_info(handle, &info, sizeof(info))) {
		done.told += info.exits_delivered;
		done.lost += info.exits_lost;
		done.alerts += info.alerts;
		done.alerts_lost += info.alerts_lost;
		done.refused += info.refused + info.no_memory;
	}
	taskrt_close(handle);
}

/* Before all else that runs, or most of the time would pass in waiting for the processor. */
static void go_and_come(const char *with)
{
	int err;

	setpriority(PRIO_PROCESS, 0, -20);
	add_counts();
	/* Those whose counters are mapped now are waited for. */
	users_step_aside(1);
	err = module_remove(MODULE_TASKRT);
	if (err)
		tap_bail("round %lu: removing: %s", done.rounds, strerror(-err));
	users_step_aside(0);
	err = module_insert(MODULE_TASKRT, with);
	if (err)
		tap_bail("round %lu: inserting with \"%s\": %s", done.rounds, with, strerror(-err));
	setpriority(PRIO_PROCESS, 0, 0);
	done.rounds++;
}

/* On a slow machine accounting may be off most of the time, and then nothing is mapped. */
static void await_maps(void)
{
	const uint64_t maps = users_counts().maps, end = clock_now() + 60 * SEC;

	while (users_counts().maps == maps && clock_now() < end)
		clock_sleep(MS);
}

/* Some rounds with all of it; then the module stays, and all of it stops. */
static void run_period(unsigned long most)
{
	unsigned long i;

	load_start(LOAD_ALL);
	shake_start();
	users_start();
	for (i = 0; i + 1 < PERIOD && done.rounds + 1 < most; i++) {
		go_and_come(parameters[done.rounds % SETS]);
		clock_sleep((done.rounds * 37 % 200) * MS);
	}
	go_and_come("");
	clock_sleep(2 * SEC);
	await_maps();
	users_stop();
	shake_stop();
	load_stop();
	tap_diag("%lu rounds", done.rounds);
	quiet_check("all stops");
}

static void report(void)
{
	const struct users_counts users = users_counts();
	const struct shake_counts shake = shake_counts();
	struct utsname name;

	uname(&name);
	tap_diag("Linux %s, %ld processors, %llu s:", name.release, sysconf(_SC_NPROCESSORS_CONF),
		 (unsigned long long)((clock_now() - done.begin) / SEC));
	tap_diag("%lu insertions and removals, %lu forks", done.rounds,
		 count_forks() - done.forks_before);
	tap_diag("%llu requests, %llu mappings read, accounting switched %llu times",
		 (unsigned long long)users.requests, (unsigned long long)users.maps,
		 (unsigned long long)users.switches);
	tap_diag("INFO before the removals: exits: %llu sent, %llu lost; records refused: %llu",
		 (unsigned long long)done.told, (unsigned long long)done.lost,
		 (unsigned long long)done.refused);
	tap_diag("alerts: %llu, of these %llu lost", (unsigned long long)done.alerts,
		 (unsigned long long)done.alerts_lost);
	tap_diag("received: %llu exits, %llu alerts", (unsigned long long)users.exits,
		 (unsigned long long)users.alerts);
	tap_diag("processors offline and back: %lu times; tasks frozen: %lu times",
		 shake.unplugged, shake.frozen);
}

int main(void)
{
	const uint64_t seconds = tap_setting("TASKRT_SOAK_SECONDS", 600);
	const unsigned long most = tap_setting("TASKRT_SOAK_ROUNDS", ~0UL);

	setvbuf(stdout, NULL, _IOLBF, 0);
	done.begin = clock_now();
	done.forks_before = count_forks();
	if (!module_loaded(MODULE_TASKRT))
		module_again("");
	shake_crowd_start(tap_setting("TASKRT_SOAK_THREADS", 0));
	do
		run_period(most);
	while (done.rounds < most && clock_now() < done.begin + seconds * SEC);
	shake_crowd_stop();
	add_counts();
	report();
	tap_at_least(users_counts().maps, 1, "counters were mapped, and read");
	tap_equal(users_counts().unexpected, 0, "nobody gets an error that cannot be explained");
	tap_ok(!module_remove(MODULE_TASKRT), "the module can be removed");
	return tap_done();
}
