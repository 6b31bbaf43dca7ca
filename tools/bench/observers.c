// SPDX-License-Identifier: GPL-2.0-only
#include "bench/observers.h"
#include "common/command.h"
#include "common/error.h"

int observers_check(const struct taskrt_info *info)
{
	if (!info->listeners && !info->mapped && !info->armed)
		return STATUS_OK;
	return error_fail("switching accounting off would disturb others (listeners to exits: %u; threads mapped: %u; armed: %u): end them first",
			  info->listeners, info->mapped, info->armed);
}

int observers_check_now(struct taskrt *handle)
{
	struct taskrt_info info;
	int error = taskrt_get_info(handle, &info, sizeof(info));
	char text[ERROR_MAX];

	if (error)
		return error_fail("%s", error_query_text(text, handle, error, ERROR_MODULE, 0));
	return observers_check(&info);
}
