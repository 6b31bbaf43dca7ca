/* SPDX-License-Identifier: GPL-2.0-only */
/* A cgroup that counts memory, in whichever hierarchy the controller is. */
#ifndef MEMCG_H
#define MEMCG_H

#include <stdint.h>

/* Makes it.  Returns its folder, or NULL: this kernel has no memory controller. */
const char *memcg_make(void);
/* Waits until it is empty, and removes it: true, if it is gone. */
int memcg_remove(void);
/* Moves the caller into it, or exits with status 250. */
void memcg_enter(void);
/* The bytes that are charged to it. */
uint64_t memcg_usage(void);
/* At most so many bytes may be: true, if that was accepted. */
int memcg_limit(uint64_t bytes);
/* Who has more is held up; 0: nobody is.  True, if that was accepted: only in the v2 hierarchy. */
int memcg_high(uint64_t bytes);
/* How often that event has happened, by memory.events; 0 in the v1 hierarchy. */
uint64_t memcg_events(const char *name);

#endif
