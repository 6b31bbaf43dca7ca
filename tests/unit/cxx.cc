// SPDX-License-Identifier: GPL-2.0-only
// The header from C++: it compiles without a warning and links with C names.
#include <taskrt.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

static int keep(const taskrt_stats *stats, void *arg)
{
	static_cast<std::vector<taskrt_stats> *>(arg)->push_back(*stats);
	return 0;
}

// What stands on a thread's own counters, on caller-owned storage.
static int about_itself()
{
	static taskrt_series series;
	static taskrt_look look{};
	static struct taskrt_history history{};	/* there is a function of that name */
	taskrt_self *self = nullptr;
	taskrt_window window{};
	taskrt_stage stage{};
	taskrt_explanation explanation{};
	taskrt_jitter jitter{};
	char line[600];

	taskrt_stage_init(&stage, "mix");
	taskrt_series_init(&series, 10000000, 10000000);
	taskrt_stage_line(&stage, line, sizeof line);
	int ok = !std::strncmp(line, "mix: wall 0.000 ms", 18) &&
		 !std::strcmp(taskrt_cause_name(TASKRT_CAUSE_FAULT), "page fault");

	/* without the module there is nothing to ask */
	if (!taskrt_self_open(&self, 0)) {
		ok = ok && taskrt_stage_begin(&stage, self) >= 0 &&
		     taskrt_window_begin(&window, self) >= 0 &&
		     taskrt_window_end(&window) >= 0 && taskrt_stage_end(&stage) >= 0 &&
		     !taskrt_explain(&window, &explanation) &&
		     taskrt_explain_line(&explanation, 0, line, sizeof line) > 0 &&
		     !taskrt_series_add(&series, &window);
		if (taskrt_self_mapped(self))
			ok = ok && taskrt_history(self, &look, &history) >= 0;
	} else {
		ok = ok && !self;
	}
	taskrt_series_jitter(&series, &jitter);
	ok = ok && !jitter.count &&
	     taskrt_series_percentile(&series, 99.9) == taskrt_series_max(&series);
	taskrt_self_close(self);
	return ok;
}

static int about_others()
{
	const taskrt_alert *alert = nullptr;
	taskrt_alerts *alerts = nullptr;
	taskrt_arm_options options{};

	options.depth = TASKRT_DEPTH_MIN;
	int ok = taskrt_arm(nullptr, 0, &options, sizeof options) == -EINVAL &&
		 !std::strcmp(taskrt_reason_name(TASKRT_REASON_OVER), "over");
	if (!taskrt_alerts_open(&alerts))
		ok = ok && taskrt_alerts_next(alerts, 0, &alert) >= 0;
	taskrt_alerts_close(alerts);
	return ok;
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
	ok = about_itself() && ok;
	ok = about_others() && ok;
	std::printf("1..1\n%s 1 - C++ %s\n", ok ? "ok" : "not ok", taskrt_version());
	return !ok;
}
