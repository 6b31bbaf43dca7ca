// SPDX-License-Identifier: GPL-2.0-only
/* Text from other programs is made safe to print. */
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <string.h>
#include <wchar.h>

#include "common/text.h"

/* Other terminals may interpret bytes of a character as commands: 0x9b is ESC [ to many. */
static int terminal_has_utf8;

void text_begin(void)
{
	setlocale(LC_CTYPE, "");
	terminal_has_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* Characters that change the direction of writing, or separate lines and paragraphs. */
static int is_format(const unsigned char *s)
{
	if (s[0] == 0xd8)
		return s[1] == 0x9c;			/* U+061C */
	if (s[0] != 0xe2)
		return 0;
	return (s[1] == 0x80 && (s[2] == 0x8e || s[2] == 0x8f)) ||	/* U+200E, U+200F */
	       (s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||	/* U+2028 to U+202E */
	       (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);		/* U+2066 to U+2069 */
}

/*
 * Unicode's table 3-7 lists the well-formed sequences; U+0080 to U+009F are control characters too.
 */
size_t text_printable(const char *text, size_t length)
{
	const unsigned char *s = (const unsigned char *)text;
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
	    (s[0] == 0xf4 && s[1] > 0x8f) || is_format(s))
		return 0;
	return need;
}

static const char *copy(char *safe, size_t size, const char *name, size_t length, size_t widest)
{
	size_t in = 0, out = 0;

	length = strnlen(name, length);
	while (in < length) {
		size_t bytes = text_printable(name + in, length - in);

		if (bytes > widest)
			bytes = 0;
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

const char *text_utf8(char *safe, size_t size, const char *name, size_t length)
{
	return copy(safe, size, name, length, 4);
}

const char *text_safe(char *safe, size_t size, const char *name, size_t length)
{
	return copy(safe, size, name, length, terminal_has_utf8 ? 4 : 1);
}

int text_padding(const char *safe, int columns)
{
	const char *end = safe + strlen(safe);
	mbstate_t state = { 0 };

	while (safe < end && columns > 0) {
		wchar_t character;
		size_t bytes = mbrtowc(&character, safe, (size_t)(end - safe), &state);
		int width = 1;

		/* A character that the locale does not know counts as one column. */
		if (bytes > (size_t)(end - safe)) {
			bytes = 1;
			state = (mbstate_t){ 0 };
		} else if (wcwidth(character) >= 0) {
			width = wcwidth(character);
		}
		columns -= width;
		safe += bytes;
	}
	return columns > 0 ? columns : 0;
}

int text_read_line(char *line, size_t size, const char *path, ...)
{
	va_list arguments;
	char name[256];
	FILE *file;
	int found;

	va_start(arguments, path);
	vsnprintf(name, sizeof(name), path, arguments);
	va_end(arguments);
	line[0] = '\0';
	file = fopen(name, "re");
	if (!file)
		return 0;
	found = fgets(line, (int)size, file) != NULL;
	line[strcspn(line, "\n")] = '\0';
	fclose(file);
	return found;
}

void text_line(FILE *out, const char *format, ...)
{
	char raw[TEXT_LINE_MAX], line[TEXT_LINE_MAX];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(raw, sizeof(raw), format, arguments);
	va_end(arguments);
	fprintf(out, "%s\n", text_safe(line, sizeof(line), raw, sizeof(raw)));
}
