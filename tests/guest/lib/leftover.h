/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the module has gone without a trace. */
#ifndef LEFTOVER_H
#define LEFTOVER_H

/* What is left of the module, which is not inserted; NULL: nothing. */
const char *leftover(void);
/* Is there a kprobe?  Nobody else uses any. */
int leftover_kprobe(void);
/* Is there one at that function that is disabled? */
int leftover_is_disabled(const char *function);

#endif
