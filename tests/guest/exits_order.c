// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records are received in the order in which tasks ended, also when they ended on
 * different CPUs and are delivered together: processes end on two CPUs by turns.
 * TASKRT_TEST_ROUNDS: how many (60).
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
	unsigned int turned;		/* received after one that ended later */
	unsigned int most;
	uint64_t latest, back;		/* by their time stamps */
} order;

static void end_one(unsigned int i)
{
	pid_t pid = fork();

	if (!pid) {
		thread_pin(i % 2);
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
	order.turned += i < order.most;
	order.back += stats->sample_time_ns < order.latest;
	if (i > order.most)
		order.most = i;
	if (stats->sample_time_ns > order.latest)
		order.latest = stats->sample_time_ns;
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
	if (taskrt_exits_open(&listener) ||
	    taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0) ||
	    module_set("exit_delay_ms", DELAY))
		tap_bail("cannot listen");
	for (i = 0; i < order.count; i++)
		end_one(i);
	receive(listener);
	module_set("exit_delay_ms", "10");
	tap_equal(order.received, order.count, "each exit is received");
	/*
	 * A task is reaped shortly before it leaves the CPU.  If the host takes this CPU
	 * away in between, the next task ends earlier, or the instant is noted later.
	 */
	tap_at_most(order.turned, order.count / 6 + 3, "in the order in which they ended");
	tap_at_most(order.back, order.count / 6 + 3, "and of their time stamps");
	taskrt_exits_close(listener);
	return tap_done();
}
