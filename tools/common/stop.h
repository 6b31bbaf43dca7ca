/* SPDX-License-Identifier: GPL-2.0-only */
/* The signals that ask us to end, as something to poll for. */
#ifndef TOOLS_COMMON_STOP_H
#define TOOLS_COMMON_STOP_H

/*
 * From now on SIGINT, SIGTERM and (unless we were started with nohup) SIGHUP
 * make the descriptor readable instead of ending us.  Where we do not end, for
 * somebody has stopped reading what we write, one more two seconds later ends us
 * as usual.
 * Return: the descriptor, or a negative errno.
 */
int stop_open(void);

#endif
