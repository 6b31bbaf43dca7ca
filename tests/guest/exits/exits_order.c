// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of tasks that ended on one CPU are received in the order in which they ended,
 * also when others ended on another CPU and all are delivered together: processes end on
 * two CPUs by turns.  Each record has the time of its end.
 * TASKRT_TEST_ROUNDS: how many (60).
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "module.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define DELAY	"300"		/* ms: many exits are delivered together */

static struct order {
	unsigned int count;
	pid_t *pids;
	unsigned int received;
	uint64_t latest[2];		/* on each CPU */
	unsigned int back;		/* ended before one that was received before */
	unsigned int early;		/* ended before the task itself knew */
	uint64_t *alive;		/* when it still ran, shared with it */
} order;

static void end_one(unsigned int i)
{
	pid_t pid = fork();

	if (!pid) {
		thread_pin(i % 2);
		order.alive[i] = clock_now();
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		tap_bail("fork or waitpid");
	order.pids[i] = pid;
}

static void note(const struct taskrt_exit *exit)
{
	const struct taskrt_stats *stats = &exit->reading.stats;
	unsigned int i;

	if (exit->type != TASKRT_EXIT_THREAD)
		return;
	for (i = 0; i < order.count && (uint32_t)order.pids[i] != stats->tgid; i++)
		;
	if (i == order.count)
		return;
	order.received++;
	order.early += stats->sample_time_ns < order.alive[i];
	if (exit->cpu > 1)
		return;
	order.back += stats->sample_time_ns < order.latest[exit->cpu];
	order.latest[exit->cpu] = stats->sample_time_ns;
}

static void receive(struct taskrt_exits *listener)
{
	struct taskrt_exit exit;
	int got;

	while (order.received < order.count && patience_lasts()) {
		got = taskrt_exits_next(listener, 100, &exit, sizeof(exit));
		if (got < 0)
			tap_bail("taskrt_exits_next: %s", strerror(-got));
		if (got)
			note(&exit);
	}
}

int main(void)
{
	struct taskrt_exits *listener;
	unsigned int i;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("the order of exits", "there is one CPU");
		return tap_done();
	}
	order.count = tap_setting("TASKRT_TEST_ROUNDS", 60);
	order.pids = calloc(order.count, sizeof(*order.pids));
	order.alive = mmap(NULL, order.count * sizeof(*order.alive), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (taskrt_exits_open(&listener) ||
	    taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0) ||
	    module_set("exit_delay_ms", DELAY))
		tap_bail("cannot listen");
	for (i = 0; i < order.count; i++)
		end_one(i);
	receive(listener);
	module_set("exit_delay_ms", "10");
	tap_equal(order.received, order.count, "each exit is received");
	tap_ok(order.latest[0] && order.latest[1], "from both CPUs");
	tap_equal(order.back, 0, "those of one CPU in the order in which they ended");
	tap_equal(order.early, 0, "each with a time that is not before its end");
	tap_at_most(order.latest[0] > order.latest[1] ? order.latest[0] : order.latest[1],
		    clock_now(), "nor in the future");
	taskrt_exits_close(listener);
	return tap_done();
}
