/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_ALERT_H
#define TASKRT_ALERT_H

struct recorder;

/*
 * alert_tell() - send an alert to the multicast group
 *
 * Context: the worker of alerts; may sleep.
 * Return: 0, -ESRCH if no socket has joined the group, or another error.
 */
int alert_tell(const struct recorder *rec);

#endif /* TASKRT_ALERT_H */
