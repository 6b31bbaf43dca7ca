// SPDX-License-Identifier: GPL-2.0-only
/* Rounds on a terminal, and the keys that are pressed there. */
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/text.h"
#include "common/units.h"
#include "top/keys.h"
#include "top/top.h"

#define SOON	(250 * CLOCK_MS)	/* show the first rates early */

/* Lines of the screen: summary, means, status, and the head of the table. */
enum { SUMMARY, MEANS, STATUS, HEAD, THREADS };

struct screen {
	struct top_view view;
	struct top_round round;
	pid_t covered;			/* the process that is read; 0: all */
	struct taskrt *handle;		/* NULL: the module has gone */
	char trouble[ERROR_MAX];	/* why no threads are shown; "": they are */
	uint64_t looked_ns, took_ns;	/* the start of the last update, and its length */
	int stop_fd;
	int ended;
};

static int open_again(struct screen *screen)
{
	int error = screen->handle ? 0 : taskrt_open(&screen->handle);

	if (error)
		error_open_text(screen->trouble, error);
	return error;
}

static int look(struct screen *screen)
{
	const struct top_want *want = &screen->view.want;
	/* The width of the terminal is not known at the first update. */
	unsigned int columns = screen->view.columns ? screen->view.columns : ~0U;
	uint32_t groups = top_want_groups(want, columns);
	int error = open_again(screen);

	screen->covered = want->tgid;
	if (error)
		return error;
	error = top_order_next(&screen->round, screen->handle, want, groups);
	screen->trouble[0] = '\0';
	if (!error)
		return 0;
	top_text_error(screen->trouble, screen->handle, error, want);
	top_round_forget(&screen->round);
	if (error == -ENODEV) {
		taskrt_close(screen->handle);
		screen->handle = NULL;
	}
	return error;
}

/*
 * The time of the next update, by the present interval, which a key may have changed.  Updates take
 * at most half of all time.
 */
static uint64_t due_ns(const struct screen *screen)
{
	uint64_t interval = screen->view.want.interval_ns, least = 2 * screen->took_ns;

	if (screen->round.number == 1 && interval > SOON)
		interval = SOON;
	return screen->looked_ns + (interval > least ? interval : least);
}

/* When paused the values stay, but the first values need two updates. */
static int is_still(const struct screen *screen)
{
	return screen->view.paused && screen->round.number > 1;
}

/* Was another process chosen?  A paused round of all threads contains its threads. */
static int must_begin_anew(const struct screen *screen)
{
	return screen->covered != screen->view.want.tgid &&
	       (screen->covered || !is_still(screen) || *screen->trouble);
}

static void look_if_due(struct screen *screen)
{
	uint64_t now = clock_now_ns();

	if (must_begin_anew(screen))
		top_round_forget(&screen->round);
	else if (is_still(screen) || now < due_ns(screen))
		return;
	screen->looked_ns = now;
	look(screen);
	screen->took_ns = clock_now_ns() - now;
}

/* Print as much of text as fits.  n counts bytes; no character has fewer bytes than cells. */
static void put(int y, int x, int attributes, const char *text)
{
	char plain[TOP_LINE_MAX + ERROR_MAX];

	if (x >= COLS)
		return;
	text_safe(plain, sizeof(plain), text, sizeof(plain));
	attrset(attributes);
	mvaddnstr(y, x, plain, COLS - x);
	attrset(A_NORMAL);
}

static void put_status(const struct screen *screen)
{
	const struct top_view *view = &screen->view;
	const char *question = top_keys_question(view);
	char line[TOP_LINE_MAX], interval[UNITS_MAX];

	if (question) {
		snprintf(line, sizeof(line), "%s: %s_", question, view->input);
		put(STATUS, 0, A_BOLD, line);
	} else if (*view->message) {
		put(STATUS, 0, A_BOLD, view->message);
	} else {
		snprintf(line, sizeof(line), "every %s, sorted by %s%s%s; h: help, q: quit",
			 units_time(interval, view->want.interval_ns),
			 top_columns[view->want.sort].name, view->want.reverse ? ", reversed" : "",
			 view->paused ? "; paused" : "");
		put(STATUS, 0, A_NORMAL, line);
	}
}

/* Print as much of a cell as fits, but a number always whole.  Return: its width. */
static int put_cell(int y, int x, const struct top_column_kind *kind, int attributes,
		    const char *cell)
{
	char cut[TOP_CELL_MAX];
	int length, width = kind->width;

	text_safe(cut, kind->left ? (size_t)width : sizeof(cut), cell, sizeof(cut));
	length = (int)strlen(cut);
	if (length >= width)
		width = length + 1;
	put(y, kind->left ? x + 1 : x + width - length, attributes, cut);
	return width;
}

/* Print a line, or the head if row is NULL. */
static void put_line(const struct top_view *view, int y, const struct top_row *row)
{
	int i, x = 0;

	for (i = 0; i < TOP_NR_COLUMNS; i++) {
		const struct top_column_kind *kind = &top_columns[i];
		int sorted = i == (int)view->want.sort;
		char text[TOP_CELL_MAX];
		int width;

		if (!(view->columns & (1U << i)))
			continue;
		width = put_cell(y, x, kind, sorted ? A_BOLD : A_NORMAL,
				 row ? top_column_cell(text, i, row) : kind->head);
		if (!row)
			mvchgat(y, x, width, sorted ? A_BOLD : A_REVERSE, 0, NULL);
		x += width;
	}
	if (!row && x < COLS)
		mvchgat(y, x, -1, A_REVERSE, 0, NULL);
}

/* Idle threads share a row below the last thread. */
static void put_threads(struct screen *screen, const struct top_order *order)
{
	struct top_view *view = &screen->view;
	char line[TOP_LINE_MAX];
	size_t i;

	put_line(view, HEAD, NULL);
	for (i = view->first; i < order->count && i < view->first + view->page; i++) {
		struct top_row *row = order->places[i].row;

		if (!top_want_classes(&view->want))
			top_class_ask(&row->class, (pid_t)row->tid);
		put_line(view, THREADS + (int)(i - view->first), row);
	}
	if (order->idle && i == order->count && i < view->first + view->page)
		put(THREADS + (int)(i - view->first), 0, A_NORMAL, top_text_idle(line, order));
}

/* Scroll back if there are fewer threads than before. */
static void stay_within(struct top_view *view, const struct top_order *order)
{
	view->matching = order->matching + !!order->idle;
	if (view->want.lines && view->matching > view->want.lines)
		view->matching = view->want.lines;
	if (view->first && view->first + view->page > view->matching)
		view->first = view->matching > view->page ? view->matching - view->page : 0;
}

static void put_round(struct screen *screen)
{
	struct top_view *view = &screen->view;
	struct top_order order;
	char line[TOP_LINE_MAX];

	if (top_want_classes(&view->want))
		top_round_ask_classes(&screen->round);
	top_order_make(&order, &screen->round, &view->want, view->first + view->page);
	stay_within(view, &order);
	put(SUMMARY, 0, A_NORMAL, top_text_summary(line, &screen->round, &order, &view->want));
	put(MEANS, 0, A_NORMAL, top_text_means(line, &screen->round, &order));
	put_threads(screen, &order);
	top_order_free(&order);
}

static void measure(struct top_view *view)
{
	view->rows = (size_t)LINES;
	view->page = LINES > THREADS + 1 ? (size_t)(LINES - THREADS) : 1;
	if (view->want.lines && view->page > view->want.lines)
		view->page = view->want.lines;
	view->columns = top_column_fit(COLS, view->want.sort);
}

static void put_help(const struct top_view *view)
{
	const size_t end = top_keys_help_end(view);
	size_t line;
	int y = 0;

	for (line = (size_t)view->help - 1; line < end; line++)
		put(y++, 0, A_NORMAL, top_keys_help[line]);
	if (top_keys_help[end])
		put(y, 0, A_BOLD, "any key: more");
}

static void draw(struct screen *screen)
{
	measure(&screen->view);
	erase();
	if (screen->view.help) {
		put_help(&screen->view);
	} else {
		if (*screen->trouble)
			put(SUMMARY, 0, A_BOLD, screen->trouble);
		else
			put_round(screen);
		put_status(screen);
	}
	refresh();
}

static void take_keys(struct screen *screen)
{
	int key;

	while ((key = getch()) != ERR) {
		/* A terminal may show anything after a change of size. */
		if (key == KEY_RESIZE)
			clear();
		top_keys_take(&screen->view, key);
		/* A column that the list is now sorted by must be visible. */
		measure(&screen->view);
	}
}

/* Wait for a key, a change of size, the next update, or the end. */
static void wait_for_more(struct screen *screen)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = screen->stop_fd, .events = POLLIN },
	};
	int timeout = clock_ms_until(due_ns(screen), clock_now_ns());

	poll(fds, 2, is_still(screen) ? -1 : timeout);
	if (fds[1].revents || fds[0].revents & (POLLERR | POLLHUP | POLLNVAL))
		screen->ended = 1;
}

static void run(struct screen *screen)
{
	while (!screen->ended && !screen->view.quit) {
		look_if_due(screen);
		draw(screen);
		wait_for_more(screen);
		take_keys(screen);
	}
}

/* Called by exit(): the program ends while the screen is shown if there is no memory. */
static void leave_terminal(void)
{
	if (!isendwin())
		endwin();
}

static SCREEN *begin_terminal(void)
{
	SCREEN *terminal;

	terminal = newterm(NULL, stdout, stdin);
	if (!terminal)
		return NULL;
	atexit(leave_terminal);
	set_escdelay(50);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	return terminal;
}

int top_screen(struct taskrt *handle, const struct top_want *want, int stop_fd)
{
	struct screen screen = { .view.want = *want, .handle = handle, .stop_fd = stop_fd };
	int status = STATUS_OK;
	SCREEN *terminal = NULL;

	/* Errors at the first update are printed without a screen. */
	if (look(&screen))
		status = error_fail("%s", screen.trouble);
	else if (!(terminal = begin_terminal()))
		status = error_fail("this terminal cannot be used (TERM is '%s'): try --batch",
				    getenv("TERM") ? getenv("TERM") : "");
	if (terminal) {
		screen.looked_ns = clock_now_ns();
		run(&screen);
		endwin();
		delscreen(terminal);
	}
	top_round_forget(&screen.round);
	taskrt_close(screen.handle);
	return status;
}
