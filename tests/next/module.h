/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A module in a shared object: the real writers, one thread, and a clock that moves only
 * by the calls below.  A program knows it by these names alone, so that each program can
 * meet each module.
 */
#ifndef TASKRT_NEXT_MODULE_H
#define TASKRT_NEXT_MODULE_H

#include <stddef.h>
#include <stdint.h>

struct nlmsghdr;

struct module {
	/* CLOCK_MONOTONIC. */
	uint64_t (*now)(void);
	/* The thread is born, and goes on to TURN; from there to END; and ends. */
	void (*begin)(void);
	void (*go_on)(void);
	void (*end)(void);
	/* It sleeps for a moment, and is then in a queue for so long. */
	void (*queue)(uint64_t ns);
	/* The message that answers a request.  Return: its bytes, 0: none; a negative errno. */
	int (*answer)(const struct nlmsghdr *request, void *to, size_t room);
	/*
	 * What it sends without a request: the exits of the thread and of its process, to
	 * the listener that registered last; an alert.
	 */
	int (*exits)(void *to, size_t room);
	int (*alert)(void *to, size_t room);
	/* From now on times are rounded down to multiples of that, in answers; 1: they are not. */
	void (*coarsen)(uint64_t ns);
	/* The page's memory, to be mapped; of how many bytes. */
	int (*page_fd)(void);
	size_t (*page_bytes)(void);
};

/* Its only symbol. */
extern const struct module module;

#endif /* TASKRT_NEXT_MODULE_H */
