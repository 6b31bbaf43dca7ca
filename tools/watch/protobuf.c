// SPDX-License-Identifier: GPL-2.0-only
/* Messages in the wire format of protocol buffers. */
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "watch/packet.h"

enum wire_type { VARINT = 0, LENGTH_DELIMITED = 2 };

#define VARINT_MAX	10	/* bytes of 64 bits, seven in each */
#define LENGTH_BYTES	4	/* a message has less than 256 MiB */
#define TEXT_MAX	1024

static void make_room(struct protobuf *to, size_t bytes)
{
	if (to->size - to->used >= bytes)
		return;
	to->size = 2 * to->size + bytes + 4096;
	to->bytes = memory_resize(to->bytes, to->size, 1);
}

static void put_varint(struct protobuf *to, uint64_t value)
{
	make_room(to, VARINT_MAX);
	for (; value >= 0x80; value >>= 7)
		to->bytes[to->used++] = (unsigned char)(value | 0x80);
	to->bytes[to->used++] = (unsigned char)value;
}

static void put_tag(struct protobuf *to, uint32_t field, enum wire_type type)
{
	put_varint(to, (uint64_t)field << 3 | type);
}

void protobuf_number(struct protobuf *to, uint32_t field, uint64_t value)
{
	put_tag(to, field, VARINT);
	put_varint(to, value);
}

void protobuf_text(struct protobuf *to, uint32_t field, const char *text)
{
	char safe[TEXT_MAX];
	size_t bytes;

	text_utf8(safe, sizeof(safe), text, strlen(text));
	bytes = strlen(safe);
	put_tag(to, field, LENGTH_DELIMITED);
	put_varint(to, bytes);
	make_room(to, bytes);
	memcpy(to->bytes + to->used, safe, bytes);
	to->used += bytes;
}

size_t protobuf_begin(struct protobuf *to, uint32_t field)
{
	put_tag(to, field, LENGTH_DELIMITED);
	make_room(to, LENGTH_BYTES);
	to->used += LENGTH_BYTES;
	return to->used;
}

/*
 * The length precedes the message, and is known only at its end.  So it always takes LENGTH_BYTES
 * bytes: a varint may end in redundant zeros.
 */
void protobuf_end(struct protobuf *to, size_t begin)
{
	size_t length = to->used - begin;
	unsigned int i;

	for (i = 0; i < LENGTH_BYTES; i++, length >>= 7)
		to->bytes[begin - LENGTH_BYTES + i] =
			(unsigned char)((length & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0));
}

void protobuf_clear(struct protobuf *buffer)
{
	buffer->used = 0;
}

void protobuf_free(struct protobuf *buffer)
{
	free(buffer->bytes);
	*buffer = (struct protobuf){ 0 };
}
