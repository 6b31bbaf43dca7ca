/* SPDX-License-Identifier: GPL-2.0-only */
/* Ends what the test-only module does for ever. */
#ifndef RELEASE_H
#define RELEASE_H

/*
 * Every task that waits for ever on this file of the test-only module goes on, now and
 * later; the lock that it held is free when this returns.
 */
void release(int device);

#endif
