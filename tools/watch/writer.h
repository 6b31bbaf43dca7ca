/* SPDX-License-Identifier: GPL-2.0-only */
/* Where alerts go: stories or JSON on standard output, a trace; and their counts. */
#ifndef TOOLS_WATCH_WRITER_H
#define TOOLS_WATCH_WRITER_H

#include "watch/perfetto.h"

enum outlet_form { OUTLET_SILENT, OUTLET_STORIES, OUTLET_JSON };

struct outlet {
	enum outlet_form form;
	uint64_t window_ns;		/* see culprit_find() */
	const char *trace_name;		/* NULL: no trace; "-": on standard output */
	struct perfetto *trace;
	const char *blame;		/* of a failed write: what could not be written to */
	uint64_t told, missed;
};

/* Return: 0, or a negative errno: it could not be written. */
int outlet_begin(struct outlet *outlet);
int outlet_take(struct outlet *outlet, const struct record *record);

/* Does it write on standard output? */
int outlet_prints(const struct outlet *outlet);

/*
 * Close the trace, say how many there were, and how writing ended: error is 0 or what failed.
 * A reader that has gone away (-EPIPE) is no failure, and nothing is said.
 * Return: status, or STATUS_FAILED after a message.
 */
int outlet_end(struct outlet *outlet, int error, int status);

#endif
