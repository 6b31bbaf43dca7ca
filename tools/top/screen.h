/* SPDX-License-Identifier: GPL-2.0-only */
/* Rounds on a terminal, and the keys that are pressed there. */
#ifndef TOOLS_TOP_SCREEN_H
#define TOOLS_TOP_SCREEN_H

#include "top/want.h"

/*
 * Show the threads until the user quits.  Takes over handle and closes it.  If the module
 * is removed or accounting is switched off, a message is shown until that is over.
 * stop_fd: as stop_open() returns it.
 * Return: a status, after a message if it is not 0.
 */
int top_screen(struct taskrt *handle, const struct top_want *want, int stop_fd);

#endif
