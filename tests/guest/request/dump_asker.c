// SPDX-License-Identifier: GPL-2.0-only
/*
 * A dump has the rights of the process that requested it, and not of a later reader of the
 * socket.  It contains its requester until that executes another program; rights.c has the
 * other tasks.  If a thread that is not the leader executes, ids change hands, and the dump
 * says that it may have missed a thread.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "tap.h"

#define OTHERS		60	/* of the user; several messages full */
#define EXECUTED	42	/* where the other program says that it runs */

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

struct one {
	pid_t pid;
	unsigned int seen;
};

static void note_one(const struct raw_stats *stats, void *arg)
{
	struct one *one = arg;

	one->seen += stats->id == (uint32_t)one->pid;
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

/* How often the requesting task is in its own dump if it has executed another program meanwhile. */
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

static void *execute_when_told(void *arg)
{
	const int *go = arg;
	char byte;

	if (read(*go, &byte, 1) == 1)
		execl("/proc/self/exe", "dump_asker", "executed", NULL);
	_exit(200);
}

/* A process, of which the leader or another thread executes a program when it is told to. */
static pid_t start_executor(int leader, int *go)
{
	pid_t pid = fork();
	pthread_t other;

	if (pid)
		return pid;
	if (leader)
		execute_when_told(go);
	if (pthread_create(&other, NULL, execute_when_told, go))
		_exit(200);
	pthread_join(other, NULL);
	_exit(200);
}

/* Whether a dump during which a process executes a program says that it was interrupted. */
static int interrupted_by(int leader)
{
	struct raw_answer answer;
	int ready[2], go[2];
	struct raw raw;
	pid_t pid;
	char byte;

	if (raw_open(&raw) || pipe(ready) || pipe(go) || dup2(ready[1], EXECUTED) < 0)
		return 100;
	pid = start_executor(leader, &go[0]);
	if (begin(&raw) || write(go[1], "g", 1) != 1 || read(ready[0], &byte, 1) != 1 ||
	    byte != 'e')
		return 101;
	raw_receive(&raw, &answer, NULL, NULL);
	raw_close(&raw);
	ask_end(pid);
	return answer.answered && !answer.error ? answer.interrupted : 102;
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
	pid_t others[OTHERS];
	unsigned int i;

	if (argc > 1 && !strcmp(argv[1], "executed"))
		return executed();

	/* They come first, and fill the part that is answered at once. */
	for (i = 0; i < OTHERS; i++)
		others[i] = ask_target(&user, 1);
	tap_equal(ask_in_child(asker_changes, &stays), 1, "who asked is in its own dump");
	tap_equal(ask_in_child(asker_changes, &executes), 0,
		  "but not when it runs another program, of root's, by then");
	tap_equal(interrupted_by(1), 0, "the leader of a process executes during a dump: no harm");
	tap_equal(interrupted_by(0), 1, "another thread does: the dump says that it was interrupted");
	for (i = 0; i < OTHERS; i++)
		ask_end(others[i]);
	return tap_done();
}
