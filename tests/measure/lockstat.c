// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lockstat.h"
#include "tap.h"

#define FOLDER		"/sys/kernel/tracing/"
#define MODULE		"[taskrt]"
#define SYMBOLS		8192
#define LOCKS		65536
/* So many locks of one class in static memory are still global. */
#define GLOBAL_LOCKS	4
/* The kernel's class of the module's workers, and of those that the kernel has itself. */
#define WORKER_LOCK	"(worker)->lock"

static struct symbol {
	uint64_t address;
	char type;
	char name[56];
} symbols[SYMBOLS];
static unsigned int nr_symbols;

static FILE *must_open(const char *path)
{
	FILE *file = fopen(path, "re");

	if (!file)
		tap_bail("%s: %s (is this the kernel stat-6.12?)", path, strerror(errno));
	return file;
}

static void must_write(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		tap_bail("%s: %s: %s", path, value, strerror(errno));
	close(fd);
}

/* The module's own symbols, as the kernel lists them. */
static void read_symbols(void)
{
	FILE *file = must_open("/proc/kallsyms");
	unsigned long long address;
	struct symbol symbol;
	char line[512];

	nr_symbols = 0;
	while (fgets(line, sizeof(line), file)) {
		if (!strstr(line, "\t" MODULE) || nr_symbols == SYMBOLS ||
		    sscanf(line, "%llx %c %55s", &address, &symbol.type, symbol.name) != 3)
			continue;
		symbol.address = address;
		symbols[nr_symbols++] = symbol;
	}
	fclose(file);
}

static int is_data(const struct symbol *symbol)
{
	return strchr("bBdD", symbol->type) != NULL;
}

/* The variable that this address is in; NULL: it is no static memory of the module. */
static const struct symbol *variable_at(uint64_t address)
{
	const struct symbol *best = NULL;
	uint64_t end = 0;
	unsigned int i;

	for (i = 0; i < nr_symbols; i++) {
		const struct symbol *symbol = &symbols[i];

		if (!is_data(symbol))
			continue;
		if (symbol->address > end)
			end = symbol->address;
		if (symbol->address <= address && (!best || symbol->address > best->address))
			best = symbol;
	}
	/* The last variable is taken for one page at most. */
	return best && address < end + 4096 ? best : NULL;
}

static struct lockstat_class *class_named(struct lockstat *stat, const char *name)
{
	unsigned int i;

	for (i = 0; i < stat->count; i++)
		if (!strcmp(stat->classes[i].name, name))
			return &stat->classes[i];
	return NULL;
}

/* What follows the last ": " of the line; NULL: nothing does. */
static char *after_colon(char *line)
{
	char *at, *last = NULL;

	for (at = line; (at = strstr(at, ": ")); at += 2)
		last = at + 2;
	return last;
}

static int is_ours(const struct symbol *variable, const char *name)
{
	/* What lockdep has been told about the order of locks is none itself. */
	return variable ? !strstr(name, "-wait-type-override") : !strcmp(name, WORKER_LOCK);
}

/* "ffffffffc0001234: &p->lock", or with more words before the colon */
void lockstat_find(struct lockstat *stat)
{
	FILE *file = must_open("/proc/lockdep");
	const struct symbol *variable;
	struct lockstat_class *class;
	char line[512], *name;
	uint64_t key;

	read_symbols();
	while (fgets(line, sizeof(line), file)) {
		key = strtoull(line, NULL, 16);
		variable = variable_at(key);
		name = after_colon(line);
		if (!name || line[0] == ' ')
			continue;
		name[strcspn(name, "\n")] = 0;
		if (!is_ours(variable, name) || class_named(stat, name) || stat->count == LOCKSTAT_CLASSES)
			continue;
		class = &stat->classes[stat->count++];
		snprintf(class->name, sizeof(class->name), "%s", name);
		snprintf(class->symbol, sizeof(class->symbol), "%s",
			 variable ? variable->name : "");
		class->key = key;
	}
	fclose(file);
}

void lockstat_clear(void)
{
	must_write("/proc/lock_stat", "0");
}

/*
 * "   &p->lock:  con-bounces contentions min max total avg acq-bounces acquisitions ..."; a
 * lock that has readers has a line for them, "-R:", and one for writers, "-W:".
 */
void lockstat_read(struct lockstat *stat)
{
	FILE *file = must_open("/proc/lock_stat");
	unsigned long long contended, acquired;
	struct lockstat_class *class;
	char line[1024], *end, *name;
	unsigned int i;

	for (i = 0; i < stat->count; i++) {
		stat->classes[i].acquired = 0;
		stat->classes[i].contended = 0;
	}
	while (fgets(line, sizeof(line), file)) {
		end = strstr(line, ": ");
		if (!end || sscanf(end + 1, "%*u %llu %*f %*f %*f %*f %*u %llu", &contended,
				   &acquired) != 2)
			continue;
		*end = 0;
		if (end - line > 2 && (!strcmp(end - 2, "-R") || !strcmp(end - 2, "-W")))
			end[-2] = 0;
		name = line + strspn(line, " ");
		class = class_named(stat, name);
		if (!class)
			continue;
		class->contended += contended;
		class->acquired += acquired;
	}
	fclose(file);
}

uint64_t lockstat_acquired(const struct lockstat *stat)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < stat->count; i++)
		sum += stat->classes[i].acquired;
	return sum;
}

/* The name that the class's locks were given: without the number that tells namesakes apart. */
static void plain_name(char *to, size_t room, const char *name)
{
	snprintf(to, room, "%s", name);
	to[strcspn(to, "#/")] = 0;
}

void lockstat_watch(const struct lockstat *stat)
{
	char filter[2048] = "", name[64];
	unsigned int i;

	for (i = 0; i < stat->count; i++) {
		size_t length = strlen(filter);

		plain_name(name, sizeof(name), stat->classes[i].name);
		snprintf(filter + length, sizeof(filter) - length, "%sname == \"%s\"",
			 i ? " || " : "", name);
	}
	must_write(FOLDER "tracing_on", "0");
	must_write(FOLDER "buffer_size_kb", "8192");
	must_write(FOLDER "trace", "");
	must_write(FOLDER "events/lock/lock_acquire/filter", filter);
	must_write(FOLDER "events/lock/lock_acquire/enable", "1");
	must_write(FOLDER "tracing_on", "1");
}

/* One lock, by its address. */
static struct one_lock {
	uint64_t address, count;
	struct lockstat_class *class;
} locks[LOCKS];

static void count_lock(struct lockstat_class *class, uint64_t address, int is_static)
{
	struct lockstat_seen *seen = is_static ? &class->in_static : &class->elsewhere;
	unsigned int i = address * 0x9e3779b97f4a7c15ULL >> 48;

	while (locks[i].class && (locks[i].class != class || locks[i].address != address))
		i = (i + 1) % LOCKS;
	if (!locks[i].class) {
		locks[i].class = class;
		locks[i].address = address;
		seen->locks++;
	}
	if (++locks[i].count > seen->hottest)
		seen->hottest = locks[i].count;
	seen->acquired++;
}

/* A static lock is the key of its class.  Other classes may have the name of a kernel's. */
static struct lockstat_class *class_of(struct lockstat *stat, const char *name, uint64_t address)
{
	struct lockstat_class *found = NULL;
	char plain[64];
	unsigned int i;

	for (i = 0; i < stat->count; i++) {
		if (stat->classes[i].key == address)
			return &stat->classes[i];
		plain_name(plain, sizeof(plain), stat->classes[i].name);
		if (!strcmp(plain, name))
			found = &stat->classes[i];
	}
	return found;
}

/* "  task-1  [000] d..1.  12.345: lock_acquire: 00000000ffff1234 try read &p->lock" */
void lockstat_unwatch(struct lockstat *stat)
{
	const struct symbol *variable;
	struct lockstat_class *class;
	char line[512], *at, *name;
	uint64_t address;
	unsigned int i;
	FILE *file;

	must_write(FOLDER "tracing_on", "0");
	must_write(FOLDER "events/lock/lock_acquire/enable", "0");
	memset(locks, 0, sizeof(locks));
	for (i = 0; i < stat->count; i++) {
		stat->classes[i].in_static = (struct lockstat_seen){ 0 };
		stat->classes[i].elsewhere = (struct lockstat_seen){ 0 };
	}
	file = must_open(FOLDER "trace");
	while (fgets(line, sizeof(line), file)) {
		at = strstr(line, "lock_acquire: ");
		if (!at)
			continue;
		address = strtoull(at + 14, &name, 16);
		name++;
		name[strcspn(name, "\n")] = 0;
		if (!strncmp(name, "try ", 4))
			name += 4;
		if (!strncmp(name, "read ", 5))
			name += 5;
		variable = variable_at(address);
		class = class_of(stat, name, address);
		if (class)
			count_lock(class, address, variable != NULL);
	}
	fclose(file);
}

const struct lockstat_seen *lockstat_seen(const struct lockstat_class *class)
{
	return class->in_static.acquired ? &class->in_static : &class->elsewhere;
}

const char *lockstat_kind(const struct lockstat_class *class)
{
	const struct lockstat_seen *seen = lockstat_seen(class);

	if (!seen->acquired)
		return "not seen";
	if (seen == &class->elsewhere)
		return class->symbol[0] ? "of an object" : "global";
	if (seen->locks <= GLOBAL_LOCKS || seen->hottest * GLOBAL_LOCKS > seen->acquired)
		return "global";
	return "one of many";
}
