// SPDX-License-Identifier: GPL-2.0-only
/* Names that others chose, made fit to print. */
#include <string.h>

#include "text.h"

/*
 * Bytes of the printable character that begins here; 0: there is none.
 * Well-formed sequences are those of Unicode's table 3-7; U+0080 to U+009F
 * are control characters too.
 */
static size_t printable(const unsigned char *s, size_t length)
{
	size_t need, i;

	if (s[0] >= 0x20 && s[0] < 0x7f)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	need = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (length < need)
		return 0;
	for (i = 1; i < need; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xe0 && s[1] < 0xa0) ||
	    (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return need;
}

const char *text_safe(char *safe, size_t size, const char *name, size_t length)
{
	size_t in = 0, out = 0;

	length = strnlen(name, length);
	while (in < length) {
		size_t bytes = printable((const unsigned char *)name + in, length - in);

		if (out + (bytes ? bytes : 1) >= size)
			break;
		if (!bytes) {
			safe[out++] = '?';
			in++;
			continue;
		}
		memcpy(safe + out, name + in, bytes);
		out += bytes;
		in += bytes;
	}
	safe[out] = '\0';
	return safe;
}
