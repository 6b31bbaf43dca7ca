/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_ALERT_H
#define TASKRT_ALERT_H

struct recorder;

/* Tells the multicast group.  Return: 0; -ESRCH: nobody listens; -ENOMEM. */
int alert_tell(const struct recorder *rec);

#endif /* TASKRT_ALERT_H */
