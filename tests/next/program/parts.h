/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of what a program checks: each checks what comes from one source. */
#ifndef TASKRT_NEXT_PARTS_H
#define TASKRT_NEXT_PARTS_H

/* Messages, while the thread is at END: answers, INFO, alerts. */
void answers_check(void);
void info_check(void);
void alerts_check(void);

/* The page: begins anew, and goes from TURN to END and to the thread's end. */
void page_check(void);

/* The same of a thread that has no page: begins anew, and goes from TURN to END. */
void asked_check(void);

/* Exits, after the thread's end; what is read of them is written to a file, and read again. */
void exits_check(const char *written);

/* A file that another program wrote, with another library, of what another module sent. */
void file_check(const char *path);

/* Calls with a size: each size from 0 to twice as much. */
void sizes_check(void);

#endif /* TASKRT_NEXT_PARTS_H */
