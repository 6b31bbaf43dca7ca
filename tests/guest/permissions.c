// SPDX-License-Identifier: GPL-2.0-only
/* Who may see which task's counters. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "ask.h"
#include "tap.h"
#include "thread.h"

#define USER(capabilities)	{ ASK_USER, ASK_USER, ASK_USER, capabilities }
#define OTHER			{ ASK_OTHER, ASK_OTHER, ASK_OTHER, 0 }

static const struct ask_who user = USER(0);
static const struct ask_who other = OTHER;

struct target {
	const char *name;
	struct ask_who who;
	int dumpable;
};

static const struct target own = { "same user", USER(0), 1 };
static const struct target secret = { "same user, not dumpable", USER(0), 0 };
static const struct target stranger = { "another user", OTHER, 1 };
static const struct target root = { "root", { 0, 0, 0, ~0ULL }, 1 };
/* The state of a set-user-id program, whoever started it. */
static const struct target setuid_like = {
	"another effective uid", { ASK_USER, ASK_OTHER, ASK_USER, 0 }, 1,
};
static const struct target setgid_like = {
	"another gid", { ASK_USER, ASK_USER, ASK_OTHER, 0 }, 1,
};

static void both(const struct target *target, const struct ask_who *asker, int expected,
		 const char *as)
{
	pid_t pid = ask_target(&target->who, target->dumpable);

	tap_errno(ask_as(asker, TASKRT_A_TID, pid), expected, "%s, asked by %s: thread",
		  target->name, as);
	tap_errno(ask_as(asker, TASKRT_A_TGID, pid), expected, "%s, asked by %s: process",
		  target->name, as);
	ask_end(pid);
}

static void by_user(void)
{
	both(&own, &user, 0, "the user");
	both(&own, &other, EPERM, "another user");
	both(&secret, &user, EPERM, "the user");
	both(&stranger, &user, EPERM, "the user");
	both(&root, &user, EPERM, "the user");
	both(&setuid_like, &user, EPERM, "the user");
	both(&setgid_like, &user, EPERM, "the user");
}

static void by_capability(const struct ask_who *asker, int expected, const char *as)
{
	both(&secret, asker, expected, as);
	both(&stranger, asker, expected, as);
	both(&root, asker, expected, as);
	both(&setuid_like, asker, expected, as);
}

static void capabilities(void)
{
	static const struct ask_who ptrace = USER(ASK_CAP_SYS_PTRACE);
	static const struct ask_who perfmon = USER(ASK_CAP_PERFMON);
	static const struct ask_who net_admin = USER(ASK_CAP_NET_ADMIN);
	static const struct ask_who powerless_root = { 0, 0, 0, 0 };

	by_capability(&ptrace, 0, "CAP_SYS_PTRACE");
	by_capability(&perfmon, 0, "CAP_PERFMON");
	by_capability(&net_admin, EPERM, "CAP_NET_ADMIN");
	both(&stranger, &powerless_root, EPERM, "root without capabilities");
}

static int sleeping_tid;

static void *sleep_on(void *unused)
{
	sleeping_tid = gettid();
	pause();
	return unused;
}

/*
 * A thread may always see itself, its process and its other threads, however undumpable
 * and powerless it is.
 */
static int ask_self(void *arg)
{
	const struct target *me = arg;
	struct raw_answer answer;
	struct raw raw;
	pthread_t thread;
	int err;

	ask_become(&me->who);
	prctl(PR_SET_DUMPABLE, 0);
	pthread_create(&thread, NULL, sleep_on, NULL);
	while (!sleeping_tid)
		usleep(1000);
	err = raw_open(&raw);
	err = err ?: raw_get(&raw, TASKRT_A_TID, 0, 0, &answer);
	err = err ?: raw_get(&raw, TASKRT_A_TGID, 0, 0, &answer);
	err = err ?: raw_get(&raw, TASKRT_A_TID, gettid(), 0, &answer);
	err = err ?: raw_get(&raw, TASKRT_A_TGID, getpid(), 0, &answer);
	return err ?: raw_get(&raw, TASKRT_A_TID, sleeping_tid, 0, &answer);
}

struct seen {
	pid_t yes, no;
	unsigned int strangers, yes_seen, no_seen;
};

static void note(const struct raw_stats *stats, void *arg)
{
	struct seen *seen = arg;

	seen->yes_seen += stats->id == (uint32_t)seen->yes;
	seen->no_seen += stats->id == (uint32_t)seen->no;
	if (stats->reading.stats.uid == ASK_USER)
		return;
	seen->strangers++;
	tap_diag("a stranger: %u %s, uid %u, flags %#x", stats->id, stats->reading.stats.comm,
		 stats->reading.stats.uid, stats->reading.stats.flags);
}

static int dump_as_user(void *arg)
{
	struct seen *seen = arg;
	struct raw_message message;
	struct raw_answer answer;
	struct raw raw;

	ask_become(&user);
	if (raw_open(&raw))
		return 100;
	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	raw_ask(&raw, &message, &answer, note, seen);
	if (answer.error)
		return answer.error;
	return (seen->yes_seen != 1) | (seen->no_seen != 0) << 1 | (seen->strangers != 0) << 2;
}

static void dumps(void)
{
	struct seen seen = { 0 };

	seen.yes = ask_target(&own.who, 1);
	seen.no = ask_target(&stranger.who, 1);
	tap_equal(ask_in_child(dump_as_user, &seen), 0,
		  "a dump has what may be read, and leaves the rest out");
	ask_end(seen.yes);
	seen.yes = ask_target(&secret.who, 0);
	tap_equal(ask_in_child(dump_as_user, &seen), 1, "a dump leaves out what is not dumpable");
	ask_end(seen.yes);
	ask_end(seen.no);
}

struct deputy {
	struct raw raw;
	pid_t target;
};

static int open_as_user(void *arg)
{
	struct deputy *deputy = arg;
	struct raw_answer answer;

	/*
	 * A socket that was opened without capabilities and is used with all of them, as a
	 * tricked program would.
	 */
	if (setresgid(ASK_USER, ASK_USER, ASK_USER) || setresuid(ASK_USER, ASK_USER, 0) ||
	    raw_open(&deputy->raw))
		return 100;
	if (setresuid(0, 0, 0) || setresgid(0, 0, 0))
		return 101;
	return raw_get(&deputy->raw, TASKRT_A_TID, deputy->target, 0, &answer);
}

/* A socket gives only the rights that both its opener and its user have. */
static void confused_deputy(void)
{
	struct deputy deputy;

	deputy.target = ask_target(&stranger.who, 1);
	tap_errno(ask_in_child(open_as_user, &deputy), EPERM, "user's socket in root's hands");
	if (raw_open(&deputy.raw))
		tap_bail("no family");
	tap_errno(ask_as_on(&user, &deputy.raw, TASKRT_A_TID, deputy.target), EPERM,
		  "root's socket in the user's hands");
	raw_close(&deputy.raw);
	ask_end(deputy.target);
}

int main(void)
{
	by_user();
	capabilities();
	tap_errno(ask_in_child(ask_self, (void *)&own), 0, "everybody may read himself");
	tap_errno(ask_in_child(ask_self, (void *)&setuid_like), 0,
		  "so may a set-user-id program");
	tap_errno(ask_in_child(ask_self, (void *)&setgid_like), 0, "and a set-group-id one");
	dumps();
	confused_deputy();
	return tap_done();
}
