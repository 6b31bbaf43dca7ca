/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that others chose, made fit to print. */
#ifndef TOOLS_TEXT_H
#define TOOLS_TEXT_H

#include <stddef.h>

/*
 * Copy at most length bytes of name, up to its NUL, as valid UTF-8 without
 * control characters: every byte that is neither becomes '?'.  A thread names
 * itself, and must not be able to move a terminal's cursor or break JSON.
 * size counts the NUL; what does not fit is cut off between characters.
 */
const char *text_safe(char *safe, size_t size, const char *name, size_t length);

#endif
