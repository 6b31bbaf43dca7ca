// SPDX-License-Identifier: GPL-2.0-only
/*
 * What bench needs: a thread's own counters, and the module's parameter "enabled", which is
 * the file that $FAKE_ENABLED names; "never": it may not be opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <taskrt.h>

#include "bench/parameter.h"
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

int __wrap_open(const char *path, int flags, ...);

/* The linker gives this to all of taskrt-fake that calls open(). */
int __wrap_open(const char *path, int flags, ...)
{
	const char *enabled = getenv("FAKE_ENABLED");
	mode_t mode = 0;
	va_list arguments;

	va_start(arguments, flags);
	if (flags & O_CREAT)
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (strcmp(path, PARAMETER_PATH) || !enabled)
		return openat(AT_FDCWD, path, flags, mode);
	if (strcmp(enabled, "never"))
		return openat(AT_FDCWD, enabled, flags, mode);
	errno = EACCES;
	return -1;
}
