/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals, while a command is run that they are for. */
#ifndef TOOLS_COMMON_SIGNALS_H
#define TOOLS_COMMON_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

#define SIGNALS_CHANGED	3

struct signals {
	int fd;		/* readable when a child has ended, or one came that is to be passed on */
	struct sigaction actions[SIGNALS_CHANGED];	/* as they were */
	sigset_t mask;
};

/*
 * Before fork(): keep back every signal that is for the command, so that none is lost to it.
 * Return: 0, or a negative errno.
 */
int signals_hold(struct signals *signals);

/* After fork(), in the child: all are as they were, and those that were kept back come. */
void signals_restore(const struct signals *signals);

/* After fork(), in the parent: the interrupt and quit keys are for the command alone. */
void signals_ignore(void);

/* Empty fd.  What asked us to end asks pid now; 0: nobody. */
void signals_pass(const struct signals *signals, pid_t pid);

/* The command has ended: all are as they were. */
void signals_end(struct signals *signals);

#endif
