// SPDX-License-Identifier: GPL-2.0-only
/* The kernel log: why the kernel refused the module. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "diagnose/machine.h"

#define RECORD_MAX	8192	/* as the kernel has it */

/* Messages of the kernel that do not name the module. */
static const char * const unnamed[] = {
	"module loading is restricted",		/* lockdown */
	"Loading of unsigned module is rejected",
	"Loading of module with unsupported crypto is rejected",
	"Loading of module with unavailable key is rejected",
};

/* Messages that are not about a failure. */
static const char * const harmless[] = {
	"taints kernel",
	"tainting kernel",
};

static int has_one(const char *text, const char * const *list, size_t count)
{
	while (count--)
		if (strstr(text, list[count]))
			return 1;
	return 0;
}

#define HAS_ONE(text, list)	has_one(text, list, sizeof(list) / sizeof((list)[0]))

int log_wants_signature(const char *text)
{
	return HAS_ONE(text, unnamed);
}

/* The module logs a success itself, when it is loaded and when it is removed. */
static int is_success(const char *text)
{
	return !strncmp(text, "taskrt: loaded, ", 16) || !strcmp(text, "taskrt: removed");
}

static int is_failure(const char *text)
{
	if (!strncmp(text, "taskrt: ", 8))
		return !HAS_ONE(text, harmless);
	return !strncmp(text, "Module taskrt ", 14) || log_wants_signature(text);
}

/* The clock of the log may be off by this many seconds; a build takes longer. */
#define TOLERANCE	10

/* The time of a record.  Its clock is close to CLOCK_MONOTONIC. */
static time_t written(uint64_t us)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return time(NULL) - now.tv_sec + (time_t)(us / 1000000);
}

/* What the log says of the last attempt to load the module. */
struct attempt {
	int failed;
	int loaded;	/* one succeeded: a line that names no module is about another one */
	char *text;
	size_t size;
};

/* "6,815,5140900,-;the text\n", and lines of a dictionary that start with a blank. */
static void take_record(char *record, time_t since, struct attempt *last)
{
	char *words = strchr(record, ';');
	uint64_t us;

	if (!words++ || sscanf(record, "%*u,%*u,%" SCNu64, &us) != 1 || written(us) + TOLERANCE < since)
		return;
	words[strcspn(words, "\n")] = '\0';
	if (is_success(words)) {
		last->failed = 0;
		last->loaded = 1;
	} else if (is_failure(words) && !(last->loaded && log_wants_signature(words))) {
		last->failed = 1;
		snprintf(last->text, last->size, "%s", words);
	}
}

/* The device returns one record per read; a copy of a log returns all. */
int log_last_failure(const struct system *system, time_t since, char *text, size_t size)
{
	int fd = system_descriptor(system, O_RDONLY | O_NONBLOCK, "dev/kmsg");
	struct attempt last = { .text = text, .size = size };
	char records[RECORD_MAX], *record, *rest;
	ssize_t bytes;

	if (fd < 0)
		return -1;
	/* EPIPE: records were overwritten, and the next read continues after them. */
	while ((bytes = read(fd, records, sizeof(records) - 1)) > 0 || (bytes < 0 && errno == EPIPE)) {
		if (bytes < 0)
			continue;
		records[bytes] = '\0';
		for (rest = records; (record = strsep(&rest, "\n"));)
			take_record(record, since, &last);
	}
	if (bytes < 0 && errno == EPERM)
		last.failed = -1;
	close(fd);
	return last.failed;
}
