// SPDX-License-Identifier: GPL-2.0-only
/* A listener to the exits of a command's descendants. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "common/listener.h"
#include "run/exit_tracker.h"

void exit_tracker_begin(struct exit_tracker *tracker, uint64_t now_ns)
{
	/* Listen to all users, because the command may change its user. */
	struct taskrt_query want = {
		.groups = DESCENDANTS_GROUPS,
		.entities = TASKRT_ENTITIES_PROCESSES,
	};

	*tracker = (struct exit_tracker){ 0 };
	descendants_begin(&tracker->descendants, (uint32_t)getpid(), now_ns);
	tracker->error = listener_begin(&tracker->exits, NULL, &want, 0, tracker->text);
	tracker->own = want.own_only != 0;
}

static void give_up(struct exit_tracker *tracker, int error)
{
	tracker->error = error;
	if (error == -ENODEV)
		snprintf(tracker->text, sizeof(tracker->text), "the module was removed");
	else
		snprintf(tracker->text, sizeof(tracker->text), "cannot go on: %s",
			 taskrt_exits_error(tracker->exits));
	taskrt_exits_close(tracker->exits);
	tracker->exits = NULL;
}

void exit_tracker_end(struct exit_tracker *tracker)
{
	taskrt_exits_close(tracker->exits);
	descendants_end(&tracker->descendants);
}

int exit_tracker_fd(const struct exit_tracker *tracker)
{
	return tracker->exits ? taskrt_exits_fd(tracker->exits) : -1;
}

void exit_tracker_read(struct exit_tracker *tracker)
{
	struct taskrt_exit exit;
	int more = 1;

	while (tracker->exits && more) {
		more = taskrt_exits_next(tracker->exits, 0, &exit, sizeof(exit));
		tracker->received += more > 0 && (exit.type == TASKRT_EXIT_THREAD ||
						  exit.type == TASKRT_EXIT_PROCESS);
		if (more < 0 && more != -EBADMSG) {
			give_up(tracker, more);
		} else if (more > 0 && exit.type == TASKRT_EXIT_LOST) {
			tracker->lost += exit.lost_now;
		} else if (more > 0 && exit.type == TASKRT_EXIT_PROCESS) {
			descendants_take(&tracker->descendants, &exit.reading);
		}
	}
}
