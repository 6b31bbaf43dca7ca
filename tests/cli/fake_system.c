// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system of taskrt-fake: $FAKE_ROOT is its root folder, as diagnose sees it, and
 * $FAKE_RELEASE the release of its kernel.  The module's parameter "enabled" is the file that
 * $FAKE_ENABLED names; "never": it may not be opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/utsname.h>

#include "bench/parameter.h"

/* The linker gives these to all of taskrt-fake that calls open() and uname(). */
int __wrap_open(const char *path, int flags, ...);
int __wrap_uname(struct utsname *name);
int __real_uname(struct utsname *name);

int __wrap_open(const char *path, int flags, ...)
{
	const char *enabled = getenv("FAKE_ENABLED"), *root = getenv("FAKE_ROOT");
	mode_t mode = 0;
	va_list arguments;

	va_start(arguments, flags);
	if (flags & O_CREAT)
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (root && !strcmp(path, "/"))
		path = root;
	if (strcmp(path, PARAMETER_PATH) || !enabled)
		return openat(AT_FDCWD, path, flags, mode);
	if (strcmp(enabled, "never"))
		return openat(AT_FDCWD, enabled, flags, mode);
	errno = EACCES;
	return -1;
}

int __wrap_uname(struct utsname *name)
{
	const char *release = getenv("FAKE_RELEASE");
	int error = __real_uname(name);

	if (release)
		snprintf(name->release, sizeof(name->release), "%s", release);
	return error;
}
