// SPDX-License-Identifier: GPL-2.0-only
/* The names of users.  A look-up may ask a server, so each name is looked up once. */
#include <errno.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "top/round.h"

struct kept {
	uint32_t uid;
	char name[TOP_USER_MAX];
};

static void *all_kept;

static int by_uid(const void *one, const void *other)
{
	const struct kept *a = one, *b = other;

	return a->uid < b->uid ? -1 : a->uid > b->uid;
}

const char *top_user_name(uint32_t uid)
{
	const struct kept wanted = { .uid = uid };
	struct kept *user, **place = tfind(&wanted, &all_kept, by_uid);
	const struct passwd *known;

	if (place)
		return (*place)->name;
	user = memory_new(1, sizeof(*user));
	user->uid = uid;
	known = getpwuid(uid);
	if (known && *known->pw_name)
		text_utf8(user->name, TOP_USER_MAX, known->pw_name, strlen(known->pw_name));
	else
		snprintf(user->name, TOP_USER_MAX, "%u", uid);
	if (!tsearch(user, &all_kept, by_uid))
		error_no_memory();
	return user->name;
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
