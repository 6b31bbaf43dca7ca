// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the module does not see exec(2), no process may map its counters: a child that
 * shares the memory could map itself, run a set-user-id program, and leave the exact times
 * of that program with its parent.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "module.h"
#include "page.h"
#include "self.h"
#include "tap.h"

static void refused(void)
{
	struct taskrt_snapshot now;
	struct taskrt_self *self;
	int fd = page_device(), err;
	const void *page = page_try_all(fd);

	/* Before printing, which allocates and may set it. */
	err = errno;
	tap_ok(!page, "unseen: no mapping");
	tap_errno(err, EOPNOTSUPP, "unseen: because it cannot be kept apart");
	close(fd);
	tap_errno(taskrt_self_open(&self, TASKRT_SELF_MAPPED), -EOPNOTSUPP,
		  "unseen: the library says the same");
	tap_errno(taskrt_self_open(&self, 0), 0, "unseen: it asks over netlink instead");
	tap_equal(taskrt_self_mapped(self), 0, "unseen: and says so");
	tap_errno(taskrt_self_read(self, &now), 0, "unseen: and it can be read");
	taskrt_self_close(self);
}

int main(void)
{
	struct taskrt_snapshot now;
	struct taskrt_self *self;

	module_again("without=sched_process_exec");
	refused();
	module_again("");
	self = self_open();
	tap_equal(self_read(self, &now), 0, "seen again: it maps as ever");
	taskrt_self_close(self);
	return tap_done();
}
