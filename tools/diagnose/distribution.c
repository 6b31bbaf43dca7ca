// SPDX-License-Identifier: GPL-2.0-only
/* The package commands of the distribution. */
#include <string.h>

#include "diagnose/machine.h"

/* Each is identified by ID or ID_LIKE in os-release. */
static const struct family {
	const char *id;
	const char *installs;
	const char *headers;
	int exact;		/* the release is appended; else it is for the newest kernel */
} families[] = {
	{ "debian", "apt install", "linux-headers-", 1 },
	{ "ubuntu", "apt install", "linux-headers-", 1 },
	{ "fedora", "dnf install", "kernel-devel-", 1 },
	{ "rhel", "dnf install", "kernel-devel-", 1 },
	{ "suse", "zypper install", "kernel-default-devel", 0 },
	{ "opensuse", "zypper install", "kernel-default-devel", 0 },
	{ "arch", "pacman -S", "linux-headers", 0 },
};

#define COUNT	(sizeof(families) / sizeof(families[0]))

/* Read ID and ID_LIKE; each word has a blank before and after it. */
static void read_ids(const struct system *system, char *ids, size_t size)
{
	FILE *stream = system_stream(system, "etc/os-release");
	char line[256];
	size_t used;

	used = (size_t)snprintf(ids, size, " ");
	while (stream && fgets(line, sizeof(line), stream)) {
		char *value = strchr(line, '=');

		if (!value || (strncmp(line, "ID=", 3) && strncmp(line, "ID_LIKE=", 8)))
			continue;
		value[strcspn(value, "\n")] = '\0';
		snprintf(ids + used, size - used, "%s ", value + 1);
		used += strlen(ids + used);
	}
	if (stream)
		fclose(stream);
	while ((ids = strpbrk(ids, "\"'=")))
		*ids = ' ';
}

static const struct family *find(const struct system *system)
{
	char ids[512], word[32];
	size_t i;

	read_ids(system, ids, sizeof(ids));
	for (i = 0; i < COUNT; i++) {
		snprintf(word, sizeof(word), " %s ", families[i].id);
		if (strstr(ids, word))
			return &families[i];
	}
	return NULL;
}

void distribution_headers(const struct system *system, char command[DISTRIBUTION_MAX])
{
	const struct family *family = find(system);

	if (family)
		snprintf(command, DISTRIBUTION_MAX, "%s %s%s", family->installs, family->headers,
			 family->exact ? system->release : "");
	else
		snprintf(command, DISTRIBUTION_MAX,
			 "(install the headers of kernel %s)",
			 system->release);
}

void distribution_install(const struct system *system, const char *package,
			  char command[DISTRIBUTION_MAX])
{
	const struct family *family = find(system);

	if (family)
		snprintf(command, DISTRIBUTION_MAX, "%s %s", family->installs, package);
	else
		snprintf(command, DISTRIBUTION_MAX, "(install %s)", package);
}

static int lists_module(const struct system *system, const char *path, const char *name, void *arg)
{
	const char *end = strrchr(name, '_');
	char line[256];
	int found = 0;
	FILE *stream;

	(void)arg;
	if (!end || strcmp(end, "_Packages"))
		return 0;
	stream = system_stream(system, "%s/%s", path, name);
	while (stream && !found && fgets(line, sizeof(line), stream))
		found = !strcmp(line, "Package: taskrt-dkms\n");
	if (stream)
		fclose(stream);
	return found;
}

int distribution_has_module(const struct system *system)
{
	return system_each(system, "var/lib/apt/lists", lists_module, NULL);
}
