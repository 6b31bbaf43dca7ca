// SPDX-License-Identifier: GPL-2.0-only
/* What the keys do. */
#include <curses.h>
#include <stdio.h>
#include <string.h>

#include "top/keys.h"

#define ESCAPE		27
#define BACKSPACE	8
#define DELETE		127

const char * const top_keys_help[] = {
	"The states of each thread since the last update, in percent of the time:",
	"",
	"  CPU: running; QUEUE: waiting for a CPU; LOCK: waiting for a kernel lock;",
	"  FAULT: waiting for a page; IO: waiting for I/O; BLOCK: else uninterruptible;",
	"  SLEEP: asleep or stopped; WAIT: QUEUE to BLOCK; SYS: the part of CPU in the",
	"  kernel; SW/S: switches per second; GHZ: the CPU's clock while it ran;",
	"  CPI: cycles per instruction.",
	"  A dash: not known yet, or not measured; 'taskrt diagnose' shows why.",
	"",
	"  < >  left right   sort by the next column",
	"  s                 sort by a column, by name",
	"  r                 reverse the order",
	"  p                 show only a process, by id or name",
	"  u                 show only a user",
	"  t                 show only the real-time classes",
	"  d                 set the interval",
	"  space             pause or continue",
	"  up down pgup pgdn home end",
	"                    scroll",
	"  h ?               this help",
	"  q                 quit",
	NULL
};

static size_t help_lines(void)
{
	return sizeof(top_keys_help) / sizeof(top_keys_help[0]) - 1;
}

size_t top_keys_help_end(const struct top_view *view)
{
	const size_t first = (size_t)view->help - 1, rest = help_lines() - first;

	if (rest <= view->rows)
		return help_lines();
	return first + (view->rows > 1 ? view->rows - 1 : 1);
}

const char *top_keys_question(const struct top_view *view)
{
	switch (view->prompt) {
	case 'p':
		return "process, an id or a name (none: all)";
	case 'u':
		return "user (none: all)";
	case 's':
		return "sort by";
	case 'd':
		return "seconds";
	default:
		return NULL;
	}
}

static void answer(struct top_view *view)
{
	int wrong = 0;

	switch (view->prompt) {
	case 'p':
		wrong = top_want_process(&view->want, view->input, view->message);
		break;
	case 'u':
		wrong = top_want_user(&view->want, view->input, view->message);
		break;
	case 's':
		wrong = top_want_sort(&view->want, view->input, view->message);
		break;
	case 'd':
		wrong = top_want_interval(&view->want, view->input, view->message);
		break;
	}
	view->prompt = 0;
	if (!wrong)
		view->first = 0;
}

static void edit(struct top_view *view, int key)
{
	size_t used = strlen(view->input);

	if (key == '\n' || key == '\r' || key == KEY_ENTER) {
		answer(view);
	} else if (key == ESCAPE) {
		view->prompt = 0;
	} else if (key == KEY_BACKSPACE || key == BACKSPACE || key == DELETE) {
		if (used)
			view->input[used - 1] = '\0';
	} else if (key >= ' ' && key < DELETE && used + 1 < sizeof(view->input)) {
		view->input[used] = (char)key;
		view->input[used + 1] = '\0';
	}
}

/* Sort by the next visible column to the left or right, and wrap around. */
static void sort_beside(struct top_view *view, int step)
{
	int column = (int)view->want.sort, i;

	for (i = 0; i < TOP_NR_COLUMNS; i++) {
		column = (column + step + TOP_NR_COLUMNS) % TOP_NR_COLUMNS;
		if (!view->columns || view->columns & (1U << column))
			break;
	}
	view->want.sort = (enum top_column)column;
	view->first = 0;
}

/* Scroll, but not beyond the last page. */
static void scroll_to(struct top_view *view, size_t first)
{
	size_t last = view->matching > view->page ? view->matching - view->page : 0;

	view->first = first < last ? first : last;
}

static void scroll_by(struct top_view *view, size_t step, int up)
{
	if (!up)
		scroll_to(view, view->first + step);
	else
		scroll_to(view, view->first > step ? view->first - step : 0);
}

static void travel(struct top_view *view, int key)
{
	switch (key) {
	case '<':
	case KEY_LEFT:
		sort_beside(view, -1);
		break;
	case '>':
	case KEY_RIGHT:
		sort_beside(view, 1);
		break;
	case KEY_UP:
	case KEY_DOWN:
		scroll_by(view, 1, key == KEY_UP);
		break;
	case KEY_PPAGE:
	case KEY_NPAGE:
		scroll_by(view, view->page, key == KEY_PPAGE);
		break;
	case KEY_HOME:
		view->first = 0;
		break;
	case KEY_END:
		scroll_to(view, SIZE_MAX);
		break;
	}
}

static void command(struct top_view *view, int key)
{
	switch (key) {
	case 'q':
		view->quit = 1;
		break;
	case 'h':
	case '?':
		view->help = 1;
		break;
	case ' ':
		view->paused = !view->paused;
		break;
	case 'r':
		view->want.reverse = !view->want.reverse;
		break;
	case 't':
		view->want.rt = !view->want.rt;
		view->first = 0;
		break;
	case 'p':
	case 'u':
	case 's':
	case 'd':
		view->prompt = key;
		view->input[0] = '\0';
		break;
	default:
		travel(view, key);
	}
}

void top_keys_take(struct top_view *view, int key)
{
	if (key == KEY_RESIZE)
		return;
	if (view->prompt) {
		edit(view, key);
		return;
	}
	view->message[0] = '\0';
	/* Any key shows the next part of the help, or leaves it; quit works there, too. */
	if (view->help && key != 'q')
		view->help = top_keys_help_end(view) < help_lines() ?
			     (int)top_keys_help_end(view) + 1 : 0;
	else
		command(view, key);
}
