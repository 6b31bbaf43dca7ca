/* SPDX-License-Identifier: GPL-2.0-only */
/* io_uring, with one request at a time. */
#ifndef URING_H
#define URING_H

#include <stddef.h>

/*
 * Has a worker of io_uring write to fd, and waits until it has: the number of bytes, or a
 * negative errno; -ENOSYS: this kernel has no io_uring.
 */
int uring_write(int fd, const void *data, size_t length);
/* Waits in io_uring_enter() until fd can be read: the events, or a negative errno. */
int uring_poll(int fd);

#endif
