// SPDX-License-Identifier: GPL-2.0-only
/*
 * A listener without capabilities receives the records of its own user's tasks, and no
 * others.
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

#define MOST	8

#define USER(capabilities)	{ ASK_USER, ASK_USER, ASK_USER, capabilities }

static const struct ask_who user = USER(0);

/* A task that ends, and whether the user may receive its record. */
static const struct target {
	const char *name;
	struct ask_who who;
	int dumpable, told;
} targets[] = {
	{ "one's own", USER(0), 1, 1 },
	{ "one's own, not dumpable", USER(0), 0, 0 },
	{ "another user's", { ASK_OTHER, ASK_OTHER, ASK_OTHER, 0 }, 1, 0 },
	{ "root's", { 0, 0, 0, ~0ULL }, 1, 0 },
	{ "root's without capabilities", { 0, 0, 0, 0 }, 1, 0 },
	{ "of another effective uid", { ASK_USER, ASK_OTHER, ASK_USER, 0 }, 1, 0 },
	{ "of another gid", { ASK_USER, ASK_USER, ASK_OTHER, 0 }, 1, 0 },
};

#define TARGETS	(sizeof(targets) / sizeof(*targets))

/* What both processes see. */
struct shared {
	pid_t pids[MOST];
	unsigned int threads[MOST], processes[MOST];
	unsigned int strangers;		/* of another uid than the listener's */
	unsigned int wrong;
};

static struct shared *shared;
static int to_listener[2], from_listener[2];

static void note(const struct listener_record *record, void *unused)
{
	unsigned int i;

	(void)unused;
	shared->strangers += record->reading.stats.uid != ASK_USER;
	for (i = 0; i < TARGETS; i++) {
		if (record->reading.stats.tgid != (uint32_t)shared->pids[i])
			continue;
		shared->threads[i] += !record->process;
		shared->processes[i] += record->process;
	}
}

/* Listens until all targets, and then a process of its own, have ended. */
static int listen_as_user(void *filter)
{
	struct listener listener;

	ask_become(&user);
	/* It would hand down that it is not, as one that has changed its user is. */
	prctl(PR_SET_DUMPABLE, 1);
	listener_open(&listener, note, NULL);
	listener_listen(&listener, filter);
	token_pass(from_listener[1]);
	token_await(to_listener[0]);
	listener_drain(&listener);
	shared->wrong = listener.wrong;
	return 0;
}

static void run(const struct listener_filter *filter)
{
	unsigned int i;
	pid_t pid;
	int status;

	memset(shared, 0, sizeof(*shared));
	for (i = 0; i < TARGETS; i++)
		shared->pids[i] = ask_target(&targets[i].who, targets[i].dumpable);
	pid = fork();
	if (!pid)
		_exit(listen_as_user((void *)filter));
	token_await(from_listener[0]);
	for (i = 0; i < TARGETS; i++)
		ask_end(shared->pids[i]);
	token_pass(to_listener[1]);
	waitpid(pid, &status, 0);
	if (status)
		tap_bail("the listener ended with status %#x", status);
}

static void own(void)
{
	static const struct listener_filter filter = { .own = 1 };
	unsigned int i;

	run(&filter);
	for (i = 0; i < TARGETS; i++) {
		tap_equal(shared->threads[i], targets[i].told, "%s: its thread", targets[i].name);
		tap_equal(shared->processes[i], targets[i].told, "%s: itself", targets[i].name);
	}
	tap_equal(shared->strangers, 0, "nobody else, either");
	tap_equal(shared->wrong, 0, "no broken promise");
}

/* A privileged listener that chooses OWN. */
static void root_chooses(void)
{
	struct listener listener;

	memset(shared, 0, sizeof(*shared));
	shared->pids[0] = ask_target(&targets[0].who, 1);
	shared->pids[3] = ask_target(&targets[3].who, 1);
	prctl(PR_SET_DUMPABLE, 1);
	listener_open(&listener, note, NULL);
	listener_listen(&listener, &(struct listener_filter){ .own = 1 });
	ask_end(shared->pids[0]);
	ask_end(shared->pids[3]);
	listener_drain(&listener);
	tap_equal(shared->processes[0], 0, "root with OWN: not a user's");
	tap_equal(shared->processes[3], 1, "root with OWN: its own");
	listener_close(&listener);
}

/*
 * What counts is whether a task is dumpable when it ends, not when the listener
 * registered, nor while its threads end.
 */
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
	shared->pids[0] = target;
	listener = fork();
	if (!listener)
		_exit(listen_as_user(&(struct listener_filter){ .own = 1 }));
	token_await(from_listener[0]);
	token_pass(go[1]);
	waitpid(target, NULL, 0);
	token_pass(to_listener[1]);
	waitpid(listener, &status, 0);
	tap_equal(status, 0, "%s: listened", name);
	tap_equal(shared->processes[0], told, "%s: process", name);
	tap_equal(shared->threads[0], told, "%s: thread", name);
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
	own();
	root_chooses();
	changes_its_mind(1, 0, 0, "not dumpable any more");
	changes_its_mind(0, 1, 1, "dumpable at last");
	return tap_done();
}
