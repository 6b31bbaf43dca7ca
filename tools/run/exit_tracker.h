/* SPDX-License-Identifier: GPL-2.0-only */
/* A listener that watches a command's family end. */
#ifndef TOOLS_RUN_EXIT_TRACKER_H
#define TOOLS_RUN_EXIT_TRACKER_H

#include <taskrt.h>

#include "common/error.h"
#include "run/descendants.h"

struct witness {
	struct taskrt_exits *exits;	/* NULL: there is none, error and text say why */
	int error;
	char text[ERROR_MAX];
	int own;			/* only of the own user's tasks */
	uint64_t lost;
	struct family family;
};

/* Begin to listen, before the command is started; now_ns: of the module's clock. */
void witness_begin(struct witness *witness, uint64_t now_ns);
void witness_end(struct witness *witness);

/* To poll for reading; -1 where there is no listener. */
int witness_fd(const struct witness *witness);

/* Take what has come. */
void witness_read(struct witness *witness);

#endif
