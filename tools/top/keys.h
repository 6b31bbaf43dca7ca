/* SPDX-License-Identifier: GPL-2.0-only */
/* What the keys do. */
#ifndef TOOLS_TOP_KEYS_H
#define TOOLS_TOP_KEYS_H

#include "top/want.h"

/* The state of the screen, as the keys change it. */
struct top_view {
	struct top_want want;
	size_t first;		/* the thread at the top */
	size_t page;		/* threads that a screen has room for */
	size_t rows;		/* of the screen */
	size_t matching;	/* threads that pass the filter */
	unsigned int columns;	/* that the screen has room for, a bit each */
	int paused, quit;
	int help;		/* 1 + its line at the top; 0: it is not shown */
	int prompt;		/* the key whose prompt is shown; 0: none */
	char input[64];
	char message[ARG_WHY_MAX];	/* what was wrong with the answer */
};

/* A key, as curses names it. */
void top_keys_take(struct top_view *view, int key);

/* The text of the prompt; NULL: there is none. */
const char *top_keys_question(const struct top_view *view);

/* The lines of the help; the last is NULL. */
extern const char * const top_keys_help[];

/* The number of the line that follows the last one shown of the help.  A key shows the rest. */
size_t top_keys_help_end(const struct top_view *view);

#endif
