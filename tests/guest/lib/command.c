// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "command.h"
#include "recorder.h"

char command_letter(int err)
{
	switch (err) {
	case 0:
		return '+';
	case -EPERM:
		return 'P';
	case -ESRCH:
		return 'S';
	case -EOPNOTSUPP:
		return 'U';
	default:
		return '?';
	}
}

static char get(struct raw *raw, uint16_t type, uint32_t id, int children)
{
	struct raw_message message;
	struct raw_answer answer;

	raw_begin(raw, &message, TASKRT_CMD_GET, NLM_F_ACK);
	raw_put_u32(&message, type, id);
	if (children)
		raw_put(&message, TASKRT_A_CHILDREN, NULL, 0);
	raw_ask(raw, &message, &answer, NULL, NULL);
	if (!answer.answered || (!answer.error && answer.last.id != id))
		return '?';
	return command_letter(answer.error);
}

struct seen {
	const struct command_tasks *tasks;
	unsigned int times[COMMAND_TASKS];
};

static void note(const struct raw_stats *stats, void *arg)
{
	struct seen *seen = arg;
	unsigned int i;

	for (i = 0; i < seen->tasks->count; i++)
		seen->times[i] += stats->id == seen->tasks->ids[i];
}

static char dump_letter(const struct raw_answer *answer, unsigned int times)
{
	if (!answer->answered || times > 1)
		return '?';
	if (answer->error)
		return command_letter(answer->error);
	return times ? '+' : '.';
}

int command_dump_begin(struct raw *raw)
{
	struct raw_message message;

	raw_begin(raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	/* Large answers: few fit into the part that is answered at once. */
	raw_put_u32(&message, TASKRT_A_GROUPS, EVERY_GROUP | TASKRT_GROUP_SITES);
	return raw_send(raw, &message);
}

void command_dump_read(struct raw *raw, const struct command_tasks *tasks, char *letters)
{
	struct seen seen = { .tasks = tasks };
	struct raw_answer answer;
	unsigned int i;

	raw_receive(raw, &answer, note, &seen);
	for (i = 0; i < tasks->count; i++)
		letters[i] = dump_letter(&answer, seen.times[i]);
}

static char dump_of(struct raw *raw, const struct command_tasks *tasks, unsigned int i)
{
	struct seen seen = { .tasks = tasks };
	struct raw_message message;
	struct raw_answer answer;

	raw_begin(raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	raw_put_u32(&message, TASKRT_A_TGID, tasks->ids[i]);
	raw_ask(raw, &message, &answer, note, &seen);
	return dump_letter(&answer, seen.times[i]);
}

static void dump_own(struct raw *raw, const struct command_tasks *tasks, char *letters)
{
	struct raw_message message;
	size_t nest;

	raw_begin(raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	nest = raw_nest(&message, TASKRT_A_FILTER);
	raw_put(&message, TASKRT_FILTER_A_OWN, NULL, 0);
	raw_nest_end(&message, nest);
	if (raw_send(raw, &message))
		memset(letters, '?', tasks->count);
	else
		command_dump_read(raw, tasks, letters);
}

static void ask_one(struct raw *raw, struct command_tasks *tasks, unsigned int i)
{
	const struct recorder_arm arm = { .tid = tasks->ids[i], .depth = 2 };
	char *answers = tasks->answers[i];

	answers[0] = get(raw, TASKRT_A_TID, arm.tid, 0);
	answers[1] = get(raw, TASKRT_A_TGID, arm.tid, 0);
	answers[2] = get(raw, TASKRT_A_TGID, arm.tid, 1);
	answers[4] = dump_of(raw, tasks, i);
	answers[6] = command_letter(recorder_arm(raw, &arm, NULL));
	answers[7] = command_letter(recorder_disarm(raw, arm.tid));
	answers[8] = 0;
}

void command_ask(struct raw *raw, struct command_tasks *tasks)
{
	char all[COMMAND_TASKS], own[COMMAND_TASKS];
	unsigned int i;

	if (command_dump_begin(raw))
		memset(all, '?', sizeof(all));
	else
		command_dump_read(raw, tasks, all);
	dump_own(raw, tasks, own);
	for (i = 0; i < tasks->count; i++) {
		ask_one(raw, tasks, i);
		tasks->answers[i][3] = all[i];
		tasks->answers[i][5] = own[i];
	}
}
