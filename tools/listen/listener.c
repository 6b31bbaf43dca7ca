// SPDX-License-Identifier: GPL-2.0-only
/* A listener to exits, of all tasks or of those that the user may read. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "listen/listener.h"

static void set_buffer(struct taskrt_exits *exits, size_t bytes)
{
	size_t got = 0;
	int error = taskrt_exits_set_buffer(exits, bytes, &got);

	if (error)
		error_warn("the socket's buffer stays as it is: %s", strerror(-error));
	else if (got < bytes)
		error_warn("the socket's buffer has %zu bytes, not %zu: net.core.rmem_max is the limit without CAP_NET_ADMIN",
			   got, bytes);
}

static int listen_as_permitted(struct taskrt_exits *exits, const char *cpus,
			       struct taskrt_query *want)
{
	int error = taskrt_exits_register(exits, cpus, want, sizeof(*want), NULL, 0);

	if (error != -EPERM || want->own_only)
		return error;
	want->own_only = 1;
	return taskrt_exits_register(exits, cpus, want, sizeof(*want), NULL, 0);
}

int listener_begin(struct taskrt_exits **exits, const char *cpus, struct taskrt_query *want,
		   size_t buffer, char text[ERROR_MAX])
{
	int error = taskrt_exits_open(exits);

	if (error) {
		error_open_text(text, error);
		return error;
	}
	if (buffer)
		set_buffer(*exits, buffer);
	error = listen_as_permitted(*exits, cpus, want);
	if (!error)
		return 0;
	error_listen_text(text, *exits, error, cpus, want);
	taskrt_exits_close(*exits);
	*exits = NULL;
	return error;
}
