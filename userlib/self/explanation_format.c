// SPDX-License-Identifier: LGPL-2.1-or-later
/* An explanation as a line of text. */
#include <errno.h>
#include <stddef.h>

#include "experimental.h"
#include "self/line.h"
#include "self/page.h"
#include "sized.h"

/* The size of an explanation that includes the waker of the thread. */
#define KNOWS_WAKER	(offsetof(struct taskrt_explanation, waker_comm) + 16)

/* The size of an explanation that includes what the timer slack permits. */
#define KNOWS_SLACK	(offsetof(struct taskrt_explanation, slack_ns) + 8)

/* Less than this part of the wait is not worth a word. */
#define SLACK_LEAST	20

/* @slack_ns: as in the explanation, if that has it; else 0 */
static void put_share(struct taskrt_line *line, const struct taskrt_explanation *e, uint32_t i,
		      uint64_t slack_ns)
{
	const struct taskrt_share *share = &e->shares[i];
	const char *cause = taskrt_cause_name(share->cause), *lock = taskrt_lock_name(e->lock);

	taskrt_line_text(line, cause ? cause : "unknown");
	taskrt_line_text(line, " ");
	taskrt_line_ms(line, share->ns);
	taskrt_line_text(line, " ms (");
	taskrt_line_percent(line, share->ns, e->elapsed_ns);
	if (share->cause == TASKRT_CAUSE_LOCK && lock) {
		taskrt_line_text(line, ", ");
		taskrt_line_text(line, lock);
	}
	if (share->cause == TASKRT_CAUSE_TIMER && slack_ns && slack_ns >= share->ns / SLACK_LEAST) {
		taskrt_line_text(line, ", timer slack up to ");
		taskrt_line_ms(line, slack_ns);
		taskrt_line_text(line, " ms");
	}
	if (!i && e->state != TASKRT_NONE) {
		taskrt_line_text(line, ", longest ");
		taskrt_line_ms(line, e->longest.ns);
		taskrt_line_text(line, " ms from ");
		taskrt_line_seconds(line, e->longest.at_ns);
	}
	taskrt_line_text(line, ")");
}

static void put_verdict(struct taskrt_line *line, uint64_t elapsed_ns, uint64_t deadline_ns)
{
	bool late = deadline_ns && elapsed_ns > deadline_ns;

	if (deadline_ns)
		taskrt_line_text(line, late ? "late by " : "in time, ");
	taskrt_line_ms(line, late ? elapsed_ns - deadline_ns : elapsed_ns);
	taskrt_line_text(line, " ms");
	if (deadline_ns) {
		taskrt_line_text(line, " of ");
		taskrt_line_ms(line, deadline_ns);
	}
}

/* The line stays one, whatever a task calls itself. */
static void put_name(struct taskrt_line *line, const char *name, size_t size)
{
	char c;

	for (; size && *name; name++, size--) {
		/* Bytes from 0x80 on may be control characters of the terminal, too. */
		c = (unsigned char)*name < ' ' || (unsigned char)*name >= 0x7f ? '?' : *name;
		taskrt_line_bytes(line, &c, 1);
	}
}

/* An interrupt may be on behalf of a task on another processor, so nothing is said of it. */
static void put_waker(struct taskrt_line *line, const struct taskrt_explanation *e)
{
	if (e->waker_kind != TASKRT_WAKER_INTERRUPT)
		taskrt_line_text(line, " by ");
	switch (e->waker_kind) {
	case TASKRT_WAKER_TASK:
		put_name(line, e->waker_comm, sizeof(e->waker_comm));
		taskrt_line_text(line, " (");
		taskrt_line_number(line, e->waker_tid);
		taskrt_line_text(line, ")");
		break;
	case TASKRT_WAKER_OTHER:
		taskrt_line_text(line, "another task");
		break;
	}
}

/* The thread was not waiting at the start of the window, but for longest in it. */
static bool is_longest_wait(const struct taskrt_explanation *e)
{
	return e->state != TASKRT_NONE && e->longest.at_ns > e->at_ns &&
	       e->longest.at_ns + e->longest.ns == e->woken_ns;
}

/*
 * The cause says all of a timer, and there is nothing to say of what is not known here.  An
 * interrupt may be on behalf of another processor, whose task has woken the thread.
 */
static void put_woken(struct taskrt_line *line, const struct taskrt_explanation *e)
{
	const bool longest = is_longest_wait(e);

	if (!e->woken_ns || e->waker_kind > TASKRT_WAKER_OTHER ||
	    e->waker_kind < (longest ? TASKRT_WAKER_TASK : TASKRT_WAKER_INTERRUPT))
		return;
	taskrt_line_text(line, "; woken");
	if (!longest) {
		taskrt_line_text(line, " ");
		taskrt_line_ms(line, taskrt_page_elapsed(e->at_ns, e->woken_ns));
		taskrt_line_text(line, " ms late");
	}
	put_waker(line, e);
}

int taskrt_explanation_format(const struct taskrt_explanation *e, size_t size,
			      uint64_t deadline_ns, char *text, size_t text_size)
{
	struct taskrt_line line;
	uint32_t i;

	taskrt_line_init(&line, text, text_size);
	if (size < TASKRT_EXPLANATION_MIN) {
		taskrt_line_end(&line);
		return -EINVAL;
	}
	put_verdict(&line, e->elapsed_ns, deadline_ns);
	for (i = 0; i < e->nr && i < TASKRT_CAUSES_ROOM; i++) {
		taskrt_line_text(&line, i ? ", " : ": ");
		put_share(&line, e, i, size >= KNOWS_SLACK ? e->slack_ns : 0);
	}
	if (size >= KNOWS_WAKER)
		put_woken(&line, e);
	return taskrt_line_end(&line);
}
