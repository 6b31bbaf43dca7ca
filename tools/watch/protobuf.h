/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages in the wire format of protocol buffers: fields one after the other,
 * each with its number and its kind before it.
 */
#ifndef TOOLS_WATCH_PROTOBUF_H
#define TOOLS_WATCH_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* All zero: empty. */
struct protobuf {
	unsigned char *bytes;
	size_t used, size;
};

/* Fields of every integer type but sint and fixed, of bool and of enum. */
void protobuf_number(struct protobuf *to, uint32_t field, uint64_t value);

/* A string, made fit to print. */
void protobuf_text(struct protobuf *to, uint32_t field, const char *text);

/* A message in the message: what is written between these is its.  They nest. */
size_t protobuf_begin(struct protobuf *to, uint32_t field);
void protobuf_end(struct protobuf *to, size_t begin);

/* Empty again, the memory is kept; and given back. */
void protobuf_clear(struct protobuf *buffer);
void protobuf_free(struct protobuf *buffer);

#endif
