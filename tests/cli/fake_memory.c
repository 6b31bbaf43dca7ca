// SPDX-License-Identifier: GPL-2.0-only
/* A json-c that has no memory for the text, where $FAKE is no-memory. */
#include <dlfcn.h>
#include <stddef.h>
#include <json-c/json.h>

#include "fake.h"

const char *json_object_to_json_string_ext(struct json_object *object, int flags)
{
	const char *(*real)(struct json_object *object, int flags) =
		dlsym(RTLD_NEXT, "json_object_to_json_string_ext");

	return fake("no-memory") ? NULL : real(object, flags);
}
