// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module is not inserted with parameters that make no sense, and can be inserted
 * afterwards.  A request that needs a hook that was left out is refused, and the reason
 * names the hook.  The table of threads is as large as max_threads makes it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "module.h"
#include "raw.h"
#include "tap.h"
#include "window.h"

static void refused(const char *parameters, const char *name)
{
	tap_errno(module_insert(MODULE_TASKRT, parameters), EINVAL, "refused: %s", name);
	tap_ok(!module_loaded(MODULE_TASKRT), "and it is not there: %s", name);
}

static void asked(struct raw *raw, struct raw_message *message, int error, const char *hook,
		  const char *name)
{
	struct raw_answer answer;

	raw_ask(raw, message, &answer, NULL, NULL);
	tap_errno(answer.answered ? answer.error : EPROTO, error, "%s", name);
	if (error && !tap_ok(!!strstr(answer.text, hook), "%s: the reason names the hook", name))
		tap_diag("%s", answer.text);
}

static struct raw_message *registration(struct raw *raw, int own)
{
	static struct raw_message message;
	size_t nest;

	raw_begin(raw, &message, TASKRT_CMD_REGISTER, NLM_F_ACK);
	raw_put(&message, TASKRT_A_CPUMASK, "all", 4);
	raw_put_u32(&message, TASKRT_A_ENTITIES, TASKRT_ENTITIES_THREADS);
	nest = raw_nest(&message, TASKRT_A_FILTER);
	if (own)
		raw_put(&message, TASKRT_FILTER_A_OWN, NULL, 0);
	raw_nest_end(&message, nest);
	return &message;
}

static void ask_children(struct raw *raw)
{
	struct raw_message message;

	raw_begin(raw, &message, TASKRT_CMD_GET, NLM_F_ACK);
	raw_put_u32(&message, TASKRT_A_TGID, getpid());
	raw_put(&message, TASKRT_A_CHILDREN, NULL, 0);
	asked(raw, &message, EOPNOTSUPP, "release_task", "children");
}

static void begin(struct raw *raw, const char *parameters)
{
	module_again(parameters);
	if (raw_open(raw))
		tap_bail("no family");
}

static void left_out(void)
{
	struct raw raw;

	begin(&raw, "without=release_task,exit_signals");
	ask_children(&raw);
	asked(&raw, registration(&raw, 1), EOPNOTSUPP, "exit_signals", "exits of the own user");
	asked(&raw, registration(&raw, 0), 0, "", "exits of all, which need neither");
	raw_close(&raw);
	begin(&raw, "without=sched_process_exit");
	asked(&raw, registration(&raw, 0), EOPNOTSUPP, "sched_process_exit", "exits");
	raw_close(&raw);
}

/* What the module has allocated, less the records of the threads and processes there are. */
static uint64_t fixed_memory(const char *parameters)
{
	struct taskrt_info info;
	struct taskrt *handle;

	module_again(parameters);
	handle = window_open();
	window_info(handle, &info);
	taskrt_close(handle);
	return info.memory_bytes - info.threads * info.record_size -
	       info.processes * info.process_size;
}

/*
 * Both are more than the least size, and fewer than there is memory for their stacks.  The
 * records in stock are part of it, and few more or fewer of these each time.
 */
static void sized(void)
{
	uint64_t least = fixed_memory("max_threads=2048"), more = fixed_memory("max_threads=32768");

	tap_at_least(more, least + 8 * (32768 - 2048),
		     "more threads: at least 8 bytes of memory for each");
}

int main(void)
{
	struct window window;
	struct taskrt *handle;

	if (module_remove(MODULE_TASKRT))
		tap_bail("the module cannot be removed");
	refused("max_threads=0", "no thread at all");
	refused("without=no_such_hook", "without a hook that there is not");
	refused("without=sched_process_free", "without a hook that is needed");
	refused("without=sched_switch,sched_process_free", "the second of two is needed");
	refused("without=,", "without a hook that has no name");
	refused("without=contention", "a part of a hook's name");
	tap_errno(module_insert(MODULE_TASKRT, "without="), 0, "inserted");
	left_out();
	sized();
	module_again("");
	handle = window_open();
	window_thread(handle, 0, &window.after);
	tap_ok(window_adds_up(&window.after), "and it counts");
	taskrt_close(handle);
	return tap_done();
}
