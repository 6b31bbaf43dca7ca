// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "module.h"
#include "tap.h"

int module_insert(const char *name, const char *parameters)
{
	const char *folder = getenv("TASKRT_MODULES");
	char path[256];
	int fd, err = 0;

	snprintf(path, sizeof(path), "%s/%s.ko", folder ? folder : "/lib/taskrt", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, parameters, 0))
		err = -errno;
	close(fd);
	return err;
}

int module_try_remove(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

int module_remove(const char *name)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;
	int err;

	while ((err = module_try_remove(name))) {
		if ((err != -EAGAIN && err != -EBUSY) || clock_now() > end)
			return err;
		clock_sleep(5 * MS);
	}
	return 0;
}

int module_loaded(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return !access(path, F_OK);
}

static int open_parameter(const char *parameter, int flags)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/module/taskrt/parameters/%s", parameter);
	return open(path, flags | O_CLOEXEC);
}

int module_set(const char *parameter, const char *value)
{
	int fd = open_parameter(parameter, O_WRONLY), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		err = -errno;
	close(fd);
	return err;
}

void module_must_set(const char *parameter, const char *value)
{
	int err = module_set(parameter, value);

	if (err)
		tap_bail("%s=%s: %s", parameter, value, strerror(-err));
}

int module_get(const char *parameter, char *value, unsigned int size)
{
	int fd = open_parameter(parameter, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, value, size - 1);
	close(fd);
	if (n < 0)
		return -EIO;
	value[n] = 0;
	value[strcspn(value, "\n")] = 0;
	return 0;
}

void module_again(const char *parameters)
{
	int err = module_loaded(MODULE_TASKRT) ? module_remove(MODULE_TASKRT) : 0;

	if (err)
		tap_bail("removing taskrt: %s", strerror(-err));
	err = module_insert(MODULE_TASKRT, parameters);
	if (err)
		tap_bail("inserting taskrt %s: %s", parameters, strerror(-err));
}
