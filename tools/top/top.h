/* SPDX-License-Identifier: GPL-2.0-only */
/* Rounds, as they are shown. */
#ifndef TOOLS_TOP_TOP_H
#define TOOLS_TOP_TOP_H

#include <stdio.h>

#include "top/order.h"
#include "top/want.h"

/*
 * Show the threads on a terminal until the user quits.  Takes over handle and closes it.  If
 * the module is removed or accounting is switched off, a message is shown until that is over.
 * stop_fd: as stop_open() returns it.
 * Return: a status, after a message if it is not 0.
 */
int top_screen(struct taskrt *handle, const struct top_want *want, int stop_fd);

/*
 * Print want->rounds without a terminal, or until a signal comes or the reader has gone away.
 * stop_fd: as stop_open() returns it.  Standard output is closed.
 * Return: a status, after a message if it is not 0.
 */
int top_batch(struct taskrt *handle, const struct top_want *want, int stop_fd);

/* A round as one line of JSON. */
void top_json_print(FILE *out, const struct top_round *round, const struct top_order *order);

#endif
