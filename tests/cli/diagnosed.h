/* SPDX-License-Identifier: GPL-2.0-only */
/* What taskrt diagnose looks at: a system with little in it, and a module that is well. */
#ifndef TESTS_CLI_DIAGNOSED_H
#define TESTS_CLI_DIAGNOSED_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/names.h"
#include "diagnose/finding.h"

/* A system with little in it. */
static char tree[] = "/tmp/taskrt-finding.XXXXXX";
static struct system system_below = { .release = "6.1.0", .running = 1 };

static inline void put(const char *path, const char *text)
{
	char whole[256], *slash;
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/%s", tree, path);
	for (slash = whole + sizeof(tree); (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(whole, 0755);
	}
	file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static inline void take(const char *path)
{
	assert_int_equal(unlinkat(system_below.fd, path, 0), 0);
}

static inline int begin(void **state)
{
	(void)state;
	if (!mkdtemp(tree))
		return -1;
	system_below.fd = open(tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return system_below.fd < 0;
}

static inline int end(void **state)
{
	char command[sizeof(tree) + 16];

	(void)state;
	close(system_below.fd);
	snprintf(command, sizeof(command), "rm -rf %s", tree);
	return system(command);
}

#define MANY_HOOKS	32

static struct taskrt_hook hooks[MANY_HOOKS];

static inline struct inventory healthy(void)
{
	struct inventory inventory = {
		.info = {
			.stats_version = TASKRT_STATS_VERSION, .enabled = 1,
			.valid = field_valid_all(), .measured = names_usual,
			.threads_made = 5, .threads_gone = 3, .threads = 2, .nr_hooks = 1,
			.threads_max = 100, .backlog_max_bytes = 4 << 20,
		},
		.known = names_usual,
		.hooks = hooks,
	};

	memset(hooks, 0, sizeof(hooks));
	hooks[0] = (struct taskrt_hook){ .name = "sched_switch", .hits = 100000 };
	strcpy(inventory.info.module_version, taskrt_version());
	return inventory;
}

/* Exactly one finding, of this kind, that speaks of this; problem is below 0: none. */
static inline void expect(const struct inventory *inventory, int problem, const char *part)
{
	struct findings findings;

	finding_collect(&findings, inventory, &system_below);
	assert_int_equal(findings.count, problem >= 0);
	if (problem < 0)
		return;
	assert_int_equal(findings.problems, problem);
	assert_int_equal(findings.list[0].problem != 0, problem);
	assert_non_null(strstr(findings.list[0].text, part));
}

#endif
