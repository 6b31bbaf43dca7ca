/* SPDX-License-Identifier: GPL-2.0-only */
/* The input of a fuzzer, taken apart from its beginning. */
#ifndef TASKRT_FUZZ_INPUT_H
#define TASKRT_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <netlink/msg.h>

struct input {
	const uint8_t *at;
	size_t left;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static inline uint8_t input_byte(struct input *input)
{
	if (!input->left)
		return 0;
	input->left--;
	return *input->at++;
}

/* Its length, in two bytes, and then so many, as far as they are there. */
static inline struct input input_chunk(struct input *input)
{
	size_t length = input_byte(input);
	struct input chunk;

	length |= (size_t)input_byte(input) << 8;
	chunk.at = input->at;
	chunk.left = length < input->left ? length : input->left;
	input->at += chunk.left;
	input->left -= chunk.left;
	return chunk;
}

/* In memory of just that size.  The caller frees it. */
static inline char *input_text(struct input chunk)
{
	char *text = malloc(chunk.left + 1);

	memcpy(text, chunk.at, chunk.left);
	text[chunk.left] = '\0';
	return text;
}

/* What follows the headers of a message. */
static inline struct nl_msg *input_payload(struct nl_msg *message, struct input chunk)
{
	if (chunk.left && nlmsg_append(message, (void *)chunk.at, chunk.left, 0))
		abort();
	return message;
}

#endif /* TASKRT_FUZZ_INPUT_H */
