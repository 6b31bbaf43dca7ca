/* SPDX-License-Identifier: GPL-2.0-only */
/* io_uring, as far as it lets another thread of the kernel write for the caller. */
#ifndef URING_H
#define URING_H

#include <stddef.h>

/*
 * Has a worker of io_uring write to fd, and waits until it has: the number of bytes, or a
 * negative errno; -ENOSYS: this kernel has no io_uring.
 */
int uring_write(int fd, const void *data, size_t length);

#endif
