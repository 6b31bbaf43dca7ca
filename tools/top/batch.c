// SPDX-License-Identifier: GPL-2.0-only
/* Rounds printed one after the other, without a terminal. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/output.h"
#include "common/text.h"
#include "top/top.h"

/* Why the loop has ended. */
enum end { NO_END, ASKED, UNREAD, FULL };

static enum end wait_until(uint64_t ns, int stop_fd)
{
	for (;;) {
		struct pollfd fds[] = {
			{ .fd = stop_fd, .events = POLLIN },
			/* No requested events: only the end of the reader is reported. */
			{ .fd = STDOUT_FILENO },
		};
		uint64_t now = clock_now_ns();

		poll(fds, 2, clock_ms_until(ns, now));
		if (fds[1].revents & (POLLERR | POLLHUP))
			return UNREAD;
		if (fds[0].revents)
			return ASKED;
		if (now >= ns)
			return NO_END;
	}
}

/* The last column is not padded. */
static void print_line(unsigned int columns, const struct top_row *row)
{
	char text[TOP_CELL_MAX], cut[TOP_CELL_MAX];
	int i;

	for (i = 0; i < TOP_NR_COLUMNS; i++) {
		const struct top_column_kind *kind = &top_columns[i];
		const char *cell = row ? top_column_cell(text, i, row) : kind->head;

		if (!(columns & (1U << i)))
			continue;
		if (!kind->left) {
			printf(" %*s", kind->width - 1, cell);
			continue;
		}
		text_safe(cut, (size_t)kind->width, cell, TOP_CELL_MAX);
		printf(" %s%*s", cut,
		       i < TOP_NR_COLUMNS - 1 ? text_padding(cut, kind->width - 1) : 0, "");
	}
	putchar('\n');
}

static void print_text(const struct top_round *round, const struct top_order *order,
		       const struct top_want *want)
{
	unsigned int columns = top_column_fit(0, want->sort);
	char line[TOP_LINE_MAX];
	size_t i;

	text_line(stdout, "%s", top_text_summary(line, round, order, want));
	puts(top_text_means(line, round, order));
	print_line(columns, NULL);
	for (i = 0; i < order->count; i++)
		print_line(columns, order->places[i].row);
	if (order->idle)
		puts(top_text_idle(line, order));
	putchar('\n');
}

static void print_round(struct top_round *round, const struct top_want *want)
{
	struct top_order order;
	size_t i;

	if (top_want_classes(want))
		top_round_ask_classes(round);
	top_order_make(&order, round, want, want->lines);
	for (i = 0; i < order.count && !top_want_classes(want); i++)
		top_class_ask(&order.places[i].row->class, (pid_t)order.places[i].row->tid);
	if (want->json)
		top_json_print(stdout, round, &order);
	else
		print_text(round, &order, want);
	top_order_free(&order);
}

/* Flush what was printed.  Return: a status. */
static int send_round(int stop_fd, enum end *end)
{
	int error = fflush(stdout) ? -errno : 0;

	if (!ferror(stdout))
		return STATUS_OK;
	*end = wait_until(0, stop_fd);
	/* A reader that has gone away is not a failure. */
	if (*end == UNREAD)
		return STATUS_OK;
	*end = FULL;
	return error_write(NULL, error);
}

static int next_round(struct top_round *round, struct taskrt *handle, const struct top_want *want)
{
	int error = top_order_next(round, handle, want,
				   top_want_groups(want, top_column_fit(0, want->sort)));
	char text[ERROR_MAX];

	return error ? error_fail("%s", top_text_error(text, handle, error, want)) : STATUS_OK;
}

static int run(struct taskrt *handle, const struct top_want *want, int stop_fd, enum end *end)
{
	struct top_round round = { 0 };
	uint64_t due = clock_now_ns(), printed = 0;
	int status = next_round(&round, handle, want);

	*end = NO_END;
	while (!status && *end == NO_END && (!want->rounds || printed++ < want->rounds)) {
		due += want->interval_ns;
		*end = wait_until(due, stop_fd);
		if (*end != NO_END)
			break;
		status = next_round(&round, handle, want);
		if (!status) {
			print_round(&round, want);
			status = send_round(stop_fd, end);
		}
		/* An update that comes late does not make the next one come early. */
		if (clock_now_ns() > due + want->interval_ns / 2)
			due = clock_now_ns();
	}
	top_round_forget(&round);
	return status;
}

int top_batch(struct taskrt *handle, const struct top_want *want, int stop_fd)
{
	enum end end;
	int status = run(handle, want, stop_fd, &end);

	return end == UNREAD || end == FULL ? status : output_close(stdout, NULL, status);
}
