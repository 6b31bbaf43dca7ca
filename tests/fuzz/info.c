// SPDX-License-Identifier: GPL-2.0-only
/* libFuzzer: the payload of an answer to INFO. */
#include <errno.h>

#include "fake_kernel.h"
#include "input.h"
#include "taskrt.h"

#define LONGEST	16000	/* as the fake kernel has room for */

static struct input payload;

static void answer(struct nlmsghdr *request)
{
	fake_send(input_payload(fake_message(TASKRT_CMD_INFO, 0), payload));
	fake_verdict(request, 0, NULL, true);
}

#define CHECK_TEXT(text)	do {					\
		if (strnlen(text, sizeof(text)) == sizeof(text))	\
			abort();					\
	} while (0)

static void check_items(const struct taskrt *handle, const struct taskrt_info *info)
{
	struct taskrt_hook hook;
	struct taskrt_name name;
	uint32_t i;

	CHECK_TEXT(info->module_version);
	for (i = 0; i < info->nr_hooks; i++) {
		if (taskrt_info_hook(handle, i, &hook, sizeof(hook)))
			abort();
		CHECK_TEXT(hook.name);
		CHECK_TEXT(hook.kind);
	}
	for (i = 0; i < info->nr_names; i++) {
		if (taskrt_info_name(handle, i, &name, sizeof(name)) || !name.name[0])
			abort();
		CHECK_TEXT(name.name);
	}
	if (taskrt_info_hook(handle, info->nr_hooks, &hook, sizeof(hook)) != -ENOENT ||
	    taskrt_info_name(handle, info->nr_names, &name, sizeof(name)) != -ENOENT)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct taskrt_info info;
	struct taskrt *handle;
	int err;

	if (length > LONGEST)
		return 0;
	payload = (struct input){ data, length };
	fake_reset(answer);
	if (taskrt_open(&handle))
		abort();
	err = taskrt_get_info(handle, &info, sizeof(info));
	if (!err)
		check_items(handle, &info);
	else if (err != -EBADMSG)
		abort();
	taskrt_close(handle);
	fake_reset(NULL);
	return 0;
}
