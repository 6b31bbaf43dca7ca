// SPDX-License-Identifier: GPL-2.0-only
/* A listener that is told of exits, as far as we may be told. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "listener.h"

static void set_buffer(struct taskrt_listener *listener, size_t bytes)
{
	size_t got = 0;
	int error = taskrt_listener_set_buffer(listener, bytes, &got);

	if (error)
		error_warn("the socket's buffer stays as it is: %s", strerror(-error));
	else if (got < bytes)
		error_warn("the socket's buffer has %zu bytes, not %zu: net.core.rmem_max is the limit without CAP_NET_ADMIN",
			   got, bytes);
}

static int listen_as_permitted(struct taskrt_listener *listener, struct taskrt_listen *want)
{
	int error = taskrt_listener_register(listener, want, sizeof(*want), NULL, 0);

	if (error != -EPERM || want->own)
		return error;
	want->own = 1;
	return taskrt_listener_register(listener, want, sizeof(*want), NULL, 0);
}

int listener_begin(struct taskrt_listener **listener, struct taskrt_listen *want,
		   size_t buffer, char text[ERROR_MAX])
{
	int error = taskrt_listener_open(listener);

	if (error) {
		error_open_text(text, error);
		return error;
	}
	if (buffer)
		set_buffer(*listener, buffer);
	error = listen_as_permitted(*listener, want);
	if (!error)
		return 0;
	error_listen_text(text, *listener, error, want);
	taskrt_listener_close(*listener);
	*listener = NULL;
	return error;
}
