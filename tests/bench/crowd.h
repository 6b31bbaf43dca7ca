/* SPDX-License-Identifier: GPL-2.0-only */
/* Very many threads that do nothing. */
#ifndef CROWD_H
#define CROWD_H

/* Adds that many to those there are already; they stay until the end. */
void crowd_gather(unsigned int count);

#endif
