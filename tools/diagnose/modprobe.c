// SPDX-License-Identifier: GPL-2.0-only
/* The lines about the module in the configuration of modprobe. */
#include <stdlib.h>
#include <string.h>

#include "diagnose/machine.h"

/* A file hides files of the same name in the folders below it. */
static const char * const folders[] = {
	"etc/modprobe.d",
	"run/modprobe.d",
	"usr/local/lib/modprobe.d",
	"usr/lib/modprobe.d",
	"lib/modprobe.d",
};

#define FOLDERS	(sizeof(folders) / sizeof(folders[0]))

struct search {
	const char *keyword, *word;
	size_t folder;
	struct modprobe_line *line;
	int found;
};

static int names_module(const char *text, const struct search *search)
{
	char keyword[16], name[64];

	return sscanf(text, " %15s %63s", keyword, name) == 2 && !strcmp(name, "taskrt") &&
	       !strcmp(keyword, search->keyword) && (!search->word || strstr(text, search->word));
}

static int is_hidden(const struct system *system, const struct search *search, const char *name)
{
	size_t i;

	for (i = 0; i < search->folder; i++)
		if (system_has(system, "%s/%s", folders[i], name))
			return 1;
	return 0;
}

static int search_file(const struct system *system, const char *folder, const char *name, void *arg)
{
	const char *end = strrchr(name, '.');
	struct search *search = arg;
	unsigned int number = 0;
	char *text = NULL;
	size_t size = 0;
	FILE *stream;

	if (!end || strcmp(end, ".conf") || is_hidden(system, search, name))
		return 0;
	stream = system_stream(system, "%s/%s", folder, name);
	while (stream && getline(&text, &size, stream) > 0) {
		number++;
		if (!names_module(text, search))
			continue;
		text[strcspn(text, "\n")] = '\0';
		snprintf(search->line->place, sizeof(search->line->place), "/%s/%s:%u", folder,
			 name, number);
		snprintf(search->line->text, sizeof(search->line->text), "%s", text);
		search->found = 1;
	}
	free(text);
	if (stream)
		fclose(stream);
	return 0;
}

int modprobe_find(const struct system *system, const char *keyword, const char *word,
		  struct modprobe_line *line)
{
	struct search search = { .keyword = keyword, .word = word, .line = line };

	for (search.folder = 0; search.folder < FOLDERS; search.folder++)
		system_each(system, folders[search.folder], search_file, &search);
	return search.found;
}
