// SPDX-License-Identifier: GPL-2.0-only
/* A listener that watches a command's family end. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "common/listener.h"
#include "run/exit_tracker.h"

void witness_begin(struct witness *witness, uint64_t now_ns)
{
	/* Everybody's, for the command may become another user. */
	struct taskrt_query want = {
		.groups = FAMILY_GROUPS,
		.entities = TASKRT_ENTITIES_PROCESSES,
	};

	*witness = (struct witness){ 0 };
	family_begin(&witness->family, (uint32_t)getpid(), now_ns);
	witness->error = listener_begin(&witness->exits, NULL, &want, 0, witness->text);
	witness->own = want.own_only != 0;
}

static void give_up(struct witness *witness, int error)
{
	witness->error = error;
	if (error == -ENODEV)
		snprintf(witness->text, sizeof(witness->text), "the module was removed");
	else
		snprintf(witness->text, sizeof(witness->text), "cannot go on: %s",
			 taskrt_exits_error(witness->exits));
	taskrt_exits_close(witness->exits);
	witness->exits = NULL;
}

void witness_end(struct witness *witness)
{
	taskrt_exits_close(witness->exits);
	family_end(&witness->family);
}

int witness_fd(const struct witness *witness)
{
	return witness->exits ? taskrt_exits_fd(witness->exits) : -1;
}

void witness_read(struct witness *witness)
{
	struct taskrt_exit exit;
	int more = 1;

	while (witness->exits && more) {
		more = taskrt_exits_next(witness->exits, 0, &exit, sizeof(exit));
		if (more < 0 && more != -EBADMSG) {
			give_up(witness, more);
		} else if (more > 0 && exit.type == TASKRT_EXIT_LOST) {
			witness->lost += exit.lost_now;
		} else if (more > 0 && exit.type == TASKRT_EXIT_PROCESS) {
			family_take(&witness->family, &exit.reading);
		}
	}
}
