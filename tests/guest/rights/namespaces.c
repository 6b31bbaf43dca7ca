// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ids are those of the pid namespace of the task that asks, and of its user namespace, and
 * cgroups are those that its cgroup namespace shows.  rights.c has who may read whom.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "cgroup.h"
#include "clock.h"
#include "place.h"
#include "tap.h"

static const struct ask_who root = { 0, 0, 0, ~0ULL };

/* A child reports what it saw, and the parent checks it. */
static int up[2], down[2];

static void tell(int fd, int word)
{
	if (write(fd, &word, sizeof(word)) != sizeof(word))
		_exit(200);
}

static int hear(int fd)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	int word;

	if (poll(&ready, 1, CLOCK_PATIENCE_MS) != 1)
		tap_bail("a child says nothing");
	if (read(fd, &word, sizeof(word)) != sizeof(word))
		tap_bail("a child is gone");
	return word;
}

static void open_pipes(void)
{
	if (pipe(up) || pipe(down))
		tap_bail("pipe");
}

static void close_pipes(void)
{
	close(up[0]);
	close(up[1]);
	close(down[0]);
	close(down[1]);
}

static int get(struct raw *raw, uint16_t type, uint32_t id, struct raw_answer *answer)
{
	return raw_get(raw, type, id, 0, answer);
}

static void count_id(const struct raw_stats *stats, void *arg)
{
	unsigned int *ids = arg;

	ids[stats->id < 3 ? stats->id : 0]++;
}

/* Pid 1 of a namespace of its own.  Reports its answers, then waits. */
static int inside_pids(void *arg)
{
	pid_t outer = *(pid_t *)arg, child;
	unsigned int ids[3] = { 0 };
	struct raw_message message;
	struct raw_answer answer;
	struct raw raw;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	tell(up[1], raw_open(&raw));
	tell(up[1], get(&raw, TASKRT_A_TGID, 0, &answer));
	tell(up[1], answer.last.id);
	tell(up[1], answer.last.reading.stats.tgid);
	tell(up[1], answer.last.reading.stats.ppid);
	tell(up[1], get(&raw, TASKRT_A_TID, outer, &answer));
	child = ask_target(&root, 1);
	tell(up[1], get(&raw, TASKRT_A_TID, child, &answer));
	tell(up[1], answer.last.reading.stats.ppid);
	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	raw_ask(&raw, &message, &answer, count_id, ids);
	tell(up[1], ids[1] == 1 && ids[2] == 1 && ids[0] == 0);
	hear(down[0]);
	return 0;
}

static void check_inside_pids(void)
{
	tap_errno(hear(up[0]), 0, "pid namespace: the family is there");
	tap_errno(hear(up[0]), 0, "pid namespace: own process");
	tap_equal(hear(up[0]), 1, "pid namespace: its id is the inner one");
	tap_equal(hear(up[0]), 1, "pid namespace: and the tgid");
	tap_equal(hear(up[0]), 0, "pid namespace: a parent outside has no id");
	tap_errno(hear(up[0]), -ESRCH, "pid namespace: outside pids do not exist");
	tap_errno(hear(up[0]), 0, "pid namespace: an inner child");
	tap_equal(hear(up[0]), 1, "pid namespace: the child's parent");
	tap_ok(hear(up[0]), "pid namespace: a dump has the two inner processes, no more");
}

static void pids(void)
{
	struct raw_answer answer;
	struct raw raw;
	pid_t self = getpid(), pid;

	open_pipes();
	if (raw_open(&raw) || unshare(CLONE_NEWPID))
		tap_bail("no pid namespace: %s", strerror(errno));
	pid = fork();
	if (!pid)
		_exit(inside_pids(&self));
	check_inside_pids();
	tap_errno(get(&raw, TASKRT_A_TGID, pid, &answer), 0, "from outside: by its outer pid");
	tap_equal(answer.last.reading.stats.tgid, pid, "from outside: with its outer pid");
	tap_equal(answer.last.reading.stats.ppid, self, "from outside: and its parent");
	tell(down[1], 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	raw_close(&raw);
	close_pipes();
}

/* Root of a user namespace sees the ids of that namespace. */
static int inside_users(void *unused)
{
	static const struct ask_who root_inside = { 0, 0, 0, ~0ULL }, inner = { 1, 1, 1, 0 };
	struct raw_answer answer;
	struct raw raw;
	pid_t child;
	int err;

	(void)unused;
	place_enter_users();
	ask_become(&root_inside);
	if (raw_open(&raw))
		return 200;
	child = ask_target(&inner, 1);
	err = get(&raw, TASKRT_A_TID, child, &answer);
	ask_end(child);
	return err ?: answer.last.reading.stats.uid == 1 && answer.last.reading.stats.gid == 1 ?
	       0 : 100;
}

static void users(void)
{
	place_make();
	tap_errno(ask_in_child(inside_users, NULL), 0, "user namespace: with the inner ids");
	place_remove();
}

static void find_id(const struct raw_stats *stats, void *arg)
{
	struct taskrt_stats *wanted = arg;

	if (stats->reading.stats.tgid == wanted->tgid)
		*wanted = stats->reading.stats;
}

/* Does the answer name this cgroup? 0: does it name none? */
static int has_cgroup(const struct taskrt_stats *stats, uint64_t id)
{
	return stats->cgroup == id && !!(stats->valid & TASKRT_VALID_CGROUP) == !!id;
}

/* Runs below the cgroup, in a cgroup namespace.  Returns what is wrong, as bits. */
static int inside_cgroups(void *arg)
{
	uint64_t id = *(uint64_t *)arg, root = cgroup_id(CGROUP_ROOT);
	struct taskrt_stats found = { .tgid = getppid() };
	struct raw_message message;
	struct raw_answer answer;
	struct raw raw;
	int wrong = 0;
	size_t nest;

	cgroup_move(getpid(), CGROUP_OWN);
	if (raw_open(&raw) || unshare(CLONE_NEWCGROUP))
		return 200;
	wrong |= get(&raw, TASKRT_A_TGID, 0, &answer) ||
		 !has_cgroup(&answer.last.reading.stats, id);
	wrong |= (get(&raw, TASKRT_A_TGID, getppid(), &answer) ||
		  !has_cgroup(&answer.last.reading.stats, 0)) << 1;
	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	raw_ask(&raw, &message, &answer, find_id, &found);
	wrong |= (answer.error || !found.size || !has_cgroup(&found, 0)) << 2;
	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	nest = raw_nest(&message, TASKRT_A_FILTER);
	raw_put(&message, TASKRT_FILTER_A_CGROUP, &root, sizeof(root));
	raw_nest_end(&message, nest);
	raw_ask(&raw, &message, &answer, NULL, NULL);
	wrong |= (answer.error != -ENOENT) << 3;
	cgroup_move(getpid(), CGROUP_ROOT);
	return wrong;
}

/* What a task may not learn from an answer it may not use as a condition either. */
static void cgroups(void)
{
	uint64_t id = cgroup_make();

	if (!id) {
		tap_skip("cgroup namespace", "no cgroup v2 hierarchy");
		return;
	}
	tap_equal(ask_in_child(inside_cgroups, &id), 0,
		  "cgroup namespace: ids of those inside, none of those outside");
	cgroup_remove();
}

static int in_net(void *unused)
{
	struct raw_answer answer;
	struct raw raw;

	(void)unused;
	if (unshare(CLONE_NEWNET))
		return 200;
	return raw_open(&raw) ?: get(&raw, TASKRT_A_TGID, getppid(), &answer);
}

int main(void)
{
	tap_errno(ask_in_child(in_net, NULL), 0, "network namespace: no matter which");
	users();
	cgroups();
	pids();
	return tap_done();
}
