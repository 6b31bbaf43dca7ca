/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a user without privileges can have the module do, for actors: each of these runs in
 * the process of an actor, and asks as it.
 */
#ifndef ACTS_H
#define ACTS_H

#include <stdint.h>
#include <sys/types.h>

/* What the acts are about, set before the actors begin. */
struct acts {
	unsigned int threads;		/* of a crowd */
	unsigned int mapped;		/* threads that have mapped their counters */
	unsigned int armed;		/* threads that one user may arm */
	pid_t crowd;			/* whose threads the acts ask for; shared by all actors */
};

extern struct acts *acts;
void acts_init(void);

/* Sets the stage; not measured. */
void act_gather(void);			/* acts->threads sleeping threads */
void act_gather_mapped(void);		/* acts->mapped of them have mapped their counters */
void act_arm_all(void);			/* acts->armed threads of the own, on one socket */
void act_open(void);			/* the socket on which the others ask */
void act_listen(void);			/* on as many sockets as one user may have */

/* To be measured. */
void act_nothing(void);
void act_get_crowd(void);
void act_get_sites(void);		/* and where its threads waited longest */
void act_get_children(void);
void act_dump(void);
void act_dump_own(void);		/* FILTER.OWN */
void act_info(void);
void act_register(void);		/* and LIST, DEREGISTER, on one more socket */
void act_list_and_close(void);		/* the sockets of act_listen() */
void act_arm(void);			/* the own thread, and disarms it */
void act_alert(void);			/* of the own thread, armed */
void act_close_armed(void);		/* the socket of act_arm_all() */
void act_close_foreign(void);		/* a generic-netlink socket of another family */
void act_map(void);			/* maps and unmaps the own counters */
void act_exec_mapped(void);
void act_exit_mapped(void);
void act_fork(void);			/* some processes and threads that end */

#endif
