/* SPDX-License-Identifier: GPL-2.0-only */
/* The Test Anything Protocol: one line a check, the plan at the end. */
#ifndef TAP_H
#define TAP_H

#include <stdint.h>

#define TAP_FORMAT(f, a) __attribute__((format(printf, f, a)))

/* Each prints "ok N - NAME" or "not ok N - NAME", and returns whether it held. */
int tap_ok(int ok, const char *format, ...) TAP_FORMAT(2, 3);
/* These print both numbers if it does not hold. */
int tap_at_least(uint64_t value, uint64_t bound, const char *format, ...) TAP_FORMAT(3, 4);
int tap_at_most(uint64_t value, uint64_t bound, const char *format, ...) TAP_FORMAT(3, 4);
int tap_equal(uint64_t value, uint64_t expected, const char *format, ...) TAP_FORMAT(3, 4);
/* An error number of either sign, 0 included. */
int tap_errno(int value, int expected, const char *format, ...) TAP_FORMAT(3, 4);

/* This kernel cannot: "ok N - NAME # SKIP WHY". */
void tap_skip(const char *name, const char *why);
void tap_diag(const char *format, ...) TAP_FORMAT(1, 2);
/* The test cannot go on, and that is a failure. */
void tap_bail(const char *format, ...) TAP_FORMAT(1, 2) __attribute__((noreturn));
/* Prints the plan.  Return: main()'s status. */
int tap_done(void);

/* A number from the environment, for longer runs than the usual. */
unsigned long tap_setting(const char *name, unsigned long usual);

#endif
