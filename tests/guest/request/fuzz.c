// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random messages, well-formed and not, half of them root's and half a user's: each is
 * answered, and a user learns the times of that user's threads only.
 * TASKRT_TEST_MESSAGES: how many (100000); TASKRT_TEST_SEED: repeats the same ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "raw.h"
#include "tap.h"
#include "window.h"

static struct raw raw;
static uint64_t seed;

static uint32_t any(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 16) % below;
}

static uint32_t interesting(void)
{
	static const uint32_t values[] = {
		0, 1, 2, 3, 99, 0x7fffffff, 0x80000000, 0xffffffff, 4194304, 32768,
	};

	return any(3) ? values[any(sizeof(values) / sizeof(*values))] : any(UINT32_MAX);
}

static void add_attribute(struct raw_message *message, unsigned int kinds)
{
	uint32_t bytes[16];
	unsigned int i;

	for (i = 0; i < 16; i++)
		bytes[i] = interesting();
	raw_put(message, any(20) ? any(kinds) : any(65536), bytes,
		any(4) ? 4 : any(sizeof(bytes) + 1));
}

/* Conditions, each of which may be anything. */
static void add_filter(struct raw_message *message)
{
	size_t nest = raw_nest(message, TASKRT_A_FILTER);
	unsigned int i;

	for (i = any(4); i; i--)
		add_attribute(message, __TASKRT_FILTER_A_MAX + 1);
	raw_nest_end(message, nest);
}

/* The header stays valid, so that there is an answer; everything behind it may be damaged. */
static void rot(struct raw_message *message)
{
	char *bytes = (char *)message;
	unsigned int i;

	for (i = any(4); i; i--)
		bytes[NLMSG_HDRLEN + any(message->nl.nlmsg_len - NLMSG_HDRLEN)] = any(256);
	if (!any(3))
		message->nl.nlmsg_len -= any(message->nl.nlmsg_len - NLMSG_HDRLEN);
}

static void make(struct raw_message *message)
{
	uint16_t flags = any(8) ? NLM_F_ACK : NLM_F_DUMP;
	unsigned int i;

	raw_begin(&raw, message, any(10) ? any(__TASKRT_CMD_MAX + 1) : any(256), flags);
	for (i = any(4); i; i--)
		add_attribute(message, __TASKRT_A_MAX + 1);
	if (!any(8))
		add_filter(message);
	if (!any(2))
		rot(message);
}

/* What the answers to one sender were. */
struct outcome {
	unsigned long silent, good, speechless;
	unsigned long own, foreign;	/* threads and processes */
};

/* Versions 1 and 2 of the statistics, which a message may ask for, do not name the user. */
static int is_own(const struct raw_stats *stats)
{
	if (stats->reading.stats.valid & TASKRT_VALID_IDENTITY)
		return stats->reading.stats.uid == geteuid();
	return stats->id == (uint32_t)getpid();
}

static void note_owner(const struct raw_stats *stats, void *arg)
{
	struct outcome *outcome = arg;

	if (is_own(stats))
		outcome->own++;
	else
		outcome->foreign++;
}

/* Before 6.4 the kernel has no place for the text of a dump that is refused. */
static int may_lack_text(const struct raw_message *message)
{
	return message->nl.nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN ||
	       (message->nl.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
}

static void send_all(unsigned long count, struct outcome *outcome)
{
	struct raw_message message;
	struct raw_answer answer;

	if (raw_open(&raw))
		tap_bail("no family");
	while (count--) {
		make(&message);
		raw_ask(&raw, &message, &answer, note_owner, outcome);
		outcome->silent += !answer.answered;
		outcome->good += answer.answered && !answer.error;
		outcome->speechless += answer.error == -EINVAL && !answer.text[0] &&
				       !may_lack_text(&message);
	}
	raw_close(&raw);
}

static void send_as_user(unsigned long count, struct outcome *outcome)
{
	const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	int status;
	pid_t pid = fork();

	if (!pid) {
		ask_become(&user);
		send_all(count, outcome);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		tap_bail("the user has failed");
}

static void check(const char *who, const struct outcome *outcome, unsigned long count)
{
	tap_equal(outcome->silent, 0, "%s: every message is answered", who);
	tap_at_least(outcome->good, count / 1000, "%s: some are good", who);
	tap_at_most(outcome->good, count / 2, "%s: most are not", who);
	tap_equal(outcome->speechless, 0, "%s: every EINVAL says why", who);
}

int main(void)
{
	unsigned long count = tap_setting("TASKRT_TEST_MESSAGES", 100000) / 2;
	struct outcome *users = mmap(NULL, sizeof(*users), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct outcome roots = { 0 };
	struct window window;
	struct taskrt *handle;

	if (users == MAP_FAILED)
		tap_bail("mmap");
	seed = tap_setting("TASKRT_TEST_SEED", clock_now() | 1);
	tap_diag("seed %llu", (unsigned long long)seed);
	send_as_user(count, users);
	send_all(count, &roots);
	check("a user", users, count);
	check("root", &roots, count);
	tap_at_least(users->own, 1, "a user learns the times of the own threads");
	tap_equal(users->foreign, 0, "and of no others");
	tap_at_least(roots.foreign + roots.own, users->own, "root learns those of all");
	handle = window_open();
	window_thread(handle, 0, &window.after);
	tap_ok(window_adds_up(&window.after), "and the module still counts");
	taskrt_close(handle);
	return tap_done();
}
