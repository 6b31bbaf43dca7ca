// SPDX-License-Identifier: GPL-2.0-only
/* What bench needs: a thread's own counters. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <taskrt.h>

#include "fake.h"

struct taskrt_self {
	int reads;
};

int taskrt_self_open(struct taskrt_self **self, unsigned int flags)
{
	*self = NULL;
	if (flags != TASKRT_SELF_MAPPED)
		return -EINVAL;
	if (fake("unmapped"))
		return -EACCES;
	*self = calloc(1, sizeof(**self));
	return *self ? 0 : -ENOMEM;
}

void taskrt_self_close(struct taskrt_self *self)
{
	free(self);
}

int taskrt_self_read(struct taskrt_self *self, struct taskrt_snapshot *now)
{
	memset(now, 0, sizeof(*now));
	self->reads++;
	return 0;
}
