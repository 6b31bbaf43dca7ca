// SPDX-License-Identifier: GPL-2.0-only
/*
 * A dump contains the tasks that match all of its conditions, all of these tasks, in the
 * order of their ids.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "cgroup.h"
#include "raw.h"
#include "tap.h"

#define THREADS		5	/* of each of root's processes */
#define PROCESSES	2

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

/* Root's threads, and the user's last. */
static pid_t pids[PROCESSES + 1];
#define USERS	PROCESSES

/* How many threads of each kind, and others, a dump has. */
struct seen {
	unsigned int of[PROCESSES + 1], own, others;
	unsigned int disordered, wrong_groups;
	uint32_t groups, last;
};

struct filter {
	int own;
	int64_t tgid;			/* -1: not sent */
	uint64_t cgroup;		/* 0: not sent */
};

static void *wait_for_ever(void *unused)
{
	pause();
	return unused;
}

static void live(int ready)
{
	pthread_t thread;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 1; i < THREADS; i++)
		if (pthread_create(&thread, NULL, wait_for_ever, NULL))
			_exit(1);
	if (write(ready, "r", 1) == 1)
		pause();
	_exit(0);
}

static pid_t start(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready))
		tap_bail("pipe");
	pid = fork();
	if (!pid)
		live(ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		tap_bail("a process has no threads");
	close(ready[0]);
	return pid;
}

static void note(const struct raw_stats *stats, void *arg)
{
	struct seen *seen = arg;
	unsigned int i;

	seen->disordered += stats->id <= seen->last;
	seen->last = stats->id;
	seen->wrong_groups += stats->reading.groups != seen->groups;
	for (i = 0; i <= PROCESSES; i++)
		if (stats->reading.stats.tgid == (uint32_t)pids[i]) {
			seen->of[i]++;
			return;
		}
	if (stats->reading.stats.tgid == (uint32_t)getpid())
		seen->own++;
	else
		seen->others++;
}

static void put_filter(struct raw_message *message, const struct filter *filter)
{
	size_t nest = raw_nest(message, TASKRT_A_FILTER);

	if (filter->own)
		raw_put(message, TASKRT_FILTER_A_OWN, NULL, 0);
	if (filter->tgid >= 0)
		raw_put_u32(message, TASKRT_FILTER_A_TGID, filter->tgid);
	if (filter->cgroup)
		raw_put(message, TASKRT_FILTER_A_CGROUP, &filter->cgroup, sizeof(filter->cgroup));
	raw_nest_end(message, nest);
}

/* Tries again if threads came or went meanwhile. */
static int dump_once(const struct filter *filter, uint32_t entities, struct seen *seen)
{
	struct raw_message message;
	struct raw_answer answer;
	struct raw raw;

	if (raw_open(&raw))
		tap_bail("no family");
	memset(seen, 0, sizeof(*seen));
	seen->groups = TASKRT_GROUP_COUNTS;
	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	raw_put_u32(&message, TASKRT_A_GROUPS, TASKRT_GROUP_COUNTS);
	if (entities)
		raw_put_u32(&message, TASKRT_A_ENTITIES, entities);
	if (filter)
		put_filter(&message, filter);
	raw_ask(&raw, &message, &answer, note, seen);
	raw_close(&raw);
	if (answer.error)
		tap_bail("dump: %s (%s)", strerror(-answer.error), answer.text);
	return answer.interrupted;
}

static void dump(const struct filter *filter, struct seen *seen)
{
	int tries = 100;

	while (dump_once(filter, TASKRT_ENTITIES_THREADS, seen) && --tries)
		;
}

static void check(const struct seen *seen, unsigned int first, unsigned int second,
		  unsigned int users, unsigned int own, const char *name)
{
	tap_ok(seen->of[0] == first && seen->of[1] == second && seen->of[USERS] == users &&
	       seen->own == own, "%s: %u, %u, %u and %u threads", name, first, second, users, own);
	if (seen->of[0] != first || seen->of[1] != second || seen->of[USERS] != users ||
	    seen->own != own)
		tap_diag("%u, %u, %u and %u, others %u", seen->of[0], seen->of[1],
			 seen->of[USERS], seen->own, seen->others);
	tap_equal(seen->disordered, 0, "%s: in ascending order", name);
	tap_equal(seen->wrong_groups, 0, "%s: with the group that was requested", name);
}

static void nobody_else(const struct seen *seen, const char *name)
{
	tap_equal(seen->others, 0, "%s: nobody else's", name);
}

static void everybody(void)
{
	static const struct filter nothing = { .tgid = -1 };
	struct seen seen;

	dump_once(NULL, 0, &seen);
	check(&seen, THREADS, THREADS, 1, 1, "no FILTER");
	tap_at_least(seen.others, 2, "no FILTER: and all others");
	dump(&nothing, &seen);
	check(&seen, THREADS, THREADS, 1, 1, "a FILTER of nothing");
	tap_at_least(seen.others, 2, "a FILTER of nothing: and all others");
}

static void by_process(void)
{
	struct seen seen;

	dump(&(struct filter){ .tgid = pids[0] }, &seen);
	check(&seen, THREADS, 0, 0, 0, "one process");
	nobody_else(&seen, "one process");
	dump(&(struct filter){ .tgid = pids[USERS] }, &seen);
	check(&seen, 0, 0, 1, 0, "the user's process");
	nobody_else(&seen, "the user's process");
	dump(&(struct filter){ .tgid = 0 }, &seen);
	check(&seen, 0, 0, 0, 1, "one's own process");
	nobody_else(&seen, "one's own process");
}

/* Runs in a child, whose own thread is another one; returns what is wrong as bits. */
static int ask_as_user(void *own)
{
	struct seen seen;

	ask_become(&user);
	dump(&(struct filter){ .own = *(int *)own, .tgid = -1 }, &seen);
	return (seen.of[0] || seen.of[1]) | (seen.of[USERS] != 1) << 1 | (seen.own != 1) << 2 |
	       (seen.others != 0) << 3 | (seen.disordered != 0) << 4;
}

static void by_owner(void)
{
	int own = 1, all = 0;
	struct seen seen;

	dump(&(struct filter){ .own = 1, .tgid = -1 }, &seen);
	check(&seen, THREADS, THREADS, 0, 1, "root's own");
	dump(&(struct filter){ .own = 1, .tgid = pids[USERS] }, &seen);
	check(&seen, 0, 0, 0, 0, "root's own, of a user's process");
	nobody_else(&seen, "root's own, of a user's process");
	tap_equal(ask_in_child(ask_as_user, &own), 0, "a user's own");
	tap_equal(ask_in_child(ask_as_user, &all), 0, "all that a user may read: the same");
}

static void in_cgroups(uint64_t id)
{
	struct seen seen;

	cgroup_move(pids[0], CGROUP_OWN);
	cgroup_move(pids[USERS], CGROUP_BELOW);
	dump(&(struct filter){ .tgid = -1, .cgroup = id }, &seen);
	check(&seen, THREADS, 0, 1, 0, "a cgroup");
	nobody_else(&seen, "a cgroup");
	dump(&(struct filter){ .tgid = -1, .cgroup = cgroup_id(CGROUP_BELOW) }, &seen);
	check(&seen, 0, 0, 1, 0, "the cgroup below");
	nobody_else(&seen, "the cgroup below");
	dump(&(struct filter){ .tgid = pids[0], .cgroup = id }, &seen);
	check(&seen, THREADS, 0, 0, 0, "a process in the cgroup");
	nobody_else(&seen, "a process in the cgroup");
	dump(&(struct filter){ .tgid = pids[1], .cgroup = id }, &seen);
	check(&seen, 0, 0, 0, 0, "a process outside, in the cgroup");
	nobody_else(&seen, "a process outside, in the cgroup");
	dump(&(struct filter){ .own = 1, .tgid = -1, .cgroup = id }, &seen);
	check(&seen, THREADS, 0, 0, 0, "root's own in the cgroup");
	nobody_else(&seen, "root's own in the cgroup");
}

#define MANY	600	/* more than are looked at in one go, twice */

static void nth(char *path, size_t size, unsigned int n)
{
	snprintf(path, size, CGROUP_OWN "/many%u", n);
}

/*
 * Each cgroup is found, also if the module has to pass over others before it, some of
 * which were removed.
 */
static void among_many(void)
{
	struct seen seen;
	unsigned int i;
	char path[64];

	for (i = 0; i < MANY; i++) {
		nth(path, sizeof(path), i);
		if (mkdir(path, 0755))
			tap_bail("%s: %s", path, strerror(errno));
	}
	for (i = 0; i < MANY; i += 3) {
		nth(path, sizeof(path), i);
		rmdir(path);
	}
	for (i = 1; i < MANY; i += 3) {
		nth(path, sizeof(path), i);
		dump(&(struct filter){ .tgid = -1, .cgroup = cgroup_id(path) }, &seen);
		if (seen.of[0] || seen.of[1] || seen.own || seen.others)
			break;
	}
	tap_ok(i >= MANY, "each of %u cgroups is found, and nobody is in it", MANY / 3);
	cgroup_move(pids[0], path);
	dump(&(struct filter){ .tgid = -1, .cgroup = cgroup_id(path) }, &seen);
	check(&seen, THREADS, 0, 0, 0, "the last of many cgroups");
	nobody_else(&seen, "the last of many cgroups");
	cgroup_move(pids[0], CGROUP_OWN);
	for (i = 0; i < MANY; i++) {
		nth(path, sizeof(path), i);
		rmdir(path);
	}
}

/* An id that is not a cgroup's is refused, also if it is an inode of the same file system. */
static void no_cgroup(uint64_t id, const char *name)
{
	const struct filter filter = { .tgid = -1, .cgroup = id };
	struct raw_message message;
	struct raw_answer answer;
	struct raw raw;

	if (raw_open(&raw))
		tap_bail("no family");
	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	put_filter(&message, &filter);
	raw_ask(&raw, &message, &answer, NULL, NULL);
	raw_close(&raw);
	tap_errno(answer.error, -ENOENT, "%s: no such cgroup", name);
}

/* Numbers that are kept for a later version are refused, with a text: not ignored. */
static void kept(void)
{
	static const uint16_t types[] = {
		TASKRT_FILTER_A_UID, TASKRT_FILTER_A_STATES, TASKRT_FILTER_A_POLICY,
		TASKRT_FILTER_A_COMM, TASKRT_FILTER_A_CHANGED_SINCE,
	};
	struct raw_message message;
	struct raw_answer answer;
	struct raw raw;
	unsigned int i;
	size_t nest;

	if (raw_open(&raw))
		tap_bail("no family");
	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
		nest = raw_nest(&message, TASKRT_A_FILTER);
		raw_put_u32(&message, types[i], 1);
		raw_nest_end(&message, nest);
		raw_ask(&raw, &message, &answer, NULL, NULL);
		tap_errno(answer.error, -EINVAL, "condition %u, which is kept: refused", types[i]);
		tap_ok(!!strstr(answer.text, "does not serve"), "and why: %s", answer.text);
		tap_equal(answer.messages, 0, "and nothing is dumped");
	}
	raw_close(&raw);
}

static void no_cgroups(void)
{
	uint64_t gone = cgroup_id(CGROUP_BELOW);
	struct stat file;

	if (stat(CGROUP_OWN "/cgroup.procs", &file))
		tap_bail("a cgroup has no files");
	no_cgroup(file.st_ino, "a file of a cgroup");
	no_cgroup(UINT64_MAX, "an id of nothing");
	cgroup_move(pids[USERS], CGROUP_ROOT);
	rmdir(CGROUP_BELOW);
	no_cgroup(gone, "one that was removed");
}

static void by_cgroup(void)
{
	uint64_t id = cgroup_make();

	if (!id) {
		tap_skip("cgroup", "no cgroup v2 hierarchy");
		return;
	}
	in_cgroups(id);
	among_many();
	no_cgroups();
}

int main(void)
{
	unsigned int i;

	for (i = 0; i < PROCESSES; i++)
		pids[i] = start();
	pids[USERS] = ask_target(&user, 1);
	everybody();
	by_process();
	by_owner();
	kept();
	by_cgroup();
	for (i = 0; i <= PROCESSES; i++)
		ask_end(pids[i]);
	cgroup_remove();
	return tap_done();
}
