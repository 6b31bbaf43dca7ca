// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exits that the worker has not delivered take room from new threads.  If little room is
 * left, the oldest exits are dropped and counted, and the newest are delivered.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "listener.h"
#include "module.h"
#include "patience.h"
#include "quiet.h"
#include "tap.h"
#include "window.h"

#define ROOM	20	/* above what is there already */
#define SPARE	10	/* of twice the maximum, for others */
#define MOST	4096

static struct listener listener;
static pid_t ended[MOST];
static unsigned int count, told;
static int last_told;

static void note(const struct listener_record *record, void *unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < count; i++)
		told += record->id == (uint32_t)ended[i];
	if (count)
		last_told |= record->id == (uint32_t)ended[count - 1];
}

/* Return: the number of children that fit into twice the maximum. */
static unsigned int limit(void)
{
	const unsigned int tasks = quiet_tasks(), max = tasks + ROOM;
	char parameters[64];

	snprintf(parameters, sizeof(parameters), "max_threads=%u exit_delay_ms=5000", max);
	module_again(parameters);
	return 2 * max - tasks - SPARE;
}

/* They are not waited for, so that their records stay. */
static void end_children(unsigned int nr)
{
	siginfo_t how;

	while (count < nr) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		if (pid < 0 || waitid(P_PID, pid, &how, WEXITED | WNOWAIT))
			tap_bail("fork");
		ended[count++] = pid;
	}
}

/* Once the last one has been freed, the worker looks at the exits of all. */
static void reap_last(void)
{
	if (waitpid(ended[count - 1], NULL, 0) != ended[count - 1])
		tap_bail("waitpid");
	while (told + listener.lost < count && patience_lasts())
		listener_wait(&listener, 100);
}

static void reap_rest(void)
{
	while (wait(NULL) > 0)
		;
}

int main(void)
{
	const struct listener_filter own = { .own = 1, .entities = TASKRT_ENTITIES_PROCESSES };
	unsigned int nr;

	/* A busy host may take so long that most were told before. */
	do {
		reap_rest();
		nr = limit();
		if (nr > MOST)
			tap_bail("there are %u tasks to end", nr);
		listener_open(&listener, note, NULL);
		listener_listen(&listener, &own);
		count = told = 0;
		last_told = 0;
		end_children(nr);
		reap_last();
		if (listener.lost)
			break;
		listener_close(&listener);
	} while (patience_lasts());
	tap_diag("of %u exits %u were told, %llu were lost", nr, told,
		 (unsigned long long)listener.lost);
	tap_at_least(listener.lost, 1, "some exits were counted as lost");
	tap_at_least(told + listener.lost, nr, "all others were told");
	tap_ok(last_told, "and the last one among them");
	reap_rest();
	module_must_set("exit_delay_ms", "10");
	listener_drain(&listener);
	tap_ok(1, "who ends when there is room again is told");
	tap_equal(listener.wrong, 0, "no message broke a promise");
	listener_close(&listener);
	module_again("");
	return tap_done();
}
