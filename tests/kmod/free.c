// SPDX-License-Identifier: GPL-2.0-only
/* Keep from taskrt that tasks are freed, as a kernel does that leaves its tracepoint out. */
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "internal.h"

static struct tracepoint *free_tracepoint;

static void note(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "sched_process_free"))
		free_tracepoint = tracepoint;
}

void test_free_init(void)
{
	for_each_kernel_tracepoint(note, NULL);
}

static bool is_of_taskrt(const void *probe)
{
	char name[64];

	snprintf(name, sizeof(name), "%ps", probe);
	return strstr(name, "[taskrt]");
}

/* A test attaches and detaches nothing else meanwhile. */
static struct tracepoint_func find(void)
{
	struct tracepoint_func none = { NULL };
	const struct tracepoint_func *at;

	if (!free_tracepoint)
		return none;
	at = rcu_dereference_raw(free_tracepoint->funcs);
	for (; at && at->func; at++)
		if (is_of_taskrt(at->func))
			return *at;
	return none;
}

int test_free_hide(struct tracepoint_func *hidden)
{
	int err;

	if (hidden->func)
		return 0;
	*hidden = find();
	if (!hidden->func)
		return -ENOENT;
	err = tracepoint_probe_unregister(free_tracepoint, hidden->func, hidden->data);
	if (err)
		hidden->func = NULL;
	tracepoint_synchronize_unregister();
	return err;
}

int test_free_show(struct tracepoint_func *hidden)
{
	int err;

	if (!hidden->func)
		return 0;
	err = tracepoint_probe_register(free_tracepoint, hidden->func, hidden->data);
	hidden->func = NULL;
	return err;
}
