// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "quota.h"
#include "setting.h"
#include "tap.h"

#define CONTROLLERS	CGROUP_ROOT "/cgroup.subtree_control"

static int switched_on;

uint64_t quota_throttled_ns(const char *folder)
{
	const char *key = "throttled_usec ", *at;
	char path[64], text[512];
	unsigned long long us;

	snprintf(path, sizeof(path), "%s/cpu.stat", folder);
	if (!setting_read(path, text, sizeof(text)))
		tap_bail("no cpu.stat");
	at = strstr(text, key);
	if (!at || sscanf(at + strlen(key), "%llu", &us) != 1)
		tap_bail("cpu.stat: %s", text);
	return us * 1000;
}

void quota_set(const char *folder, const char *quota)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/cpu.max", folder);
	setting_must_write(path, quota);
}

void quota_move(pid_t tid, const char *folder)
{
	char path[64], text[16];

	snprintf(path, sizeof(path), "%s/cgroup.threads", folder);
	snprintf(text, sizeof(text), "%d", (int)tid);
	setting_must_write(path, text);
}

void quota_enter(const char *folder)
{
	quota_move(syscall(SYS_gettid), folder);
}

static int is_on(const char *controllers)
{
	char text[256], *word;

	setting_read(controllers, text, sizeof(text));
	for (word = strtok(text, " \n"); word; word = strtok(NULL, " \n"))
		if (!strcmp(word, "cpu"))
			return 1;
	return 0;
}

static void quota_remove(void)
{
	cgroup_remove();
	if (switched_on)
		setting_write(CONTROLLERS, "-cpu");
}

int quota_make(void)
{
	if (!cgroup_make() || !is_on(CGROUP_ROOT "/cgroup.controllers"))
		return 0;
	atexit(quota_remove);
	if (!is_on(CONTROLLERS)) {
		setting_must_write(CONTROLLERS, "+cpu");
		switched_on = 1;
	}
	if (access(CGROUP_OWN "/cpu.max", F_OK))
		return 0;
	setting_must_write(CGROUP_OWN "/cgroup.type", "threaded");
	setting_must_write(CGROUP_BELOW "/cgroup.type", "threaded");
	setting_must_write(CGROUP_OWN "/cgroup.subtree_control", "+cpu");
	return 1;
}
