/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom the kernel trusts: does it want modules signed, and which key does the user have? */
#ifndef TOOLS_DIAGNOSE_SIGNING_H
#define TOOLS_DIAGNOSE_SIGNING_H

#include "diagnose/system.h"

enum signing_key {
	SIGNING_NO_KEY,		/* nobody has made one for the user's own modules */
	SIGNING_KEY_UNKNOWN,	/* there is one, and the firmware does not know it */
	SIGNING_KEY_WAITS,	/* ... but is asked to at the next start */
	SIGNING_KEY_ENROLLED,
};

struct signing {
	const char *wanted_by;	/* what has the kernel take signed modules only; NULL: nothing */
	int secure_boot;
	enum signing_key key;
	char certificate[SYSTEM_PATH];
};

void signing_look(const struct system *system, struct signing *signing);

/* Is it the user's own key that has this name? */
int signing_is_signer(const struct system *system, const struct signing *signing, const char *name);

#endif
