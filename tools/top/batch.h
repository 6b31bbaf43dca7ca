/* SPDX-License-Identifier: GPL-2.0-only */
/* Rounds printed one after the other, without a terminal. */
#ifndef TOOLS_TOP_BATCH_H
#define TOOLS_TOP_BATCH_H

#include "top/want.h"

/*
 * Print want->rounds, or until a signal comes or the reader has gone away.
 * stop_fd: as stop_open() returns it.  Standard output is closed.
 * Return: a status, after a message if it is not 0.
 */
int top_batch(struct taskrt *handle, const struct top_want *want, int stop_fd);

#endif
