/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that sleep while something else is measured. */
#ifndef CROWD_H
#define CROWD_H

/* Creates so many more of them, which are never joined. */
void crowd_gather(unsigned int count);
/* How many have been gathered. */
unsigned int crowd_size(void);

#endif
