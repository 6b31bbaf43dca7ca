/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_DEVICE_H
#define TASKRT_DEVICE_H

/* /dev/taskrt, see taskrt_page.h.  The module cannot be unloaded while it is open or mapped. */
int device_init(void);
void device_exit(void);

#endif /* TASKRT_DEVICE_H */
