// SPDX-License-Identifier: GPL-2.0-only
/* A listener that watches a command's family end. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "listener.h"
#include "witness.h"

void witness_begin(struct witness *witness, uint64_t now_ns)
{
	/* Everybody's, for the command may become another user. */
	struct taskrt_listen want = { .what = TASKRT_WHAT_PROCESSES };

	*witness = (struct witness){ 0 };
	family_begin(&witness->family, (uint32_t)getpid(), now_ns);
	witness->error = listener_begin(&witness->listener, &want, 0, witness->text);
	witness->own = want.own != 0;
}

static void give_up(struct witness *witness, int error)
{
	witness->error = error;
	if (error == -ENODEV)
		snprintf(witness->text, sizeof(witness->text), "the module was removed");
	else
		snprintf(witness->text, sizeof(witness->text), "cannot go on: %s",
			 taskrt_listener_error(witness->listener));
	taskrt_listener_close(witness->listener);
	witness->listener = NULL;
}

void witness_end(struct witness *witness)
{
	taskrt_listener_close(witness->listener);
	family_end(&witness->family);
}

int witness_fd(const struct witness *witness)
{
	return witness->listener ? taskrt_listener_fd(witness->listener) : -1;
}

void witness_read(struct witness *witness)
{
	struct taskrt_exit exit;
	int more = 1;

	while (witness->listener && more) {
		more = taskrt_listener_next(witness->listener, &exit, sizeof(exit));
		if (more < 0 && more != -EBADMSG) {
			give_up(witness, more);
		} else if (more > 0 && exit.type == TASKRT_EXIT_LOST) {
			witness->lost += exit.lost_now;
		} else if (more > 0 && exit.type == TASKRT_EXIT_PROCESS) {
			family_take(&witness->family, &exit.stats);
		}
	}
}
