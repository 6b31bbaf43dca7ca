/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals that are forwarded to a command, and signals that end taskrt. */
#ifndef TOOLS_COMMON_SIGNALS_H
#define TOOLS_COMMON_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

struct signals {
	int fd;		/* readable if a child has ended or a signal is to be forwarded */
	struct sigaction chld;	/* the original action of SIGCHLD and mask */
	sigset_t mask;
};

/*
 * Before fork(): block every signal for the command, so that none is lost.
 * Return: 0, or a negative errno.
 */
int signals_hold(struct signals *signals);

/* After fork(), in the child: restore all actions and unblock all signals. */
void signals_restore(const struct signals *signals);

/* Empty fd, and forward the signals of other processes to pid; 0: to no process. */
void signals_pass(const struct signals *signals, pid_t pid);

/* After the command has ended: drop signals that arrived for it, and restore all actions. */
void signals_end(struct signals *signals);

/*
 * From now on SIGINT, SIGTERM and (unless started with nohup) SIGHUP make the descriptor readable
 * instead of ending the process.  If it does not end, because its output is not read, another
 * signal two seconds later ends it as usual.
 * Return: the descriptor, or a negative errno.
 */
int stop_open(void);

#endif
