/* SPDX-License-Identifier: GPL-2.0-only */
/* The multicast group of alerts. */
#ifndef GROUP_H
#define GROUP_H

#include "raw.h"

/* This socket receives alerts from now on: 0 or a negative errno. */
int group_join(struct raw *raw);

#endif
