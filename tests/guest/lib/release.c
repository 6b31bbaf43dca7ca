// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "release.h"
#include "tap.h"
#include "taskrt_test.h"

void release(int device)
{
	if (ioctl(device, TASKRT_TEST_RELEASE))
		tap_bail("%s release: %s", TASKRT_TEST_DEVICE, strerror(errno));
}
