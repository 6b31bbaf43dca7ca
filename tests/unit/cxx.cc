// SPDX-License-Identifier: GPL-2.0-only
// The header from C++: it compiles without a warning and links with C names.
#include <taskrt.h>

#include <cstdio>
#include <cstring>
#include <vector>

static int keep(const taskrt_stats *stats, void *arg)
{
	static_cast<std::vector<taskrt_stats> *>(arg)->push_back(*stats);
	return 0;
}

int main()
{
	std::vector<taskrt_stats> all;
	taskrt_stats stats{}, delta{};
	taskrt_info info{};
	taskrt *handle = nullptr;

	stats.version = 1;
	stats.size = TASKRT_STATS_SIZE_V1;
	stats.valid = TASKRT_VALID_CPU_TIME;
	int ok = !taskrt_decode(&stats, sizeof stats, &delta, sizeof delta) &&
		 taskrt_has(&delta, TASKRT_VALID_CPU_TIME) &&
		 !taskrt_delta(&stats, &delta, &delta) &&
		 !std::strcmp(taskrt_lock_name(TASKRT_LOCK_OTHER), "other") &&
		 !std::strcmp(taskrt_state_name(TASKRT_STATE_EXITED), "exited");

	/* without the module: an error, and no handle */
	if (!taskrt_open(&handle)) {
		ok = ok && !taskrt_get_self(handle, &stats, sizeof stats) &&
		     !taskrt_each_thread(handle, 0, keep, &all) && all.size() == 1 &&
		     !taskrt_get_info(handle, &info, sizeof info);
	} else {
		ok = ok && !handle;
	}
	taskrt_close(handle);
	std::printf("1..1\n%s 1 - C++ %s\n", ok ? "ok" : "not ok", taskrt_version());
	return !ok;
}
