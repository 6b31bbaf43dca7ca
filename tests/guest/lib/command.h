/* SPDX-License-Identifier: GPL-2.0-only */
/* Sends every command that reads or arms a task, and gives each answer a letter. */
#ifndef COMMAND_H
#define COMMAND_H

#include "raw.h"

/*
 * The commands, in the order of their letters: GET of the thread, of the process, of the
 * process with its children; a dump of all threads, of those of the process, of those of
 * the own user; ARM, DISARM.
 */
#define COMMAND_COUNT	8

/*
 * '+': done, with the right task; '.': a dump without the task; 'P': EPERM; 'S': ESRCH;
 * 'U': EOPNOTSUPP; '?': anything else.
 */
char command_letter(int err);

/* The tasks: leaders of processes, by the ids that the requester knows. */
#define COMMAND_TASKS	16

struct command_tasks {
	unsigned int count;
	uint32_t ids[COMMAND_TASKS];
	char answers[COMMAND_TASKS][COMMAND_COUNT + 1];
};

/* Sends all commands for all tasks, and fills in the answers. */
void command_ask(struct raw *raw, struct command_tasks *tasks);

/* A dump of all threads in two halves, which may be called by two processes. */
int command_dump_begin(struct raw *raw);
/* A letter for each task. */
void command_dump_read(struct raw *raw, const struct command_tasks *tasks, char *letters);

#endif
