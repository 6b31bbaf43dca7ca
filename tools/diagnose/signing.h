/* SPDX-License-Identifier: GPL-2.0-only */
/* Signing: does the kernel require it, and which key does the user have? */
#ifndef TOOLS_DIAGNOSE_SIGNING_H
#define TOOLS_DIAGNOSE_SIGNING_H

#include "diagnose/system.h"

enum signing_key {
	SIGNING_NO_KEY,		/* there is no key for the user's own modules */
	SIGNING_KEY_UNKNOWN,	/* there is one, and the firmware does not know it */
	SIGNING_KEY_WAITS,	/* ... but enrolls it at the next boot, if confirmed */
	SIGNING_KEY_ENROLLED,
};

struct signing {
	const char *wanted_by;	/* what makes the kernel require signatures; NULL: nothing */
	int secure_boot;
	enum signing_key key;
	char certificate[SYSTEM_PATH];
};

void signing_look(const struct system *system, struct signing *signing);

/* Does the user's own key have this name? */
int signing_is_signer(const struct system *system, const struct signing *signing, const char *name);

#endif
