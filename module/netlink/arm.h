/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_ARM_H
#define TASKRT_ARM_H

/*
 * A thread is armed only as long as the socket that armed it is open.  Therefore arm.c
 * registers a notifier of closed sockets, at module load.
 */
int arm_init(void);
void arm_exit(void);

#endif /* TASKRT_ARM_H */
