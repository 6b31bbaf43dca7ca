// SPDX-License-Identifier: GPL-2.0-only
// The header from C++: it compiles without a warning and links with C names.
#include <taskrt.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

static int keep(const taskrt_reading *reading, void *arg)
{
	static_cast<std::vector<taskrt_reading> *>(arg)->push_back(*reading);
	return 0;
}

static int about_its_histogram(taskrt_self *self)
{
	taskrt_histogram *histogram = nullptr;
	taskrt_histogram_span span{};
	taskrt_distribution distribution{};
	int ok = !taskrt_histogram_open(&histogram, self) &&
		 taskrt_histogram_read(histogram, &span, sizeof span) >= 0 &&
		 taskrt_histogram_state(histogram, TASKRT_STATE_RUNNING, &distribution,
					sizeof distribution) >= 0 &&
		 taskrt_histogram_timer(histogram, TASKRT_TIMER_FAULT, &distribution,
					sizeof distribution) <= 0;

	taskrt_histogram_close(histogram);
	return ok;
}

// All that is built on a thread's own counters, in the caller's memory.
static int about_itself()
{
	static taskrt_series series;
	taskrt_self *self = nullptr;
	taskrt_window window{};
	taskrt_stage stage{};
	taskrt_explanation explanation{};
	taskrt_snapshot now{};
	taskrt_reading reading{};
	taskrt_measured measured{};
	taskrt_jitter jitter{};
	char line[600];

	taskrt_stage_init(&stage, "mix");
	taskrt_series_init(&series, 10000000, 10000000);
	taskrt_stage_format(&stage, line, sizeof line);
	int ok = !std::strncmp(line, "mix: wall 0.000 ms", 18) &&
		 !std::strcmp(taskrt_cause_name(TASKRT_CAUSE_FAULT), "page fault");

	/* without the module there is nothing to ask */
	if (!taskrt_self_open(&self, 0)) {
		ok = ok && taskrt_stage_begin(&stage, self) >= 0 &&
		     taskrt_window_begin(&window, self) >= 0 &&
		     taskrt_window_end(&window) >= 0 && taskrt_stage_end(&stage) >= 0 &&
		     !taskrt_window_explain(&window, &explanation, sizeof explanation) &&
		     taskrt_explanation_format(&explanation, sizeof explanation, 0, line,
					       sizeof line) > 0 &&
		     !taskrt_series_add(&series, &window) && !taskrt_self_read(self, &now) &&
		     !taskrt_self_get(self, TASKRT_GROUP_TIMES, &reading, sizeof reading) &&
		     !taskrt_self_measured(self, &measured, sizeof measured) &&
		     taskrt_measures(measured.states, TASKRT_STATE_RUNNING);
		if (taskrt_self_mapped(self))
			ok = ok && about_its_histogram(self);
	} else {
		ok = ok && !self;
	}
	taskrt_series_jitter(&series, &jitter, sizeof jitter);
	ok = ok && !jitter.count &&
	     taskrt_series_percentile(&series, 99.9) == taskrt_series_max(&series);
	taskrt_self_close(self);
	return ok;
}

static int about_others()
{
	taskrt_alert alert{};
	taskrt_alert_event event{};
	taskrt_alerts *alerts = nullptr;
	taskrt_recorder_options options{};

	options.depth = TASKRT_DEPTH_MIN;
	int ok = taskrt_recorder_arm(nullptr, 0, &options, sizeof options) == -EINVAL &&
		 taskrt_alerts_event(nullptr, 0, &event, sizeof event) == -EINVAL &&
		 !std::strcmp(taskrt_reason_name(TASKRT_REASON_OVER), "over");
	if (!taskrt_alerts_open(&alerts))
		ok = ok && taskrt_alerts_next(alerts, 0, &alert, sizeof alert) >= 0;
	taskrt_alerts_close(alerts);
	return ok;
}

static int about_exits()
{
	taskrt_exits *exits = nullptr;
	taskrt_exits_status status{};
	taskrt_registration registration{};
	taskrt_exit exit{};
	taskrt_query query{};
	int ok = 1;

	query.own_only = 1;
	query.groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS;
	if (!taskrt_exits_open(&exits))
		ok = !taskrt_exits_register(exits, "all", &query, sizeof query, nullptr, 0) &&
		     !taskrt_exits_get_status(exits, &status, sizeof status) &&
		     status.registered &&
		     !taskrt_exits_registration(exits, &registration, sizeof registration) &&
		     taskrt_exits_next(exits, 0, &exit, sizeof exit) >= 0;
	taskrt_exits_close(exits);
	return ok;
}

int main()
{
	std::vector<taskrt_reading> all;
	taskrt_reading reading{}, diff{};
	taskrt_stats stats{};
	taskrt_query query{};
	taskrt_info info{};
	taskrt *handle = nullptr;

	stats.version = 1;
	stats.size = TASKRT_STATS_SIZE_V1;
	stats.valid = TASKRT_VALID_CPU_TIME;
	int ok = !taskrt_decode(&stats, sizeof stats, &reading.stats, sizeof reading.stats_room) &&
		 taskrt_has(&reading.stats, TASKRT_VALID_CPU_TIME) &&
		 !taskrt_diff(&reading, &reading, &diff, sizeof diff) &&
		 !std::strcmp(taskrt_lock_name(TASKRT_LOCK_OTHER), "other") &&
		 !std::strcmp(taskrt_timer_name(TASKRT_TIMER_LOCK), "lock") &&
		 !std::strcmp(taskrt_value_name(TASKRT_VALUE_WAKEUPS), "wakeups") &&
		 !std::strcmp(taskrt_state_name(TASKRT_STATE_EXITED), "exited");

	/* without the module: an error, and no handle */
	if (!taskrt_open(&handle)) {
		ok = ok && !taskrt_get(handle, TASKRT_ENTITY_PROCESS, 0, TASKRT_GROUP_TIMES,
				       &reading, sizeof reading);
		query.tgid = static_cast<pid_t>(reading.stats.tgid);
		ok = ok && !taskrt_each(handle, &query, sizeof query, sizeof reading, keep, &all) &&
		     all.size() == 1 && !taskrt_get_info(handle, &info, sizeof info);
	} else {
		ok = ok && !handle;
	}
	taskrt_close(handle);
	ok = about_itself() && ok;
	ok = about_others() && ok;
	ok = about_exits() && ok;
	std::printf("1..1\n%s 1 - C++ %s\n", ok ? "ok" : "not ok", taskrt_version());
	return !ok;
}
