// SPDX-License-Identifier: GPL-2.0-only
#include "clock.h"
#include "state.h"
#include "tap.h"
#include "window.h"

void state_await(struct taskrt *handle, pid_t tid, unsigned int state,
		 struct taskrt_reading *reading)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;

	for (;;) {
		window_thread(handle, tid, reading);
		if (reading->stats.state == state)
			return;
		if (clock_now() > end)
			tap_bail("thread %d never came to state %s, but is in %s", tid,
				 taskrt_state_name(state), taskrt_state_name(reading->stats.state));
		clock_sleep(MS);
	}
}

int state_has_stayed(const struct taskrt_reading *first, const struct taskrt_reading *second,
		     unsigned int state)
{
	return second->times.states_ns[state] - first->times.states_ns[state] ==
	       second->stats.sample_time_ns - first->stats.sample_time_ns;
}

void state_await_for(struct taskrt *handle, pid_t tid, unsigned int state, uint64_t ns)
{
	const uint64_t end = clock_now() + CLOCK_PATIENCE;
	struct taskrt_reading first, second;

	do {
		if (clock_now() > end)
			tap_bail("thread %d does not stay in state %s", tid,
				 taskrt_state_name(state));
		state_await(handle, tid, state, &first);
		clock_sleep(ns);
		window_thread(handle, tid, &second);
	} while (!state_has_stayed(&first, &second, state));
}

void state_await_end(struct taskrt *handle, pid_t tid)
{
	struct taskrt_reading reading;

	state_await(handle, tid, TASKRT_STATE_EXITED, &reading);
}
