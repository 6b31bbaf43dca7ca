/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints NAME_entry and NAME_exit, or NAME_begin and NAME_end.  All pairs that this kernel
 * has are attached, or none.
 */
#ifndef TASKRT_TRACEPOINT_PAIRS_H
#define TASKRT_TRACEPOINT_PAIRS_H

#include <linux/tracepoint.h>

#define TRACEPOINT_PAIRS_MAX	11

struct tracepoint_pairs {
	const char *names[TRACEPOINT_PAIRS_MAX];	/* ends with NULL, if shorter */
	void *on_entry;
	void *on_exit;
	struct tracepoint *entry[TRACEPOINT_PAIRS_MAX];	/* found by name */
	struct tracepoint *exit[TRACEPOINT_PAIRS_MAX];
};

/* Keeps a tracepoint of the kernel if it belongs to the pairs. */
void tracepoint_pairs_note(struct tracepoint_pairs *pairs, struct tracepoint *tracepoint);

/* Attach after all were noted.  Detach does not wait for running probes.  Context: may sleep. */
int tracepoint_pairs_attach(struct tracepoint_pairs *pairs);
void tracepoint_pairs_detach(struct tracepoint_pairs *pairs);

#endif /* TASKRT_TRACEPOINT_PAIRS_H */
