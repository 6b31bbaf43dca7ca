// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of release 0.1: its headers, the symbols that its library had, and
 * the structures as long as they were.  It runs with today's library, and with
 * those to come: do not change what it calls or expects.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"
#include "taskrt.h"

#define V1_SIZE		32
#define GUARD		0xa5
#define NOBODY		0x3ffffff0	/* above every pid_max */

_Static_assert(sizeof(struct taskrt_stats) == 600, "the header is that of 0.1");
_Static_assert(sizeof(struct taskrt_info) == 152 + 32 * 72, "the header is that of 0.1");

/* As the structure was published first, in a program that knows no more. */
struct v1 {
	uint32_t version, size;
	uint64_t valid, cpu_time_ns, queue_time_ns;
	unsigned char guard[1024];
};

struct v3 {
	struct taskrt_stats stats;
	unsigned char guard[1024];
};

struct info {
	struct taskrt_info info;
	unsigned char guard[1024];
};

static int is_untouched(const unsigned char *guard)
{
	size_t i;

	for (i = 0; i < 1024; i++)
		if (guard[i] != GUARD)
			return 0;
	return 1;
}

static void work(unsigned int ms)
{
	struct timespec now, begin;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static void test_v1(struct taskrt *handle)
{
	struct v1 before, after;

	memset(&before, GUARD, sizeof(before));
	memset(&after, GUARD, sizeof(after));
	tap_errno(taskrt_get_self(handle, (void *)&before, V1_SIZE), 0, "version 1: this thread");
	tap_ok(before.version == 1 && before.size == V1_SIZE, "version 1: says that it is");
	tap_ok(before.valid == (TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME),
	       "version 1: has what it has, and nothing else");
	work(20);
	tap_errno(taskrt_get_thread(handle, (pid_t)syscall(SYS_gettid), (void *)&after, V1_SIZE), 0,
		  "version 1: the same by its id");
	tap_ok(after.cpu_time_ns > before.cpu_time_ns, "version 1: time on the CPU grows");
	tap_errno(taskrt_get_process(handle, getpid(), (void *)&after, V1_SIZE), 0,
		  "version 1: the process");
	tap_ok(is_untouched(before.guard) && is_untouched(after.guard),
	       "version 1: not a byte beyond it is written");
}

static void test_v3(struct taskrt *handle)
{
	struct v3 before, after;
	struct taskrt_stats delta;
	uint64_t sum = 0;
	size_t i;

	memset(&before, GUARD, sizeof(before));
	memset(&after, GUARD, sizeof(after));
	tap_errno(taskrt_get_self(handle, &before.stats, sizeof(before.stats)), 0,
		  "version 3: this thread");
	tap_ok(before.stats.version == 3 && before.stats.size == 600, "version 3: says that it is");
	work(20);
	tap_errno(taskrt_get_self(handle, &after.stats, sizeof(after.stats)), 0, "version 3: again");
	for (i = 0; i < TASKRT_NR_STATES; i++)
		sum += after.stats.states_ns[i];
	tap_equal(sum, after.stats.tracked_time_ns, "version 3: the states sum to the time tracked");
	tap_ok(after.stats.tid == (uint32_t)syscall(SYS_gettid) &&
	       after.stats.tgid == (uint32_t)getpid(), "version 3: it is who it is");
	tap_errno(taskrt_delta(&before.stats, &after.stats, &delta), 0, "version 3: the difference");
	tap_at_least(delta.states_ns[TASKRT_STATE_RUNNING], 1, "version 3: it ran in between");
	tap_ok(is_untouched(before.guard) && is_untouched(after.guard),
	       "version 3: not a byte beyond it is written");
}

static int seen(const struct taskrt_stats *stats, void *arg)
{
	int *count = arg;

	*count += stats->size == 600 && stats->tgid == (uint32_t)getpid();
	return 0;
}

static void test_list(struct taskrt *handle)
{
	int count = 0;

	tap_errno(taskrt_each_thread(handle, 0, seen, &count), 0, "a list");
	tap_equal((uint64_t)count, 1, "a list: this process has one thread");
}

static void test_info(struct taskrt *handle)
{
	struct info info;
	uint32_t i, attached = 0;

	memset(&info, GUARD, sizeof(info));
	tap_errno(taskrt_get_info(handle, &info.info, sizeof(info.info)), 0, "of the module");
	for (i = 0; i < info.info.nr_hooks && i < TASKRT_HOOKS_MAX; i++)
		attached += !strcmp(info.info.hooks[i].name, "sched_switch") &&
			    !info.info.hooks[i].status;
	tap_equal(attached, 1, "of the module: its hook sched_switch");
	tap_at_least(info.info.stats_version, 3, "of the module: it knows version 3");
	tap_ok(info.info.enabled == 1 && info.info.threads > 0, "of the module: it works");
	tap_ok(is_untouched(info.guard), "of the module: not a byte beyond it is written");
}

static void test_errors(struct taskrt *handle)
{
	struct taskrt_stats stats;

	tap_errno(taskrt_get_thread(handle, NOBODY, &stats, sizeof(stats)), -ESRCH, "nobody");
	tap_ok(*taskrt_error(handle), "nobody: in words");
	tap_errno(taskrt_get_self(handle, &stats, V1_SIZE - 1), -EINVAL, "shorter than version 1");
}

/* What needs no module: one payload of version 1, as it was sent. */
static void test_decode(void)
{
	static const uint64_t payload[] = { 1 | 32ULL << 32, 3, 5000, 700 };
	struct taskrt_stats stats;

	tap_errno(taskrt_decode(payload, sizeof(payload), &stats, sizeof(stats)), 0, "decode");
	tap_ok(stats.cpu_time_ns == 5000 && stats.queue_time_ns == 700 && stats.valid == 3,
	       "decode: what was there");
	tap_ok(!strcmp(taskrt_state_name(TASKRT_STATE_BLOCKED_LOCK), "blocked_lock") &&
	       !strcmp(taskrt_lock_name(TASKRT_LOCK_RWSEM_READ), "rwsem_read") &&
	       !taskrt_state_name(99), "names");
	tap_ok(atoi(taskrt_version()) >= 0 && strchr(taskrt_version(), '.'), "the library's version");
}

int main(void)
{
	struct taskrt *handle;

	tap_diag("built with gcc %s, with the library of today: %s", __VERSION__, taskrt_version());
	test_decode();
	if (!tap_ok(!taskrt_open(&handle), "open"))
		return tap_done();
	test_v1(handle);
	test_v3(handle);
	test_list(handle);
	test_info(handle);
	test_errors(handle);
	taskrt_close(handle);
	return tap_done();
}
