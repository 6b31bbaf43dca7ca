// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer: the socket of a listener, on which notifications, replies and anything else
 * arrive in any order.  The input is a list of steps, a byte that says which and a chunk.
 */
#include <errno.h>

#include "fake_kernel.h"
#include "input.h"
#include "taskrt.h"

#define LONGEST	16000	/* as the fake kernel has room for */

/* What the listener's next request is answered with, besides a verdict. */
static struct input reply;
static int refusal;

static void answer(struct nlmsghdr *request)
{
	struct genlmsghdr *genl = nlmsg_data(request);

	if (reply.left)
		fake_send(input_payload(fake_message(genl->cmd, 0), reply));
	fake_verdict(request, refusal, refusal ? "refused" : NULL, true);
}

static int nothing_comes(void)
{
	return 0;
}

/* A datagram whose headers are as wrong as the rest. */
static void disturb(struct input chunk)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_EXIT, 0);
	size_t length = chunk.left < sizeof(struct nlmsghdr) ? chunk.left : sizeof(struct nlmsghdr);
	uint32_t whole;

	input_payload(message, chunk);
	whole = nlmsg_hdr(message)->nlmsg_len;
	memcpy(nlmsg_hdr(message), chunk.at, length);
	fake_datagram(nlmsg_hdr(message), whole);
	nlmsg_free(message);
}

static void read_exits(struct taskrt_exits *exits)
{
	struct taskrt_exit exit;
	int limit = 1000;

	while (limit-- && taskrt_exits_next(exits, 0, &exit, sizeof(exit)) == 1)
		if (exit.type > TASKRT_EXIT_LOST)
			abort();
}

static void read_status(struct taskrt_exits *exits)
{
	struct taskrt_registration registration;
	struct taskrt_exits_status status;

	if (taskrt_exits_get_status(exits, &status, sizeof(status)))
		return;
	if (taskrt_exits_registration(exits, &registration, sizeof(registration)) !=
	    (status.registered ? 0 : -ENOENT))
		abort();
	if (status.registered && strlen(registration.cpus) > LONGEST)
		abort();
}

/* CPUs as text, and what the module says that it has understood, into little room. */
static void register_cpus(struct taskrt_exits *exits, struct input *input)
{
	char *cpus = input_text(input_chunk(input)), *accepted = malloc(20);
	int err;

	reply = input_chunk(input);
	err = input->left & 1 ? taskrt_exits_register(exits, cpus, NULL, 0, accepted, 20) :
				taskrt_exits_deregister(exits, cpus, accepted, 20);
	if (!err && strlen(accepted) >= 20)
		abort();
	free(accepted);
	free(cpus);
}

static void step(struct taskrt_exits *exits, struct input *input)
{
	uint8_t what = input_byte(input);

	refusal = what & 0x80 ? -EINVAL : 0;
	switch (what % 5) {
	case 0:
		fake_notify(input_payload(fake_message(TASKRT_CMD_EXIT, 0), input_chunk(input)));
		break;
	case 1:
		disturb(input_chunk(input));
		break;
	case 2:
		reply = input_chunk(input);
		read_status(exits);
		break;
	case 3:
		register_cpus(exits, input);
		break;
	case 4:
		read_exits(exits);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct input input = { data, length };
	struct taskrt_exits *exits;

	if (length > LONGEST)
		return 0;
	fake_reset(answer);
	fake.wait = nothing_comes;
	if (taskrt_exits_open(&exits))
		abort();
	while (input.left)
		step(exits, &input);
	read_exits(exits);
	taskrt_exits_close(exits);
	fake_reset(NULL);
	return 0;
}
