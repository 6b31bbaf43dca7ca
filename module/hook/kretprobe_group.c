// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "hook/kretprobe_group.h"
#include "task/process.h"

/* Fills in @list.  Return: its length. */
static int kretprobe_group_list(struct kretprobe_group *group, struct kretprobe **list)
{
	int i;

	for (i = 0; i < KRETPROBE_GROUP_MAX && group->symbols[i]; i++)
		list[i] = &group->probes[i];
	return i;
}

/* An instance with the allocator's overhead and, since 6.7, a slot for it on each processor. */
#define INSTANCE_BYTES	(96 + num_possible_cpus() * sizeof(void *))
#define INSTANCES_MAX	65536U

/*
 * How many tasks may be inside each function of the group at once.  The number grows with
 * @max_threads, and above the minimum the instances of a function take at most an eighth of the
 * memory of these threads.  The kernel rounds the number of slots up to a power of two.  More
 * instances would cost time: since 6.7 they take turns, and each fault writes to an instance that
 * has left the cache.
 */
static int kretprobe_group_instances(const struct kretprobe_group *group, u64 max_threads)
{
	const u64 affordable = div64_u64(max_threads * sizeof(struct thread) / 8, INSTANCE_BYTES);
	const u64 wanted = min(affordable, div_u64(max_threads, group->one_in));
	const u32 least = max(group->fewest, 4 * num_possible_cpus());

	return rounddown_pow_of_two(clamp_t(u64, wanted, least, INSTANCES_MAX)) - 1;
}

int kretprobe_group_attach(struct kretprobe_group *group, u64 max_threads)
{
	struct kretprobe *list[KRETPROBE_GROUP_MAX];
	int i, count = kretprobe_group_list(group, list);
	const int instances = kretprobe_group_instances(group, max_threads);

	/*
	 * On each processor one task may have an instance and no slot: before the entry handler
	 * takes the slot, or after the exit handler has returned it.
	 */
	atomic_set(&group->slots, instances - (int)num_possible_cpus());
	for (i = 0; i < count; i++)
		*list[i] = (struct kretprobe){
			.kp.symbol_name = group->symbols[i],
			.entry_handler = group->on_entry,
			.handler = group->on_exit,
			.data_size = group->data_size,
			.maxactive = instances,
		};
	return register_kretprobes(list, count);
}

void kretprobe_group_detach(struct kretprobe_group *group)
{
	struct kretprobe *list[KRETPROBE_GROUP_MAX];

	unregister_kretprobes(list, kretprobe_group_list(group, list));
}

void kretprobe_group_refuse(struct kretprobe_group *group, struct thread *t)
{
	kretprobe_group_leave(group);
	hook_miss(group->id);
	thread_missed(t);
}

u64 kretprobe_group_missed(struct kretprobe_group *group)
{
	struct kretprobe *list[KRETPROBE_GROUP_MAX];
	int count = kretprobe_group_list(group, list);
	u64 missed = 0;

	while (count--)
		missed += list[count]->nmissed + list[count]->kp.nmissed;
	return missed;
}
