// SPDX-License-Identifier: GPL-2.0-only
/* The kernel in question: its version, configuration and command line, and what it allows. */
#include <stdlib.h>
#include <string.h>

#include "diagnose/machine.h"

int kernel_read_range(struct kernel_range *range, const char *text)
{
	int length = 0;

	/* A sign must not be taken for a part of a number by sscanf(). */
	if (strspn(text, "0123456789. \t") != strlen(text) ||
	    sscanf(text, "%4d.%4d %4d.%4d %n", &range->oldest[0], &range->oldest[1],
		   &range->newest[0], &range->newest[1], &length) != 4)
		return -1;
	return text[length] ? -1 : 0;
}

int kernel_compare(const struct system *system, const struct kernel_range *range)
{
	const int *oldest = range->oldest, *newest = range->newest;
	int major, minor;

	if (sscanf(system->release, "%d.%d", &major, &minor) != 2)
		return 0;
	if (major < oldest[0] || (major == oldest[0] && minor < oldest[1]))
		return -1;
	return major > newest[0] || (major == newest[0] && minor > newest[1]);
}

char kernel_option(const struct system *system, const char *name)
{
	FILE *stream = system_stream(system, "boot/config-%s", system->release);
	const size_t length = strlen(name);
	char line[256], answer = 0;

	if (!stream)
		stream = system_stream(system, "lib/modules/%s/config", system->release);
	if (!stream)
		stream = system_stream(system, "lib/modules/%s/build/.config", system->release);
	while (stream && !answer && fgets(line, sizeof(line), stream)) {
		if (!strncmp(line, name, length) && line[length] == '=')
			answer = line[length + 1];
		else if (!strncmp(line, "# ", 2) && !strncmp(line + 2, name, length) &&
			 !strncmp(line + 2 + length, " is not set", 11))
			answer = 'n';
	}
	if (stream)
		fclose(stream);
	return answer;
}

int kernel_argument(const struct system *system, const char *name, char *value, size_t size)
{
	const size_t length = strlen(name);
	char line[4096], *word, *rest = line;

	if (system_read(system, line, sizeof(line), "proc/cmdline") < 0)
		return 0;
	while ((word = strsep(&rest, " \n"))) {
		if (strncmp(word, name, length) || (word[length] && word[length] != '='))
			continue;
		snprintf(value, size, "%s", word + length + (word[length] == '='));
		return 1;
	}
	return 0;
}

int kernel_says(const struct system *system, const char *path, const char *beginning)
{
	char text[64];

	if (system_read(system, text, sizeof(text), "%s", path) < 0)
		return -1;
	return !strncmp(text, beginning, strlen(beginning));
}

/* Read the variable that container managers give to the first process. */
static int told_by_init(const struct system *system, char name[64])
{
	char variables[4096];
	ssize_t bytes = system_read(system, variables, sizeof(variables), "proc/1/environ");
	const char *at = variables;

	for (; bytes > 0 && at < variables + bytes; at += strlen(at) + 1) {
		if (strncmp(at, "container=", 10))
			continue;
		snprintf(name, 64, "%.63s", at + 10);
		return *name;
	}
	return 0;
}

/* The inode of the initial PID namespace, PID_NS_INIT_INO of <linux/nsfs.h>. */
#define INITIAL_PIDS	"pid:[4026531836]"

int kernel_has_initial_pids(const struct system *system)
{
	char text[64];

	return system_link(system, text, sizeof(text), "proc/self/ns/pid") > 0 &&
	       !strcmp(text, INITIAL_PIDS);
}

const char *kernel_container(const struct system *system, char name[64])
{
	if (told_by_init(system, name) ||
	    (system_read(system, name, 64, "run/systemd/container") > 0 && *name))
		return name;
	if (system_has(system, ".dockerenv"))
		return "docker";
	if (system_has(system, "run/.containerenv"))
		return "podman";
	return NULL;
}
