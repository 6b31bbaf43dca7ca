/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes of ordinary users that do something when they are told to. */
#ifndef ACTOR_H
#define ACTOR_H

#include <sys/types.h>

struct actor {
	pid_t pid;
	int go, done;		/* ends of pipes */
};

/* Whatever a process is told to do runs in it, so that its static variables keep its state. */
typedef void (*actor_fn)(void);

/* Starts a process without privileges that waits for orders; nice as in nice(2), or ACTOR_IDLE. */
#define ACTOR_IDLE	100
void actor_start(struct actor *actor, uid_t uid, int nice);
/* It calls fn; actor_await() returns when fn has returned. */
void actor_tell(struct actor *actor, actor_fn fn);
void actor_await(struct actor *actor);
/* Both. */
void actor_do(struct actor *actor, actor_fn fn);
/* Kills and reaps it. */
void actor_end(struct actor *actor);

/* Threads of the caller that sleep; each calls fn first, which may be NULL. */
void actor_gather(unsigned int count, actor_fn fn);
/* Raises the system's limits so far that a crowd fits; needs privileges. */
void actor_allow_crowds(void);

#endif
