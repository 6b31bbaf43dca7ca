/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom the kernel trusts: does it want modules signed, and which key does the user have? */
#ifndef TOOLS_DIAGNOSE_SIGNING_H
#define TOOLS_DIAGNOSE_SIGNING_H

#include "diagnose/system.h"

enum trust_key {
	TRUST_NO_KEY,		/* nobody has made one for the user's own modules */
	TRUST_KEY_UNKNOWN,	/* there is one, and the firmware does not know it */
	TRUST_KEY_WAITS,	/* ... but is asked to at the next start */
	TRUST_KEY_ENROLLED,
};

struct trust {
	const char *wanted_by;	/* what has the kernel take signed modules only; NULL: nothing */
	int secure_boot;
	enum trust_key key;
	char certificate[SYSTEM_PATH];
};

void trust_look(const struct system *system, struct trust *trust);

/* Is it the user's own key that has this name? */
int trust_is_signer(const struct system *system, const struct trust *trust, const char *name);

#endif
