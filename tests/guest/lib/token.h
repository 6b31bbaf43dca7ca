/* SPDX-License-Identifier: GPL-2.0-only */
/* One byte through a pipe: a process waits until another one lets it go on. */
#ifndef TOKEN_H
#define TOKEN_H

#include <unistd.h>

#define TOKEN_LOST	200	/* the status of a process that cannot wait or pass */

static inline void token_pass(int fd)
{
	if (write(fd, "x", 1) != 1)
		_exit(TOKEN_LOST);
}

static inline void token_await(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		_exit(TOKEN_LOST);
}

#endif
