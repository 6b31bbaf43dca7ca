// SPDX-License-Identifier: GPL-2.0-only
/*
 * A dump belongs to the task that requested it: the dump goes on whenever somebody reads,
 * and the reader's rights neither add to it nor take away from it.  The rights of whoever
 * opened the socket count as well, also for a message with the kernel's address, for which
 * netlink itself skips that check.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "listener.h"
#include "tap.h"

#define TARGETS		60	/* of each user; several messages full */
#define EXECUTED	42	/* where the other program says that it runs */

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
static const struct ask_who root = { 0, 0, 0, ~0ULL };

static pid_t users[TARGETS], roots[TARGETS];

struct seen {
	unsigned int users, roots;
};

static unsigned int is_one(const struct raw_stats *stats, const pid_t *pids)
{
	unsigned int i;

	for (i = 0; i < TARGETS; i++)
		if (stats->id == (uint32_t)pids[i])
			return 1;
	return 0;
}

struct one {
	pid_t pid;
	unsigned int seen;
};

static void note_one(const struct raw_stats *stats, void *arg)
{
	struct one *one = arg;

	one->seen += stats->id == (uint32_t)one->pid;
}

static void note(const struct raw_stats *stats, void *arg)
{
	struct seen *seen = arg;

	seen->users += is_one(stats, users);
	seen->roots += is_one(stats, roots);
}

/* The saved ids stay root's, so that the process can become root again. */
static void become_user(void)
{
	if (setresgid(ASK_USER, ASK_USER, 0) || setresuid(ASK_USER, ASK_USER, 0))
		_exit(200);
}

static void become_root(void)
{
	if (setresuid(0, 0, 0) || setresgid(0, 0, 0))
		_exit(200);
}

static int begin(struct raw *raw)
{
	struct raw_message message;

	raw_begin(raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	return raw_send(raw, &message);
}

/* Which of the two were in the dump, as bits; 4: not all of those that were there. */
static int read_on(struct raw *raw)
{
	struct seen seen = { 0, 0 };
	struct raw_answer answer;

	raw_receive(raw, &answer, note, &seen);
	if (!answer.answered || answer.error)
		return 100;
	tap_diag("%u of the user's, %u of root's", seen.users, seen.roots);
	if (seen.users % TARGETS || seen.roots % TARGETS)
		return 4;
	return (seen.users != 0) | (seen.roots != 0) << 1;
}

static int user_begins(void *arg)
{
	struct raw raw;

	become_user();
	if (raw_open(&raw))
		return 100;
	raw.addressed = *(int *)arg;
	if (begin(&raw))
		return 101;
	become_root();
	return read_on(&raw);
}

static int root_begins(void *arg)
{
	struct raw raw;

	if (raw_open(&raw))
		return 100;
	raw.addressed = *(int *)arg;
	if (begin(&raw))
		return 101;
	ask_become(&user);
	return read_on(&raw);
}

static int user_opens(void *arg)
{
	struct raw_answer answer;
	struct raw raw;
	int err;

	become_user();
	if (raw_open(&raw))
		return 100;
	become_root();
	raw.addressed = *(int *)arg;
	err = raw_get(&raw, TASKRT_A_TID, roots[0], 0, &answer);
	if (err != -EPERM)
		return 101;
	return begin(&raw) ? 102 : read_on(&raw);
}

static int user_opens_listener(void *arg)
{
	const struct listener_filter everybody = { 0 };
	struct listener listener;

	become_user();
	if (listener_try_open(&listener, NULL, NULL))
		return 100;
	become_root();
	listener.raw.addressed = *(int *)arg;
	return listener_register(&listener, &everybody, NULL);
}

static unsigned int times_of(struct raw *raw, const pid_t *pid)
{
	struct one one = { *pid, 0 };
	struct raw_answer answer;

	raw_receive(raw, &answer, note_one, &one);
	return answer.answered && !answer.error ? one.seen : 100;
}

/* Begins as the user, and continues as another program of root's if it has to execute one. */
static void begin_and_change(int execute, struct raw *raw, int ready, int go)
{
	char byte = 0;

	become_user();
	if (begin(raw) || write(ready, "b", 1) != 1 || read(go, &byte, 1) != 1)
		_exit(200);
	if (execute) {
		become_root();
		execl("/proc/self/exe", "dump_asker", "executed", NULL);
		_exit(200);
	}
	if (write(ready, "e", 1) == 1)
		pause();
	_exit(0);
}

/* How often the requesting task is in its own dump when it runs another program by then. */
static int asker_changes(void *arg)
{
	int ready[2], go[2], seen;
	struct raw raw;
	pid_t pid;
	char byte;

	become_user();
	if (raw_open(&raw) || pipe(ready) || pipe(go) || dup2(ready[1], EXECUTED) < 0)
		return 100;
	become_root();
	pid = fork();
	if (!pid)
		begin_and_change(*(int *)arg, &raw, ready[1], go[0]);
	if (read(ready[0], &byte, 1) != 1 || write(go[1], "g", 1) != 1 ||
	    read(ready[0], &byte, 1) != 1 || byte != 'e')
		return 101;
	become_user();
	seen = times_of(&raw, &pid);
	become_root();
	ask_end(pid);
	return seen;
}

static void all(int addressed, const char *how)
{
	tap_equal(ask_in_child(user_begins, &addressed), 1,
		  "%s: what a user began and root reads on has the user's", how);
	tap_equal(ask_in_child(root_begins, &addressed), 3,
		  "%s: what root began and a user reads on has everybody's", how);
	tap_equal(ask_in_child(user_opens, &addressed), 0,
		  "%s: a user's socket in root's hands sees nobody else's", how);
	tap_errno(ask_in_child(user_opens_listener, &addressed), EPERM,
		  "%s: and is not told of everybody's exits", how);
}

static int executed(void)
{
	if (write(EXECUTED, "e", 1) == 1)
		pause();
	return 0;
}

int main(int argc, char **argv)
{
	int stays = 0, executes = 1;
	unsigned int i;

	if (argc > 1 && !strcmp(argv[1], "executed"))
		return executed();

	/* The user's threads come first, and fill the part that is answered at once. */
	for (i = 0; i < TARGETS; i++)
		users[i] = ask_target(&user, 1);
	for (i = 0; i < TARGETS; i++)
		roots[i] = ask_target(&root, 1);
	all(0, "as usual");
	all(1, "with an address");
	tap_equal(ask_in_child(asker_changes, &stays), 1, "who asked is in its own dump");
	tap_equal(ask_in_child(asker_changes, &executes), 0,
		  "but not when it runs another program, of root's, by then");
	for (i = 0; i < TARGETS; i++) {
		ask_end(users[i]);
		ask_end(roots[i]);
	}
	return tap_done();
}
