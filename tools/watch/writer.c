// SPDX-License-Identifier: GPL-2.0-only
/* Where alerts go: stories or JSON on standard output, a trace; and their counts. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/error.h"
#include "common/json.h"
#include "watch/json_alert.h"
#include "watch/timeline.h"
#include "watch/writer.h"

static const char standard_output[] = "standard output";

static int blame(struct outlet *outlet, const char *name, int error)
{
	if (error)
		outlet->blame = name;
	return error;
}

static int trace_on_stdout(const struct outlet *outlet)
{
	return outlet->trace_name && !strcmp(outlet->trace_name, "-");
}

int outlet_prints(const struct outlet *outlet)
{
	return outlet->form != OUTLET_SILENT || trace_on_stdout(outlet);
}

static int blame_trace(struct outlet *outlet, int error)
{
	return blame(outlet, trace_on_stdout(outlet) ? standard_output : outlet->trace_name,
		     error);
}

int outlet_begin(struct outlet *outlet)
{
	if (!outlet->trace_name)
		return 0;
	return blame_trace(outlet, perfetto_create(&outlet->trace, outlet->trace_name));
}

/* Each is seen at once.  Whatever failed last was the write: stdio does not keep its reason. */
static int print(struct outlet *outlet, const struct record *record)
{
	errno = 0;
	if (outlet->form == OUTLET_STORIES)
		timeline_print(stdout, record, outlet->window_ns);
	else
		json_print(stdout, json_alert(record, outlet->window_ns), JSON_ON_A_LINE);
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	return blame(outlet, standard_output, errno ? -errno : -EIO);
}

int outlet_take(struct outlet *outlet, const struct record *record)
{
	int error = 0;

	outlet->told++;
	if (outlet->trace)
		error = blame_trace(outlet, perfetto_take(outlet->trace, record,
							  outlet->window_ns));
	if (error || outlet->form == OUTLET_SILENT)
		return error;
	return print(outlet, record);
}

int outlet_end(struct outlet *outlet, int error, int status)
{
	int closed = blame_trace(outlet, perfetto_close(outlet->trace));

	outlet->trace = NULL;
	if (!error)
		error = closed;
	if (error == -EPIPE)
		return status;
	error_warn("alerts: %" PRIu64 " told, %" PRIu64 " lost", outlet->told, outlet->missed);
	if (!error)
		return status;
	return error_fail("cannot write to %s: %s", outlet->blame, strerror(-error));
}
