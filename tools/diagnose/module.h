/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's file: its path, the kernel that it was built for, and its signer. */
#ifndef TOOLS_DIAGNOSE_MODULE_H
#define TOOLS_DIAGNOSE_MODULE_H

#include <time.h>

#include "diagnose/system.h"

struct module {
	char path[SYSTEM_PATH];		/* without the first slash; empty: this kernel has none */
	int listed;			/* modprobe finds it */
	time_t made;
	int readable;			/* what follows is known */
	char version[32];
	char vermagic[128];
	int has_signature;
	char signer[128];
};

/* Is it in the running kernel, so that it should answer? */
int module_is_loaded(const struct system *system);

void module_find(const struct system *system, struct module *module);

/* The vermagic of a module that came with this kernel; empty: not known. */
void module_common_vermagic(const struct system *system, char vermagic[128]);

#endif
