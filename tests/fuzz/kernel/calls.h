/* SPDX-License-Identifier: GPL-2.0-only */
/* What each kind of call does.  The process that runs a program has its sockets and mappings. */
#ifndef CALLS_H
#define CALLS_H

#include <sys/types.h>

#include "program.h"

#define PAGE		4096
#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

/* send.c: the netlink sockets. */
void do_send(const struct op *op);
void do_receive(const struct op *op);
void do_close(const struct op *op);
void do_socket(const struct op *op);

/* device.c: the device. */
void do_map(const struct op *op);
void do_unmap(const struct op *op);
void do_ioctl(const struct op *op);

/* life.c: children, threads, and the process itself. */
void life_begin(pid_t other);
uint64_t life_task(uint64_t which);	/* the number of one of these, or of another task */
void do_fork(const struct op *op);
void do_thread(const struct op *op);
void do_wait(const struct op *op);
void do_rights(const struct op *op);

#endif
