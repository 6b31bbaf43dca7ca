// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/taskstats.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "config.h"
#include "event.h"
#include "raw.h"
#include "tap.h"
#include "window.h"

static struct raw raw;
static struct taskrt *handle;

void query_connect(void)
{
	int err = raw_open(&raw);

	if (err)
		tap_bail("the netlink family is not available: %s", strerror(-err));
	handle = window_open();
}

void query_disconnect(void)
{
	if (!handle)
		return;
	raw_close(&raw);
	taskrt_close(handle);
	handle = NULL;
}

/* Sends the same request repeatedly, and receives the answer each time. */
static double get(uint32_t tid, uint32_t version, int64_t groups)
{
	enum { ROUNDS = 1000 };
	struct raw_message message;
	char answer[4096];
	uint64_t begin;
	int i;

	raw_begin(&raw, &message, TASKRT_CMD_GET, 0);
	raw_put_u32(&message, TASKRT_A_TID, tid);
	if (version)
		raw_put_u32(&message, TASKRT_A_VERSION, version);
	if (groups != RAW_UNSAID)
		raw_put_u32(&message, TASKRT_A_GROUPS, groups);
	begin = clock_now();
	for (i = 0; i < ROUNDS; i++)
		if (send(raw.fd, &message, message.nl.nlmsg_len, 0) < 0 ||
		    recv(raw.fd, answer, sizeof(answer), 0) < TASKRT_STATS_SIZE_V1)
			tap_bail("GET of %u: %s", tid, strerror(errno));
	return event_each(begin, clock_now(), ROUNDS);
}

double query_self(void)
{
	return get(0, 0, EVERY_GROUP);
}

double query_self_times(void)
{
	return get(0, 0, TASKRT_GROUP_TIMES);
}

double query_self_bare(void)
{
	return get(0, 0, 0);
}

double query_self_version_1(void)
{
	return get(0, 1, RAW_UNSAID);
}

double query_other(void)
{
	return get(1, 0, EVERY_GROUP);
}

static double library(uint32_t groups)
{
	enum { ROUNDS = 500 };
	uint64_t begin = clock_now();
	struct taskrt_reading reading;
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (taskrt_get(handle, TASKRT_ENTITY_THREAD, 0, groups, &reading, sizeof(reading)))
			tap_bail("taskrt_get: %s", taskrt_error(handle));
	return event_each(begin, clock_now(), ROUNDS);
}

double query_library(void)
{
	return library(EVERY_GROUP);
}

double query_library_times(void)
{
	return library(TASKRT_GROUP_TIMES);
}

static void count(const struct raw_stats *stats, void *arg)
{
	(void)stats;
	(*(unsigned long *)arg)++;
}

static void begin_dump(struct raw_message *message, uint32_t groups)
{
	raw_begin(&raw, message, TASKRT_CMD_GET, NLM_F_DUMP);
	raw_put_u32(message, TASKRT_A_GROUPS, groups);
}

/* Receives the messages of a dump without parsing them, which is not a cost of the module. */
static uint64_t dump_ns(uint32_t groups)
{
	static char buffer[65536] __attribute__((aligned(8)));
	const struct nlmsghdr *nl = (void *)buffer;
	struct raw_message message;
	uint64_t begin;
	ssize_t n;

	begin_dump(&message, groups);
	begin = clock_now();
	if (send(raw.fd, &message, message.nl.nlmsg_len, 0) < 0)
		tap_bail("dump: %s", strerror(errno));
	do {
		n = recv(raw.fd, buffer, sizeof(buffer), 0);
		if (n <= 0)
			tap_bail("dump: %s", strerror(errno));
	} while (nl->nlmsg_type != NLMSG_DONE);
	return clock_now() - begin;
}

static double dump(uint32_t groups)
{
	enum { ROUNDS = 5 };
	struct raw_message message;
	struct raw_answer answer;
	unsigned long tasks = 0;
	uint64_t spent = 0;
	int i;

	begin_dump(&message, groups);
	raw_ask(&raw, &message, &answer, count, &tasks);
	for (i = 0; i < ROUNDS; i++)
		spent += dump_ns(groups);
	return (double)spent / (ROUNDS * tasks);
}

double query_dump(void)
{
	return dump(EVERY_GROUP);
}

double query_dump_times(void)
{
	return dump(TASKRT_GROUP_TIMES);
}

double query_record_size(void)
{
	struct taskrt_info info;

	window_info(handle, &info);
	return info.record_size;
}

static double taskstats(struct raw *stats)
{
	enum { ROUNDS = 1000 };
	struct raw_message message;
	char answer[4096];
	uint64_t begin;
	int i;

	raw_begin(stats, &message, TASKSTATS_CMD_GET, 0);
	raw_put_u32(&message, TASKSTATS_CMD_ATTR_PID, gettid());
	begin = clock_now();
	for (i = 0; i < ROUNDS; i++)
		if (send(stats->fd, &message, message.nl.nlmsg_len, 0) < 0 ||
		    recv(stats->fd, answer, sizeof(answer), 0) < 200)
			tap_bail("GET of taskstats: %s", strerror(errno));
	return event_each(begin, clock_now(), ROUNDS);
}

double query_taskstats(void)
{
	struct raw stats;
	double cost;

	if (raw_open_family(&stats, TASKSTATS_GENL_NAME))
		tap_bail("this kernel has no taskstats");
	cost = taskstats(&stats);
	raw_close(&stats);
	return cost;
}

double query_schedstat(void)
{
	enum { ROUNDS = 1000 };
	int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC), i;
	uint64_t begin = clock_now(), end;
	char text[256];

	for (i = 0; i < ROUNDS; i++)
		if (pread(fd, text, sizeof(text), 0) <= 0)
			tap_bail("schedstat: %s", strerror(errno));
	end = clock_now();
	close(fd);
	return event_each(begin, end, ROUNDS);
}

static int map_open(void)
{
	union bpf_attr attr = { .map_id = config_map_id() };
	int fd = syscall(SYS_bpf, BPF_MAP_GET_FD_BY_ID, &attr, sizeof(attr));

	if (fd < 0)
		tap_bail("map %u: %s", config_map_id(), strerror(errno));
	return fd;
}

/* The key of a thread is its id in the hash map, and a file of pidfd_open() in task storage. */
static uint32_t map_key(int *is_hash)
{
	struct bpf_map_info info = { 0 };
	union bpf_attr attr = { 0 };
	int fd = map_open();

	attr.info.bpf_fd = fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	if (syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)))
		tap_bail("map: %s", strerror(errno));
	close(fd);
	*is_hash = info.type == BPF_MAP_TYPE_HASH;
	return *is_hash ? getpid() : syscall(SYS_pidfd_open, getpid(), 0);
}

double query_map(void)
{
	enum { ROUNDS = 1000 };
	static char value[4096];
	int is_hash, i;
	uint32_t key = map_key(&is_hash);
	union bpf_attr attr = { .map_fd = map_open() };
	uint64_t begin = clock_now(), end;

	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)value;
	for (i = 0; i < ROUNDS; i++)
		if (syscall(SYS_bpf, BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr)))
			tap_bail("map of %u: %s", key, strerror(errno));
	end = clock_now();
	close(attr.map_fd);
	if (!is_hash)
		close(key);
	return event_each(begin, end, ROUNDS);
}
