// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each listener receives what it registered for: by CPU, process, cgroup, threads or
 * processes; and no record twice.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "clock.h"
#include "delivery.h"
#include "listener.h"
#include "tap.h"
#include "thread.h"

#define THREADS		20

/* The records that a listener receives of one process, and of others. */
struct told {
	struct listener listener;
	uint32_t tgid;			/* 0: any */
	unsigned int threads, processes, strangers;
	unsigned int on_cpu[2], elsewhere;
	unsigned int wrong_length, wrong_groups;
	uint32_t groups;		/* that each is to have, and no others */
};

static uint32_t expected_length = TASKRT_STATS_SIZE_V3;

static void note(const struct listener_record *record, void *arg)
{
	struct told *told = arg;

	told->wrong_length += record->length != expected_length;
	told->wrong_groups += record->reading.groups != told->groups;
	if (told->tgid && record->reading.stats.tgid != told->tgid) {
		told->strangers++;
		return;
	}
	told->processes += record->process;
	told->threads += !record->process;
	if (record->cpu < 2)
		told->on_cpu[record->cpu]++;
	else
		told->elsewhere++;
}

static void listen_to(struct told *told, const struct listener_filter *filter)
{
	memset(told, 0, sizeof(*told));
	told->groups = filter->version == 1 ? 0 : TASKRT_GROUP_TIMES;
	listener_open(&told->listener, note, told);
	listener_listen(&told->listener, filter);
}

static void enough(struct told *told, const char *name)
{
	tap_equal(told->listener.lost + told->listener.wrong, 0, "%s: no loss, no broken promise",
		  name);
	tap_equal(told->wrong_groups, 0, "%s: the groups that it requested", name);
	listener_close(&told->listener);
}

static void *end_on_cpu(void *cpu)
{
	thread_pin((long)cpu);
	return NULL;
}

/* Half of the threads end on each CPU, the leader and so the process on CPU 0. */
static void threads_on_both(void)
{
	pthread_t threads[THREADS];
	long i;

	thread_pin(0);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, end_on_cpu, (void *)(i % 2));
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

/* A process that begins when it is told to, so that a listener can register first. */
struct later {
	pid_t pid;
	int go;
};

static void prepare(struct later *later, void (*fn)(void))
{
	int go[2];
	char byte;

	if (pipe(go))
		tap_bail("pipe");
	later->pid = fork();
	if (!later->pid) {
		close(go[1]);
		if (read(go[0], &byte, 1) == 1)
			fn();
		_exit(1);
	}
	close(go[0]);
	later->go = go[1];
}

static void let_go(struct later *later)
{
	if (write(later->go, "g", 1) != 1)
		tap_bail("write");
	close(later->go);
	waitpid(later->pid, NULL, 0);
}

/* A task may be waited for before it has left its CPU, and its record comes after others. */
static void read_until(struct told *told, unsigned int records)
{
	const uint64_t end = clock_now() + CLOCK_PATIENCE;

	while (told->threads + told->processes < records && clock_now() < end)
		listener_wait(&told->listener, 100);
}

static void by_cpu(void)
{
	static const struct listener_filter first = { .cpus = "0" }, second = { .cpus = "1" };
	struct told zero, one, both;
	struct later later;

	prepare(&later, threads_on_both);
	listen_to(&zero, &first);
	listen_to(&one, &second);
	listen_to(&both, &first);
	listener_listen(&both.listener, &second);
	zero.tgid = one.tgid = both.tgid = later.pid;
	let_go(&later);
	read_until(&both, THREADS + 2);
	delivery_await(&zero.listener);
	delivery_await(&one.listener);
	delivery_await(&both.listener);
	tap_equal(zero.threads, THREADS / 2 + 1, "CPU 0: those that ended there");
	/* On a busy host the leader need not be the last one to leave its CPU. */
	tap_equal(zero.processes + one.processes, 1, "one of them: the process");
	tap_equal(zero.on_cpu[0], zero.threads + zero.processes, "CPU 0: the records name it");
	tap_equal(one.threads, THREADS / 2, "CPU 1: those that ended there");
	tap_equal(one.on_cpu[1], one.threads + one.processes, "CPU 1: the records name it");
	tap_equal(both.threads, THREADS + 1, "both masks on one socket: all threads, once");
	tap_equal(both.processes, 1, "both masks on one socket: the process, once");
	enough(&zero, "CPU 0");
	enough(&one, "CPU 1");
	enough(&both, "both");
}

static void some_threads(void)
{
	pthread_t thread;
	int i;

	for (i = 0; i < THREADS; i++) {
		pthread_create(&thread, NULL, end_on_cpu, (void *)0);
		pthread_join(thread, NULL);
	}
	_exit(0);
}

static void by_kind(void)
{
	static const struct listener_filter threads = { .entities = TASKRT_ENTITIES_THREADS };
	static const struct listener_filter processes = { .entities = TASKRT_ENTITIES_PROCESSES };
	struct told t, p, twice;
	struct later later;

	prepare(&later, some_threads);
	listen_to(&t, &threads);
	listen_to(&p, &processes);
	listen_to(&twice, &threads);
	listener_listen(&twice.listener, NULL);
	listener_listen(&twice.listener, &(struct listener_filter){ .tgid = later.pid });
	t.tgid = p.tgid = twice.tgid = later.pid;
	let_go(&later);
	listener_until(&p.listener, later.pid);
	listener_until(&twice.listener, later.pid);
	read_until(&t, THREADS + 1);
	delivery_await(&t.listener);
	tap_equal(t.threads, THREADS + 1, "threads: all of them");
	tap_equal(t.processes, 0, "threads: no process");
	tap_equal(p.processes, 1, "processes: it");
	tap_equal(p.threads, 0, "processes: no thread");
	tap_equal(twice.threads, THREADS + 1, "registered again without ENTITIES: each thread once");
	tap_equal(twice.processes, 1, "registered again without ENTITIES: the process once");
	enough(&t, "threads");
	enough(&p, "processes");
	tap_equal(twice.strangers, 0, "registered again with a TGID: no other process");
	enough(&twice, "registered again");
}

static void by_process(void)
{
	struct told told, of_self, version;
	struct later later, other;

	prepare(&later, some_threads);
	prepare(&other, some_threads);
	listen_to(&told, &(struct listener_filter){ .tgid = later.pid });
	listen_to(&of_self, &(struct listener_filter){ .tgid = LISTENER_SELF });
	listen_to(&version, &(struct listener_filter){ .tgid = later.pid, .version = 1 });
	told.tgid = later.pid;
	of_self.tgid = getpid();
	let_go(&other);
	expected_length = TASKRT_STATS_SIZE_V3;
	let_go(&later);
	listener_until(&told.listener, later.pid);
	tap_equal(told.threads, THREADS + 1, "one process: its threads");
	tap_equal(told.processes, 1, "one process: itself");
	tap_equal(told.strangers, 0, "one process: nobody else");
	delivery_await(&of_self.listener);
	tap_equal(of_self.listener.received, 0, "one's own process: no record yet");
	expected_length = TASKRT_STATS_SIZE_V1;
	listener_until(&version.listener, later.pid);
	tap_equal(version.listener.received, THREADS + 2, "version 1: as many records");
	tap_equal(version.wrong_length, 0, "version 1: of its length");
	tap_equal(told.wrong_length, 0, "the newest: of its length");
	expected_length = TASKRT_STATS_SIZE_V3;
	enough(&told, "one process");
	enough(&of_self, "one's own process");
	enough(&version, "version 1");
}

/* Which groups a listener of one process wants, and what it receives. */
static void wanting(uint32_t version, uint32_t wanted, uint32_t groups, const char *name)
{
	struct later later;
	struct told told;

	prepare(&later, some_threads);
	listen_to(&told, &(struct listener_filter){
		.tgid = later.pid, .version = version, .groups = wanted,
	});
	/* Version 1 does not say whose totals they are. */
	told.tgid = version == 1 ? 0 : later.pid;
	told.groups = groups;
	expected_length = version == 1 ? TASKRT_STATS_SIZE_V1 : TASKRT_STATS_SIZE_V3;
	let_go(&later);
	listener_until(&told.listener, later.pid);
	tap_equal(told.threads + told.processes, THREADS + 2, "%s: all of them", name);
	tap_equal(told.wrong_length, 0, "%s: with statistics of their length", name);
	enough(&told, name);
	expected_length = TASKRT_STATS_SIZE_V3;
}

static void by_group(void)
{
	wanting(0, 0, TASKRT_GROUP_TIMES, "no GROUPS");
	wanting(3, 0, TASKRT_GROUP_TIMES, "no GROUPS, version 3");
	wanting(1, 0, 0, "no GROUPS, version 1");
	wanting(0, LISTENER_NO_GROUP, 0, "GROUPS of none");
	wanting(0, TASKRT_GROUP_COUNTS, TASKRT_GROUP_COUNTS, "GROUPS of one");
	wanting(1, TASKRT_GROUP_LONGEST, TASKRT_GROUP_LONGEST, "GROUPS of one, version 1");
	wanting(0, ~TASKRT_GROUPS_REFUSED, EVERY_GROUP, "GROUPS of all bits that may be");
}

/* All conditions of the last REGISTER apply, and none of the former ones; CPUs remain. */
static void last_wish(void)
{
	struct later first, second;
	struct told told;

	prepare(&first, some_threads);
	prepare(&second, some_threads);
	listen_to(&told, &(struct listener_filter){
		.tgid = first.pid, .groups = EVERY_GROUP, .version = 1,
	});
	listener_listen(&told.listener, &(struct listener_filter){
		.cpus = "0", .tgid = second.pid, .groups = TASKRT_GROUP_LONGEST,
	});
	told.groups = TASKRT_GROUP_LONGEST;
	told.tgid = second.pid;
	let_go(&first);
	let_go(&second);
	listener_until(&told.listener, second.pid);
	read_until(&told, THREADS + 2);
	tap_equal(told.threads + told.processes, THREADS + 2, "two REGISTERs: the second's tasks");
	tap_equal(told.strangers, 0, "two REGISTERs: none of the first's");
	tap_equal(told.wrong_length, 0, "two REGISTERs: statistics of the default version again");
	enough(&told, "two REGISTERs");
}

/* One listener for two of three processes. */
static void by_processes(void)
{
	struct later later[3];
	struct told told;
	uint32_t tgids[2];
	unsigned int i;

	for (i = 0; i < 3; i++)
		prepare(&later[i], some_threads);
	tgids[0] = later[0].pid;
	tgids[1] = later[2].pid;
	listen_to(&told, &(struct listener_filter){ .tgids = tgids, .nr_tgids = 2 });
	for (i = 0; i < 3; i++)
		let_go(&later[i]);
	listener_until(&told.listener, later[2].pid);
	read_until(&told, 2 * (THREADS + 2));
	tap_equal(told.processes, 2, "two processes in one filter: both");
	tap_equal(told.threads, 2 * (THREADS + 1), "two processes in one filter: their threads");
	enough(&told, "two processes in one filter");
}

/* Numbers go on when the conditions change, and when nothing was registered in between. */
static void numbers_go_on(void)
{
	struct raw_answer answer;
	struct later later;
	struct told told;
	uint64_t before;

	listen_to(&told, &(struct listener_filter){ .cpus = NULL });
	listener_drain(&told.listener);
	before = told.listener.received;
	if (listener_ask(&told.listener, TASKRT_CMD_DEREGISTER, "all", &answer))
		tap_bail("DEREGISTER: %s", answer.text);
	tap_at_least(listener_listed(&told.listener, TASKRT_A_SEQ), before,
		     "DEREGISTER of all CPUs keeps SEQ");
	prepare(&later, some_threads);
	listener_listen(&told.listener, &(struct listener_filter){ .tgid = later.pid });
	let_go(&later);
	listener_until(&told.listener, later.pid);
	tap_at_least(told.listener.received, before + THREADS + 2, "and REGISTER continues it");
	enough(&told, "registered anew");
}

static void in_cgroups(uint64_t id)
{
	struct later inside, below, outside, left;
	struct told told;

	prepare(&inside, some_threads);
	prepare(&below, some_threads);
	prepare(&outside, some_threads);
	prepare(&left, some_threads);
	listen_to(&told, &(struct listener_filter){ .cgroup = id });
	cgroup_move(inside.pid, CGROUP_OWN);
	cgroup_move(below.pid, CGROUP_BELOW);
	cgroup_move(left.pid, CGROUP_OWN);
	cgroup_move(left.pid, CGROUP_ROOT);
	let_go(&outside);
	let_go(&left);
	let_go(&inside);
	let_go(&below);
	listener_until(&told.listener, below.pid);
	read_until(&told, 2 * (THREADS + 2));
	tap_equal(told.processes, 2, "cgroup: the process in it and the one below");
	tap_equal(told.threads, 2 * (THREADS + 1), "cgroup: with their threads");
	enough(&told, "cgroup");
}

static void by_cgroup(void)
{
	uint64_t id = cgroup_make();

	if (!id) {
		tap_skip("cgroup", "no cgroup v2 hierarchy");
		return;
	}
	in_cgroups(id);
	cgroup_remove();
}

int main(void)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) >= 2)
		by_cpu();
	else
		tap_skip("by CPU", "there is only one");
	by_kind();
	by_process();
	by_group();
	last_wish();
	by_processes();
	numbers_go_on();
	by_cgroup();
	return tap_done();
}
