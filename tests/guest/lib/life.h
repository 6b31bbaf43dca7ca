/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that live and end in all possible ways. */
#ifndef LIFE_H
#define LIFE_H

#include <sys/types.h>

struct life {
	pid_t pid, parent;
	unsigned int kind;
	unsigned int threads;	/* that it has had by its end */
	int status;		/* as wait(2) reports it */
	uid_t uid;
	char comm[16];		/* "" if it is not known */
};

unsigned int life_kinds(void);
const char *life_name(unsigned int kind);

/*
 * Call this first of all in main(): in a program that one of the processes has executed it
 * does not return.
 */
void life_main(int argc, char **argv);

/*
 * Runs a process of that kind, with this many threads beside the first where the kind has
 * threads; waits for its end.
 */
void life_run(struct life *life, unsigned int kind, unsigned int threads);

#endif
