// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A thread's own counters: the handle.
 *
 * Of its memory (memory.c), the kernel zeroes struct taskrt_self in a child after
 * fork(2), where the counters are not mapped, so a read finds that out without a system
 * call.  The child inherits struct taskrt_self_rest, which it needs to close the handle.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "self/handle.h"
#include "memory.h"

_Static_assert(sizeof(struct taskrt_self_rest) <= TASKRT_MEMORY_KEPT,
	       "there is no room for it");

struct taskrt_self_rest *taskrt_self_rest(const struct taskrt_self *self)
{
	return taskrt_memory_kept(self);
}

/* A known state is reached in fewer steps than there are states, or never. */
uint32_t taskrt_self_known(const struct taskrt_self *self, uint32_t state)
{
	const uint8_t *parent = taskrt_self_rest(self)->parent;
	unsigned int steps;

	for (steps = 0; state >= KNOWN_STATES; steps++) {
		if (steps == TASKRT_STATES_ROOM || state >= TASKRT_STATES_ROOM)
			return TASKRT_NONE;
		state = parent[state];
	}
	return state;
}

void taskrt_self_add_unknown(const struct taskrt_self *self, const struct taskrt_times *times,
			     uint64_t *cpu_ns, uint64_t *queue_ns)
{
	uint32_t state;

	for (state = KNOWN_STATES;
	     state < TASKRT_STATES_ROOM && self->measured.states >> state; state++) {
		switch (taskrt_self_known(self, state)) {
		case TASKRT_STATE_RUNNING:
			*cpu_ns += times->states_ns[state];
			break;
		case TASKRT_STATE_PREEMPTED:
		case TASKRT_STATE_WOKEN:
		case TASKRT_STATE_THROTTLED:
		case TASKRT_STATE_YIELDED:
			*queue_ns += times->states_ns[state];
			break;
		}
	}
}

/*
 * Set the function that reads the clock to the function of the kernel's vDSO.  The C library's
 * wrapper of it would take 19 of 163 instructions of a read.  The vDSO's struct timespec has longs,
 * which on 32-bit machines may not be the layout of the program's.
 */
static void set_clock(struct taskrt_self *self)
{
	void *vdso = sizeof(long) < 8 ? NULL :
		     dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *function = NULL;

	if (vdso) {
		function = dlsym(vdso, "__vdso_clock_gettime");
		if (!function)
			function = dlsym(vdso, "__kernel_clock_gettime");
		dlclose(vdso);
	}
	*(void **)&self->clock = function ? function : (void *)clock_gettime;
}

struct taskrt_self *taskrt_self_new(void)
{
	struct taskrt_self *self = taskrt_memory_new(sizeof(*self));
	struct taskrt_self_rest *rest;

	if (!self)
		return NULL;
	self->mine = 1;
	set_clock(self);
	rest = taskrt_self_rest(self);
	rest->fd = -1;
	pthread_mutex_init(&rest->lock, NULL);
	return self;
}

/*
 * In a child, page is NULL: the counters are not mapped there, and their address may
 * belong to something else.
 */
void taskrt_self_close(struct taskrt_self *self)
{
	struct taskrt_self_rest *rest;

	if (!self)
		return;
	rest = taskrt_self_rest(self);
	if (self->page && rest->length)
		munmap((void *)self->page, rest->length);
	if (rest->fd >= 0)
		close(rest->fd);
	taskrt_close(rest->handle);
	taskrt_memory_free(self);
}

int taskrt_self_mapped(const struct taskrt_self *self)
{
	return self && self->page;
}

int taskrt_self_alert(struct taskrt_self *self, const char *tag, uint64_t begin_ns)
{
	return taskrt_self_alert_cycle(self, tag, begin_ns, 0);
}

int taskrt_self_alert_cycle(struct taskrt_self *self, const char *tag, uint64_t begin_ns,
			    uint64_t end_ns)
{
	struct taskrt_alert_request alert = { .tag = "", .begin_ns = begin_ns, .end_ns = end_ns };
	size_t i;

	if (!self)
		return -EINVAL;
	if (!self->mine)
		return -ECHILD;
	if (!self->page)
		return -EOPNOTSUPP;
	for (i = 0; tag && tag[i] && i < sizeof(alert.tag) - 1; i++)
		alert.tag[i] = tag[i];
	return ioctl(taskrt_self_rest(self)->fd, TASKRT_IOC_ALERT, &alert) ? -errno : 0;
}
