// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether a listener for OWN receives a record depends on whether the task is dumpable
 * when it ends, not when the listener registered, nor while its threads end.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "listener.h"
#include "tap.h"
#include "token.h"

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

/* What both processes see. */
struct shared {
	pid_t target;
	unsigned int threads, processes;
	unsigned int wrong;
	int expected;			/* a record of the target, which may come late */
};

static struct shared *shared;
static int to_listener[2], from_listener[2];

static void note(const struct listener_record *record, void *unused)
{
	(void)unused;
	if (record->reading.stats.tgid != (uint32_t)shared->target)
		return;
	shared->threads += !record->process;
	shared->processes += record->process;
}

/* Listens until the target is told of, or until a process of its own has ended after it. */
static int listen_as_user(void *filter)
{
	struct listener listener;

	ask_become(&user);
	/*
	 * A process that has changed its user is not dumpable, and its children would
	 * inherit that.
	 */
	prctl(PR_SET_DUMPABLE, 1);
	listener_open(&listener, note, NULL);
	listener_listen(&listener, filter);
	token_pass(from_listener[1]);
	token_await(to_listener[0]);
	if (shared->expected)
		listener_until(&listener, shared->target);
	else
		listener_drain(&listener);
	shared->wrong = listener.wrong;
	return 0;
}

static void changes_its_mind(int first, int then, int told, const char *name)
{
	int go[2], ready[2], status;
	pid_t target, listener;

	memset(shared, 0, sizeof(*shared));
	if (pipe(go) || pipe(ready))
		tap_bail("pipe");
	target = fork();
	if (!target) {
		ask_become(&user);
		prctl(PR_SET_DUMPABLE, first);
		token_pass(ready[1]);
		token_await(go[0]);
		prctl(PR_SET_DUMPABLE, then);
		_exit(0);
	}
	token_await(ready[0]);
	shared->target = target;
	shared->expected = told;
	listener = fork();
	if (!listener)
		_exit(listen_as_user(&(struct listener_filter){ .own = 1 }));
	token_await(from_listener[0]);
	token_pass(go[1]);
	waitpid(target, NULL, 0);
	token_pass(to_listener[1]);
	waitpid(listener, &status, 0);
	tap_equal(status, 0, "%s: listened", name);
	tap_equal(shared->processes, told, "%s: process", name);
	tap_equal(shared->threads, told, "%s: thread", name);
	tap_equal(shared->wrong, 0, "%s: no broken promise", name);
	close(go[0]);
	close(go[1]);
	close(ready[0]);
	close(ready[1]);
}

int main(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (pipe(to_listener) || pipe(from_listener))
		tap_bail("pipe");
	changes_its_mind(1, 0, 0, "not dumpable any more");
	changes_its_mind(0, 1, 1, "dumpable at last");
	return tap_done();
}
