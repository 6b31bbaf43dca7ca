/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines about the module in the configuration of modprobe. */
#ifndef TOOLS_DIAGNOSE_MODPROBE_H
#define TOOLS_DIAGNOSE_MODPROBE_H

#include "diagnose/system.h"

struct modprobe_line {
	char place[SYSTEM_PATH + 16];	/* "/etc/modprobe.d/local.conf:3" */
	char text[256];
};

/*
 * The last line that begins with keyword ("install", "blacklist", "options") and
 * names the module, and, if it is not NULL, contains word.  Return: 0: there is none.
 */
int modprobe_find(const struct system *system, const char *keyword, const char *word,
		  struct modprobe_line *line);

#endif
