// SPDX-License-Identifier: GPL-2.0-only
/* The module's parameter "enabled". */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "bench/parameter.h"

int parameter_open(void)
{
	int fd = open(PARAMETER_PATH, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	/* The keeper has the lock, too, until it has switched accounting on. */
	if (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
		return fd;
	close(fd);
	return -EBUSY;
}

int parameter_set(int fd, int on)
{
	return pwrite(fd, on ? "1" : "0", 1, 0) == 1 ? 0 : -errno;
}

int parameter_get(int fd)
{
	char value;

	if (pread(fd, &value, 1, 0) != 1)
		return -errno;
	return value == 'Y' || value == '1';
}
