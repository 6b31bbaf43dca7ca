// SPDX-License-Identifier: GPL-2.0-only
/* Signing: does the kernel require it, and which key does the user have? */
#include <stdlib.h>
#include <string.h>

#include "diagnose/machine.h"

#define VARIABLES	"sys/firmware/efi/efivars/"
#define SECURE_BOOT	VARIABLES "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define SHIM		"-605dab50-e046-4300-abb6-3dd810dd8b23"

#define FRAMEWORK	"etc/dkms/framework.conf"

/* Parse a file of shell variables, in the usual form only. */
static void read_framework(const struct system *system, const char *path, char *certificate)
{
	FILE *stream = system_stream(system, "%s", path);
	char *line = NULL, *name;
	size_t size = 0;

	while (stream && getline(&line, &size, stream) > 0) {
		name = line + strspn(line, " \t");
		if (strncmp(name, "mok_certificate=", 16))
			continue;
		name += 16 + strspn(name + 16, "\"'");
		name[strcspn(name, "\"'\n ")] = '\0';
		if (*name)
			system_path(certificate, "%s", name);
	}
	free(line);
	if (stream)
		fclose(stream);
}

static int read_fragment(const struct system *system, const char *folder, const char *name,
			 void *certificate)
{
	char path[SYSTEM_PATH];

	if (!system_path(path, "%s/%s", folder, name))
		read_framework(system, path, certificate);
	return 0;
}

/* The key that dkms signs with: a configured one, Ubuntu's, or its own.  Return: 0: it has none. */
static int find_certificate(const struct system *system, char path[SYSTEM_PATH])
{
	path[0] = '\0';
	read_framework(system, FRAMEWORK, path);
	system_each(system, FRAMEWORK ".d", read_fragment, path);
	if (!*path)
		strcpy(path, "/var/lib/shim-signed/mok/MOK.der");
	if (!system_has(system, "%s", path))
		strcpy(path, "/var/lib/dkms/mok.pub");
	return system_has(system, "%s", path);
}

/* The lists of shim contain whole certificates. */
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

static void look_at_key(const struct system *system, struct signing *signing)
{
	if (!find_certificate(system, signing->certificate))
		return;
	if (is_enrolled(system, signing->certificate))
		signing->key = SIGNING_KEY_ENROLLED;
	else if (system_has(system, VARIABLES "MokNew" SHIM))
		signing->key = SIGNING_KEY_WAITS;
	else
		signing->key = SIGNING_KEY_UNKNOWN;
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

void signing_look(const struct system *system, struct signing *signing)
{
	int forced = kernel_says(system, "sys/module/module/parameters/sig_enforce", "Y") == 1;

	memset(signing, 0, sizeof(*signing));
	signing->secure_boot = has_secure_boot(system);
	if (forced || is_locked_down(system))
		signing->wanted_by = signing->secure_boot ? "Secure Boot is on" :
				     forced ? "module.sig_enforce" : "lockdown";
	look_at_key(system, signing);
}

/* A certificate contains the name as plain text. */
int signing_is_signer(const struct system *system, const struct signing *signing, const char *name)
{
	char key[4096];
	ssize_t length = system_read(system, key, sizeof(key), "%s", signing->certificate);

	return *name && length > 0 && memmem(key, (size_t)length, name, strlen(name));
}
