// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * deadline: a thread has 10 ms for its work in each cycle, and explains why it was
 * late.  Another thread prints the explanations.  In C++.
 *
 *	c++ -o deadline deadline.cpp $(pkg-config --cflags --libs libtaskrt) -pthread
 */
#include <chrono>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include <taskrt.h>

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr nanoseconds period = 10ms;

/* The counters of the thread that constructs the object. */
class Self {
public:
	Self()
	{
		taskrt_self *opened = nullptr;
		const int err = taskrt_self_open(&opened, 0);

		if (err)
			throw std::system_error(-err, std::generic_category(),
						"cannot open the counters");
		self.reset(opened);
	}

	taskrt_self *get() const { return self.get(); }

private:
	struct Close {
		void operator()(taskrt_self *opened) const { taskrt_self_close(opened); }
	};

	std::unique_ptr<taskrt_self, Close> self;
};

/* The durations of all rounds, and the explanations of the first late ones. */
struct Record {
	Record()
	{
		taskrt_series_init(&series, nanoseconds(period).count(),
				   nanoseconds(period).count());
		misses.reserve(64);
	}

	taskrt_series series;
	std::vector<taskrt_explanation> misses;
};

/* Measures the scope that contains the object, and explains it if it was late. */
class Deadline {
public:
	Deadline(const Self &self, Record &kept) : record(kept)
	{
		taskrt_window_begin(&window, self.get());
	}

	~Deadline()
	{
		taskrt_window_end(&window);
		taskrt_series_add(&record.series, &window);
		if (nanoseconds(window.elapsed_ns) > period &&
		    record.misses.size() < record.misses.capacity()) {
			taskrt_window_explain(&window, &explanation, sizeof(explanation));
			record.misses.push_back(explanation);
		}
	}

	Deadline(const Deadline &) = delete;
	Deadline &operator=(const Deadline &) = delete;

private:
	taskrt_window window;
	taskrt_explanation explanation;
	Record &record;
};

void work(int round)
{
	if (round % 100 == 99)
		std::this_thread::sleep_for(15ms);
}

void run(std::unique_ptr<Self> &self, Record &record)
{
	auto next = steady_clock::now();

	self = std::make_unique<Self>();
	for (int round = 0; round < 300; round++) {
		std::this_thread::sleep_until(next += period);
		const Deadline deadline(*self, record);
		work(round);
	}
}

void say(const taskrt_explanation &why)
{
	char line[1100];

	taskrt_explanation_format(&why, sizeof(why), nanoseconds(period).count(), line,
				  sizeof(line));
	std::cout << line << '\n';
}

void sum_up(const taskrt_series &series)
{
	taskrt_jitter jitter;

	taskrt_series_jitter(&series, &jitter, sizeof(jitter));
	std::cout << taskrt_series_count(&series) << " rounds, " << taskrt_series_misses(&series)
		  << " late; half of them took less than "
		  << taskrt_series_percentile(&series, 50) / 1e6 << " ms, the longest "
		  << taskrt_series_max(&series) / 1e6 << " ms; begun up to "
		  << jitter.max_ns / 1e6 << " ms late\n";
}

} /* namespace */

int main()
{
	std::unique_ptr<Self> self;
	Record record;

	try {
		std::async(std::launch::async, run, std::ref(self), std::ref(record)).get();
	} catch (const std::exception &error) {
		std::cerr << "deadline: " << error.what() << '\n';
		return 1;
	}
	for (const auto &miss : record.misses)
		say(miss);
	sum_up(record.series);
	return 0;
}
