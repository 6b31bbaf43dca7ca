/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the events are measured: on one processor, and with which priority. */
#ifndef TOOLS_BENCH_PLACE_H
#define TOOLS_BENCH_PLACE_H

/* Stay on the processor that this runs on.  Return: its number, or a negative errno. */
int place_stay(void);

/*
 * Make the calling thread a real-time one, as are those that it creates; and as before.
 * Return: NULL: it is; otherwise a text that says that it may not be one.
 */
const char *place_begin_fifo(void);
void place_end_fifo(void);

#endif
