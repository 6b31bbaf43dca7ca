/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of users. */
#ifndef TOOLS_TOP_USER_H
#define TOOLS_TOP_USER_H

#include <stdint.h>

#define TOP_USER_MAX	32

/* The name in valid UTF-8, or the number of a user without a name; it is cached. */
const char *top_user_name(uint32_t uid);

/* A name or a number. Return: 0; -1: there is no such user. */
int top_user_find(const char *text, uint32_t *uid);

#endif
