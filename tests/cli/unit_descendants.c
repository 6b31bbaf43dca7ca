// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descendants of a command, among processes that are born and end at random: with
 * orphans, ids that are used again, neighbours that are no descendants, and exits that are
 * reported somewhat late.  What is counted is compared with the truth.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include <taskrt.h>

#include "common/element.h"
#include "common/names.h"
#include "run/descendants.h"
#include "run/sum.h"

#define REAPER	1000U		/* taskrt */
#define BEGAN	1000000U	/* when the command began */
#define PIDS	40		/* so few that they are used again soon */
#define LATE	3		/* an exit is reported after at most this many later ones */

struct process {
	int lives, parent;	/* an index; -1: the reaper; -2: init */
	int ours;
	uint64_t start_ns;
};

struct world {
	struct process of[PIDS];
	struct taskrt_reading late[LATE];
	size_t late_count;
	uint64_t now_ns, seed;
	struct descendants descendants;
	struct descendants_sum truth;
};

static uint64_t any(struct world *world, uint64_t below)
{
	world->seed ^= world->seed << 13;
	world->seed ^= world->seed >> 7;
	world->seed ^= world->seed << 17;
	return world->seed % below;
}

static uint32_t pid_of(int index)
{
	return index == -1 ? REAPER : index == -2 ? 1 : 2000 + (uint32_t)index;
}

static void tell(struct world *world, size_t which)
{
	descendants_take(&world->descendants, &world->late[which]);
	world->late[which] = world->late[--world->late_count];
}

/* Its parent is recorded now, and reported later. */
static void end(struct world *world, int index)
{
	struct process *process = &world->of[index];
	struct taskrt_reading *reading;
	struct taskrt_stats *stats;
	int i;

	if (world->late_count == LATE)
		tell(world, any(world, LATE));
	reading = &world->late[world->late_count++];
	memset(reading, 0, sizeof(*reading));
	stats = &reading->stats;
	stats->valid = field_valid_all();
	stats->tgid = pid_of(index);
	stats->ppid = pid_of(process->parent);
	stats->start_time_ns = process->start_ns;
	stats->sample_time_ns = world->now_ns;
	stats->cpu_time_ns = 1 + any(world, 1000000);
	stats->threads_gone = 1 + any(world, 3);
	if (process->ours && index) {
		world->truth.processes++;
		world->truth.threads += stats->threads_gone;
		world->truth.reading.stats.cpu_time_ns += stats->cpu_time_ns;
	}
	process->lives = 0;
	for (i = 0; i < PIDS; i++)
		if (world->of[i].lives && world->of[i].parent == index)
			world->of[i].parent = process->ours ? -1 : -2;
}

static void begin(struct world *world, int index, int parent)
{
	world->of[index] = (struct process){
		.lives = 1,
		.parent = parent,
		.ours = parent == -1 || (parent >= 0 && world->of[parent].ours),
		.start_ns = world->now_ns,
	};
}

/*
 * One step: somebody ends, or begins.  An id is used again only when the exit of its
 * former owner was reported: the id of a zombie is taken.
 */
static void step(struct world *world)
{
	int index = 1 + (int)any(world, PIDS - 1);
	int parent = any(world, 4) ? (int)any(world, PIDS) : 0;
	size_t i;

	world->now_ns += 1 + any(world, 1000);
	if (world->of[index].lives) {
		end(world, index);
		return;
	}
	for (i = 0; i < world->late_count; i++)
		if (world->late[i].stats.tgid == pid_of(index))
			return;
	begin(world, index, world->of[parent].lives ? parent : -2);
}

static struct world world;

static int descends(uint32_t reaper, uint32_t pid)
{
	assert_int_equal(reaper, REAPER);
	return pid >= 2000 && world.of[pid - 2000].lives && world.of[pid - 2000].ours;
}

static void play(struct world *world, uint64_t seed)
{
	int i;

	memset(world, 0, sizeof(*world));
	world->seed = seed;
	world->now_ns = BEGAN;
	descendants_begin(&world->descendants, REAPER, BEGAN);
	world->descendants.command = pid_of(0);
	begin(world, 0, -1);
	for (i = 0; i < 2000; i++)
		step(world);
	end(world, 0);
	while (world->late_count)
		tell(world, world->late_count - 1);
	descendants_close(&world->descendants, descends);
}

static void truth_of_many_worlds(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= 300; seed++) {
		play(&world, seed * 88172645463325252ULL);
		assert_true(descendants_has_ended(&world.descendants,
						  world.descendants.command));
		assert_true(world.truth.processes > 100);
		assert_int_equal(world.descendants.sum.processes, world.truth.processes);
		assert_int_equal(world.descendants.sum.threads, world.truth.threads);
		assert_int_equal(world.descendants.sum.reading.stats.cpu_time_ns,
				 world.truth.reading.stats.cpu_time_ns);
		descendants_end(&world.descendants);
	}
}

/* A process that is older than the command is not its descendant, whichever its parent is. */
static void the_older(void **state)
{
	static struct descendants descendants;
	struct taskrt_reading older = {
		.stats = { .tgid = 7, .ppid = REAPER, .start_time_ns = BEGAN - 1,
			   .sample_time_ns = BEGAN + 9 },
	};
	struct taskrt_reading its_child = {
		.stats = { .tgid = 8, .ppid = 7, .start_time_ns = BEGAN + 1,
			   .sample_time_ns = BEGAN + 5 },
	};

	(void)state;
	descendants_begin(&descendants, REAPER, BEGAN);
	descendants.command = 2000;
	descendants_take(&descendants, &its_child);
	descendants_take(&descendants, &older);
	descendants_close(&descendants, NULL);
	assert_int_equal(descendants.sum.processes, 0);
	assert_false(descendants_has_ended(&descendants, 7));
	assert_true(descendants_has_ended(&descendants, 8));
	assert_false(descendants_has_ended(&descendants, 9));
	descendants_end(&descendants);
}

static void sums(void **state)
{
	struct taskrt_reading sum, one = {
		.groups = READING_JSON_GROUPS,
		.stats = { .valid = field_valid_all(), .measured = names_usual, .cpu_time_ns = 5 },
	};
	struct taskrt_reading other = {
		.groups = TASKRT_GROUP_TIMES,
		.stats = { .valid = TASKRT_VALID_CPU_TIME, .measured.states = 0x3,
			   .cpu_time_ns = 6 },
	};

	(void)state;
	/* A state of a later module: it is kept if all have it. */
	one.stats.measured.states |= 1U << 23;
	one.times.states_ns[23] = 2;
	one.times.states_ns[TASKRT_STATE_WOKEN] = 3;
	one.counts.locks[TASKRT_LOCK_OTHER] = 2;
	one.counts.values[TASKRT_VALUES_ROOM - 1] = 1;
	one.longests.timers[TASKRT_TIMER_LOCK] = (struct taskrt_longest){ 9, 100 };
	one.stats.flags = TASKRT_FLAG_INCOMPLETE | TASKRT_FLAG_EXITED;
	sum_begin(&sum);
	assert_true(taskrt_has(&sum.stats, TASKRT_VALID_LOCK_TIME | TASKRT_VALID_THREADS));
	assert_true(element_of(&sum, TASKRT_NAME_LOCK, TASKRT_LOCK_OTHER).counted);
	assert_false(element_of(&sum, TASKRT_NAME_STATE, 23).timed);
	sum_add(&sum, &one);
	one.longests.timers[TASKRT_TIMER_LOCK] = (struct taskrt_longest){ 8, 200 };
	sum_add(&sum, &one);
	assert_true(element_of(&sum, TASKRT_NAME_STATE, 23).timed);
	assert_int_equal(sum.times.states_ns[23], 4);
	assert_int_equal(sum.times.states_ns[TASKRT_STATE_WOKEN], 6);
	assert_int_equal(sum.counts.locks[TASKRT_LOCK_OTHER], 4);
	assert_int_equal(sum.counts.values[TASKRT_VALUES_ROOM - 1], 2);
	assert_int_equal(sum.longests.timers[TASKRT_TIMER_LOCK].at_ns, 100);
	assert_int_equal(sum.stats.flags, TASKRT_FLAG_INCOMPLETE);
	sum_add(&sum, &other);
	assert_int_equal(sum.stats.cpu_time_ns, 16);
	assert_int_equal(sum.stats.valid, TASKRT_VALID_CPU_TIME);
	assert_int_equal(sum.stats.measured.states, 0x3);
	assert_int_equal(sum.groups, TASKRT_GROUP_TIMES);
}

/* A process that has no stolen time yet has 0 of it, whichever of the two is added first. */
static void sums_from_0(void **state)
{
	const uint32_t fault = 1U << TASKRT_TIMER_FAULT, steal = 1U << TASKRT_TIMER_STEAL;
	const uint32_t hardirq = 1U << TASKRT_TIMER_HARDIRQ;
	struct taskrt_reading sum, of[2] = {
		{ .stats.measured.timers = fault | steal | hardirq,
		  .times.timers_ns[TASKRT_TIMER_STEAL] = 7 },
		{ .stats.measured.timers = fault },
	};
	int first;

	(void)state;
	for (first = 0; first < 2; first++) {
		sum_begin(&sum);
		sum_add(&sum, &of[first]);
		sum_add(&sum, &of[!first]);
		sum_add(&sum, &of[1]);
		assert_int_equal(sum.stats.measured.timers, fault | steal);
		assert_int_equal(sum.times.timers_ns[TASKRT_TIMER_STEAL], 7);
	}
	sum_begin(&sum);
	sum_add(&sum, &of[1]);
	assert_int_equal(sum.stats.measured.timers, fault);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truth_of_many_worlds),
		cmocka_unit_test(the_older),
		cmocka_unit_test(sums),
		cmocka_unit_test(sums_from_0),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
