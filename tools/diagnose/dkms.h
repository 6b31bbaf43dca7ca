/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of the module in DKMS, which builds it for each kernel. */
#ifndef TOOLS_DIAGNOSE_DKMS_H
#define TOOLS_DIAGNOSE_DKMS_H

#include "diagnose/system.h"

enum dkms_state {
	DKMS_NO_SOURCE,		/* the module's source is not installed */
	DKMS_NOT_ADDED,		/* the source is installed, but not added to DKMS */
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
	char kernels[256];		/* all kernels that it is built for */
};

void dkms_look(const struct system *system, struct dkms *dkms);

#endif
