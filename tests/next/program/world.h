/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_NEXT_WORLD_H
#define TASKRT_NEXT_WORLD_H

#include "module.h"

/* The module that is loaded. */
extern const struct module *world;

/* How far the clock is ahead of the module's. */
extern uint64_t world_ahead_ns;

/* Why there is no /dev/taskrt; 0: there is. */
extern int world_device_errno;

/* Loads the module in the shared object at path. */
void world_open(const char *path);

/* Delivers what the module sends to the open socket. */
void world_tell(const void *bytes, int length);

#endif /* TASKRT_NEXT_WORLD_H */
