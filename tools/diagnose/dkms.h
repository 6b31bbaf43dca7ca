/* SPDX-License-Identifier: GPL-2.0-only */
/* What DKMS, which builds the module for each kernel, has done with it. */
#ifndef TOOLS_DIAGNOSE_DKMS_H
#define TOOLS_DIAGNOSE_DKMS_H

#include "diagnose/system.h"

enum dkms_state {
	DKMS_NO_SOURCE,		/* nobody has installed the module's source */
	DKMS_NOT_ADDED,		/* the source is there, DKMS has not been told */
	DKMS_NOT_BUILT,
	DKMS_FAILED,		/* its last build was for this kernel, and failed */
	DKMS_BUILT,		/* and not installed */
};

struct dkms {
	int is_there;			/* the dkms command */
	enum dkms_state state;
	char version[64];		/* the newest, of the module */
	char log[SYSTEM_PATH];		/* of a build that failed */
	char error[256];		/* its first error */
	char kernels[256];		/* for which it is built, all of them */
};

void dkms_look(const struct system *system, struct dkms *dkms);

#endif
