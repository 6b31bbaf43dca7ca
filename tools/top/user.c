// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names of users.  Looking one up may take a server, so names are cached: as many
 * as a screen shows, each in the slot that its number gives.
 */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "top/user.h"

#define KEPT	256

static struct {
	char name[TOP_USER_MAX];	/* "": unused */
	uint32_t uid;
} kept[KEPT];

const char *top_user_name(uint32_t uid)
{
	char *name = kept[uid % KEPT].name;
	const struct passwd *user;

	if (*name && kept[uid % KEPT].uid == uid)
		return name;
	kept[uid % KEPT].uid = uid;
	user = getpwuid(uid);
	if (user && *user->pw_name)
		text_utf8(name, TOP_USER_MAX, user->pw_name, strlen(user->pw_name));
	else
		snprintf(name, TOP_USER_MAX, "%u", uid);
	return name;
}

int top_user_find(const char *text, uint32_t *uid)
{
	const struct passwd *user = *text ? getpwnam(text) : NULL;
	unsigned long value;

	if (user) {
		*uid = user->pw_uid;
		return 0;
	}
	if (!*text || strspn(text, "0123456789") != strlen(text))
		return -1;
	errno = 0;
	value = strtoul(text, NULL, 10);
	if (errno || value >= UINT32_MAX)
		return -1;
	*uid = (uint32_t)value;
	return 0;
}
