/* SPDX-License-Identifier: GPL-2.0-only */
/* The members of struct thread, by name. */
#ifndef TASKRT_NATIVE_FIELDS_H
#define TASKRT_NATIVE_FIELDS_H

/* Prints each member: where it begins in the structure, its bytes, its name. */
void fields_map(void);

#endif /* TASKRT_NATIVE_FIELDS_H */
