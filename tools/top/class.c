// SPDX-License-Identifier: GPL-2.0-only
/* The scheduling class of a thread, which the module does not report. */
#include <sched.h>

#include "top/round.h"

/* From <linux/sched.h>, which conflicts with <sched.h>. */
#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE		6
#endif
#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK	0x40000000
#endif

#define RT_PRIORITIES	100

void top_class_ask(struct top_class *class, pid_t tid)
{
	struct sched_param param = { 0 };
	int policy = sched_getscheduler(tid);

	class->asked = 1;
	class->priority = 0;
	class->policy = policy < 0 ? -1 : policy & ~SCHED_RESET_ON_FORK;
	if ((class->policy == SCHED_FIFO || class->policy == SCHED_RR) &&
	    !sched_getparam(tid, &param))
		class->priority = param.sched_priority;
}

int top_class_is_rt(const struct top_class *class)
{
	return class->asked && (class->policy == SCHED_FIFO || class->policy == SCHED_RR ||
				class->policy == SCHED_DEADLINE);
}

int top_class_rank(const struct top_class *class)
{
	if (!class->asked || class->policy < 0)
		return -1;
	switch (class->policy) {
	case SCHED_DEADLINE:
		return 3 + RT_PRIORITIES;
	case SCHED_FIFO:
	case SCHED_RR:
		return 2 + class->priority;
	case SCHED_IDLE:
		return 0;
	case SCHED_BATCH:
		return 1;
	default:
		return 2;
	}
}

const char *top_class_name(const struct top_class *class)
{
	static const char * const names[] = {
		[SCHED_OTHER] = "TS", [SCHED_FIFO] = "FF", [SCHED_RR] = "RR",
		[SCHED_BATCH] = "B", [SCHED_IDLE] = "IDL", [SCHED_DEADLINE] = "DLN",
		[7] = "EXT",
	};
	unsigned int policy = (unsigned int)class->policy;

	if (!class->asked || policy >= sizeof(names) / sizeof(names[0]) || !names[policy])
		return "?";
	return names[policy];
}
