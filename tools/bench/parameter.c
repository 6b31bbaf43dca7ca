// SPDX-License-Identifier: GPL-2.0-only
/* The module's parameter "enabled". */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "bench/parameter.h"

int parameter_open(void)
{
	int fd = open(PARAMETER_PATH, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
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
