/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks through bytes that the module has written for kernel addresses, and for the
 * patterns with which a kernel fills memory that nobody has written to.
 */
#ifndef SCAN_H
#define SCAN_H

#include <linux/netlink.h>
#include <stddef.h>

/*
 * A pattern may be a number by chance.  So everything is scanned twice, and only what is
 * in the same place of the same answer both times counts.
 */
void scan_begin(void);
void scan_again(void);

/* what: a name of its own for each kind of answer.  The bytes begin with a word. */
void scan_bytes(const char *what, const void *bytes, size_t length);
/*
 * The same for a message of netlink, and for the padding after each attribute, which must
 * be 0.  Left out are error numbers, which look like addresses, and the ids of locks.
 */
void scan_message(const char *what, const struct nlmsghdr *nl, unsigned short family);

/* How much has been found; each is printed. */
unsigned int scan_addresses(void);
unsigned int scan_patterns(void);
unsigned int scan_padding(void);
/* The number of bytes that were looked at. */
size_t scan_length(void);

/* Does this kernel fill memory with patterns?  (slub_debug=P) */
int scan_kernel_poisons(void);

#endif
