/* SPDX-License-Identifier: GPL-2.0-only */
/* A listener to exits, of all tasks or of those that the user may read. */
#ifndef TOOLS_LISTEN_LISTENER_H
#define TOOLS_LISTEN_LISTENER_H

#include <taskrt.h>

#include "common/error.h"

/*
 * Open *exits, with a socket buffer of so many bytes (0: as it is), and
 * register *want on these CPUs (NULL: on all).  If listening to all tasks is not
 * permitted, listen to the tasks of the own user: then want->own_only is set afterwards.
 * Return: 0; a negative errno, *exits is NULL, and text says why.
 */
int listener_begin(struct taskrt_exits **exits, const char *cpus, struct taskrt_query *want,
		   size_t buffer, char text[ERROR_MAX]);

#endif
