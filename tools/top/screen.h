/* SPDX-License-Identifier: GPL-2.0-only */
/* Rounds on a terminal, and the keys that are pressed there. */
#ifndef TOOLS_TOP_SCREEN_H
#define TOOLS_TOP_SCREEN_H

#include "top/want.h"

/*
 * Until somebody ends it.  Takes over handle, which is closed then.  Where the module
 * goes, or accounting is switched off, it says so and goes on when that is over.
 * stop_fd: as stop_open() returns it.
 * Return: a status, after a message where it is not 0.
 */
int top_screen(struct taskrt *handle, const struct top_want *want, int stop_fd);

#endif
