/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the fake libtaskrt share. */
#ifndef TESTS_CLI_FAKE_H
#define TESTS_CLI_FAKE_H

#include <taskrt.h>

/* The handle, with how often it was asked where $FAKE counts that. */
struct taskrt {
	int error;
	int lists;
	int asked;
	int socket;
};

/* Does $FAKE name this? */
int fake(const char *what);

/* Return error, which taskrt_error() explains from now on. */
int fake_answer(struct taskrt *handle, int error);

/* Now is a good time for a signal, if there is one to be sent. */
void fake_signal(void);

/* Note that somebody asked for these groups. */
void fake_asked(const char *what, uint32_t groups);

#endif
