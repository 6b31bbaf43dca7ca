/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel would do for the hot path, beside calling it. */
#ifndef TASKRT_NATIVE_SURROUNDINGS_H
#define TASKRT_NATIVE_SURROUNDINGS_H

/* Learns how fast the counter of cycles is.  Takes a twentieth of a second. */
void surroundings_init(void);

/* A tick: the timekeeper is updated, and tells the module. */
void surroundings_tick(void);

/* The clock of which the program was compiled. */
extern const char * const surroundings_clock;

#endif /* TASKRT_NATIVE_SURROUNDINGS_H */
