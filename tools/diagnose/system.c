// SPDX-License-Identifier: GPL-2.0-only
/* The files of the system, and the kernel in question. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "diagnose/system.h"

int system_open(struct system *system, const char *release)
{
	struct utsname name;

	if (release && strlen(release) >= sizeof(system->release))
		return -ENAMETOOLONG;
	system->fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (system->fd < 0)
		return -errno;
	uname(&name);
	snprintf(system->release, sizeof(system->release), "%s", release ? release : name.release);
	system->running = !strcmp(system->release, name.release);
	return 0;
}

void system_close(struct system *system)
{
	close(system->fd);
}

int system_descriptor(const struct system *system, int flags, const char *path)
{
	return openat(system->fd, path + strspn(path, "/"), flags | O_CLOEXEC);
}

static int form_path(char path[SYSTEM_PATH], const char *format, va_list arguments)
{
	if (vsnprintf(path, SYSTEM_PATH, format, arguments) < SYSTEM_PATH)
		return 0;
	path[0] = '\0';
	return -ENAMETOOLONG;
}

int system_path(char path[SYSTEM_PATH], const char *format, ...)
{
	va_list arguments;
	int error;

	va_start(arguments, format);
	error = form_path(path, format, arguments);
	va_end(arguments);
	return error;
}

static int open_named(const struct system *system, int flags, const char *format,
		      va_list arguments)
{
	char path[SYSTEM_PATH];

	if (form_path(path, format, arguments)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return system_descriptor(system, flags, path);
}

int system_has(const struct system *system, const char *format, ...)
{
	va_list arguments;
	int fd;

	va_start(arguments, format);
	fd = open_named(system, O_PATH, format, arguments);
	va_end(arguments);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

FILE *system_stream(const struct system *system, const char *format, ...)
{
	va_list arguments;
	FILE *stream;
	int fd;

	va_start(arguments, format);
	fd = open_named(system, O_RDONLY | O_NONBLOCK, format, arguments);
	va_end(arguments);
	if (fd < 0)
		return NULL;
	stream = fdopen(fd, "r");
	if (!stream)
		close(fd);
	return stream;
}

ssize_t system_read(const struct system *system, char *text, size_t size, const char *format, ...)
{
	va_list arguments;
	ssize_t bytes;
	int fd;

	va_start(arguments, format);
	fd = open_named(system, O_RDONLY | O_NONBLOCK, format, arguments);
	va_end(arguments);
	if (fd < 0)
		return -1;
	bytes = read(fd, text, size - 1);
	close(fd);
	if (bytes < 0)
		return -1;
	text[bytes] = '\0';
	if (bytes && text[bytes - 1] == '\n')
		text[bytes - 1] = '\0';
	return bytes;
}

ssize_t system_link(const struct system *system, char *text, size_t size, const char *path)
{
	ssize_t bytes = readlinkat(system->fd, path, text, size - 1);

	if (bytes >= 0)
		text[bytes] = '\0';
	return bytes;
}

static int by_version(const void *one, const void *other)
{
	return strverscmp(*(char *const *)one, *(char *const *)other);
}

/* The names that DIR has, up to the first for which there is no memory. */
static char **read_names(DIR *dir, size_t *count)
{
	char **names = NULL, **more;
	struct dirent *entry;

	while ((entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		more = realloc(names, (*count + 1) * sizeof(*names));
		if (!more)
			break;
		names = more;
		names[*count] = strdup(entry->d_name);
		if (!names[*count])
			break;
		++*count;
	}
	return names;
}

/* Closes folder.  musl has no scandirat(). */
static char **sorted_names(int folder, size_t *count)
{
	DIR *dir = fdopendir(folder);
	char **names;

	if (!dir) {
		close(folder);
		return NULL;
	}
	names = read_names(dir, count);
	closedir(dir);
	if (*count)
		qsort(names, *count, sizeof(*names), by_version);
	return names;
}

int system_each(const struct system *system, const char *path,
		int (*fn)(const struct system *system, const char *path, const char *name, void *arg),
		void *arg)
{
	int folder = system_descriptor(system, O_RDONLY | O_DIRECTORY, path), answer = 0;
	size_t count = 0, i;
	char **names;

	if (folder < 0)
		return 0;
	names = sorted_names(folder, &count);
	for (i = 0; i < count; i++) {
		if (!answer)
			answer = fn(system, path, names[i], arg);
		free(names[i]);
	}
	free(names);
	return answer;
}
