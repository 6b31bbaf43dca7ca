// SPDX-License-Identifier: GPL-2.0-only
/* Whom the kernel trusts: does it want modules signed, and which key does the user have? */
#include <string.h>

#include "kernel.h"
#include "trust.h"

#define VARIABLES	"sys/firmware/efi/efivars/"
#define SECURE_BOOT	VARIABLES "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define SHIM		"-605dab50-e046-4300-abb6-3dd810dd8b23"

/* Where dkms keeps the key that it signs with: Ubuntu's, and everybody else's. */
static const char * const certificates[] = {
	"var/lib/shim-signed/mok/MOK.der",
	"var/lib/dkms/mok.pub",
};

/* The lists that shim hands on are of whole certificates. */
static int is_enrolled(const struct system *system, const char *certificate)
{
	static const char * const lists[] = {
		VARIABLES "MokListRT" SHIM,
		"sys/firmware/efi/mok-variables/MokListRT",
	};
	char key[4096], list[65536];
	ssize_t length = system_read(system, key, sizeof(key), "%s", certificate), bytes;
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		bytes = system_read(system, list, sizeof(list), "%s", lists[i]);
		/* The last byte may have been taken for a newline. */
		if (length > 1 && bytes > 0 &&
		    memmem(list, (size_t)bytes, key, (size_t)length - 1))
			return 1;
	}
	return 0;
}

static void look_at_key(const struct system *system, struct trust *trust)
{
	size_t i;

	for (i = 0; i < sizeof(certificates) / sizeof(certificates[0]); i++) {
		if (!system_has(system, "%s", certificates[i]))
			continue;
		snprintf(trust->certificate, sizeof(trust->certificate), "/%s", certificates[i]);
		if (is_enrolled(system, certificates[i]))
			trust->key = TRUST_KEY_ENROLLED;
		else if (system_has(system, VARIABLES "MokNew" SHIM))
			trust->key = TRUST_KEY_WAITS;
		else
			trust->key = TRUST_KEY_UNKNOWN;
		return;
	}
}

/* Four bytes of attributes, one of value. */
static int has_secure_boot(const struct system *system)
{
	char value[8];

	return system_read(system, value, sizeof(value), SECURE_BOOT) == 5 && value[4] == 1;
}

/* "none [integrity] confidentiality" */
static int is_locked_down(const struct system *system)
{
	char text[64];

	return system_read(system, text, sizeof(text), "sys/kernel/security/lockdown") > 0 &&
	       !strstr(text, "[none]");
}

void trust_look(const struct system *system, struct trust *trust)
{
	memset(trust, 0, sizeof(*trust));
	trust->secure_boot = has_secure_boot(system);
	trust->sig_enforce =
		kernel_says(system, "sys/module/module/parameters/sig_enforce", "Y") == 1;
	trust->lockdown = is_locked_down(system);
	look_at_key(system, trust);
}
