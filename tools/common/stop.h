/* SPDX-License-Identifier: GPL-2.0-only */
/* The signals that end the command, as a descriptor to poll. */
#ifndef TOOLS_COMMON_STOP_H
#define TOOLS_COMMON_STOP_H

/*
 * From now on SIGINT, SIGTERM and (unless started with nohup) SIGHUP
 * make the descriptor readable instead of ending the process.  If it does not end,
 * because nobody reads its output, one more signal two seconds later ends it as usual.
 * Return: the descriptor, or a negative errno.
 */
int stop_open(void);

#endif
