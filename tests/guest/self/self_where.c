// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread reads itself where its clock differs (in a time namespace), and where there is
 * no device.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"
#include "looks.h"
#include "self.h"
#include "tap.h"
#include "window.h"

static int device;

static int in_namespace(void)
{
	struct looks looks = { .handle = window_open() };
	struct taskrt_self *self = self_open();
	unsigned int i;

	for (i = 0; i < 50; i++) {
		looks_live(device, i);
		looks_look(&looks, self, 0);
	}
	return looks_wrong(&looks);
}

/* The clock differs there; the counters are the same as outside. */
static void time_namespace(void)
{
	int fd, status;
	pid_t pid = fork();

	if (!pid) {
		if (unshare(0x80 /* CLONE_NEWTIME */))
			_exit(200);
		fd = open("/proc/self/timens_offsets", O_WRONLY);
		if (fd < 0 || write(fd, "monotonic 1000000 5", 19) != 19)
			_exit(201);
		pid = fork();
		if (!pid)
			_exit(in_namespace());
		waitpid(pid, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 202);
	}
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 200)
		tap_skip("in a time namespace", "the kernel has none");
	else
		tap_equal(status, 0, "in a time namespace: as outside");
}

/* Runs where there is no device.  Returns what is wrong, as bits. */
static int over_netlink(void)
{
	struct looks looks = { 0 };
	struct taskrt_self *self = NULL;
	unsigned int i;

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/dev", "tmpfs", 0, NULL))
		return 100;
	if (taskrt_self_open(&self, TASKRT_SELF_MAPPED) != -ENOENT || self)
		return 101;
	if (taskrt_self_open(&self, 0) || taskrt_self_mapped(self))
		return 102;
	looks.handle = window_open();
	for (i = 0; i < 50; i++) {
		looks_live(device, i);
		looks_look(&looks, self, 0);
	}
	if (taskrt_self_alert(self, "over netlink", 0) != -EOPNOTSUPP)
		return 103;
	taskrt_self_close(self);
	return looks_wrong(&looks);
}

static void without_device(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(over_netlink());
	waitpid(pid, &status, 0);
	tap_equal(status, 0, "without the device: no mapping, but the same over netlink");
}

int main(void)
{
	device = device_open();
	time_namespace();
	without_device();
	return tap_done();
}
