/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A module in a shared object: the real writers, one thread, and a clock that stands
 * still but for what is called here.  Known to a program by these names alone, so
 * that each program meets each module.
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
	/* The message that answers a request.  Return: its bytes, 0: none; a negative errno. */
	int (*answer)(const struct nlmsghdr *request, void *to, size_t room);
	/*
	 * What it tells without a request: that the thread and its process have ended, to
	 * who has registered last; an alert.
	 */
	int (*exits)(void *to, size_t room);
	int (*alert)(void *to, size_t room);
	/* The page's memory, to be mapped; of how many bytes. */
	int (*page_fd)(void);
	size_t (*page_bytes)(void);
};

/* The one symbol of it. */
extern const struct module module;

#endif /* TASKRT_NEXT_MODULE_H */
