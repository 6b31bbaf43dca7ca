/* SPDX-License-Identifier: GPL-2.0-only */
/* A large number of threads that only sleep. */
#ifndef CROWD_H
#define CROWD_H

/* Creates @count more of these threads, which remain until the program ends. */
void crowd_gather(unsigned int count);

#endif
