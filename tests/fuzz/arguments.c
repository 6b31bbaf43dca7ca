// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer: what a user types, and what others have named themselves.  The first byte
 * says which function takes the rest.
 */
#include <errno.h>

#include "common/arg.h"
#include "common/target.h"
#include "common/text.h"
#include "diagnose/machine.h"
#include "input.h"
#include "top/keys.h"

#define WORDS	32

static int take(void *request, int letter)
{
	size_t *length = request;

	*length += optarg ? strlen(optarg) : (size_t)letter;
	return 0;
}

/* Words that end with NULs. */
static void options(char *text, size_t length)
{
	static const struct option own[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "once", no_argument, NULL, '1' },
		{ "threshold", optional_argument, NULL, ARG_WITHOUT_LETTER },
		{ 0 },
	};
	char *argv[WORDS + 2] = { "taskrt" }, *end = text + length;
	size_t sum = 0;
	int argc = 1, json = 0, status;

	for (; text < end && argc <= WORDS; text += strlen(text) + 1)
		argv[argc++] = text;
	status = arg_take_options(&(struct arg_options){ own, take, &sum, &json, sum & 1, NULL },
				  argc, argv);
	if (!status && (optind < 1 || optind > argc))
		abort();
	optind = 0;
}

static void numbers(const char *text)
{
	char why[ARG_WHY_MAX] = "";
	struct target target;
	uint64_t ns;
	pid_t pid;

	if (!target_take(text, &target) && !target.name && target.id <= 0)
		abort();
	if (!arg_read_pid(text, &pid, why) && pid < 0)
		abort();
	if (!arg_number(text, "a number", &ns) && !ns)
		abort();
	if (!arg_seconds(text, &ns) && !ns)
		abort();
	if (!arg_time(text, &ns) && !ns)
		abort();
	if (!arg_read_seconds(text, 0.5, 2, &ns, why) && (ns < 500000000 || ns > 2000000000))
		abort();
}

static void wants(const char *text)
{
	struct top_want want = top_want_default;
	char why[ARG_WHY_MAX];

	top_want_process(&want, text, why);
	top_want_sort(&want, text, why);
	top_want_interval(&want, text, why);
	top_want_filters(&want, why);
	if (want.sort >= TOP_NR_COLUMNS || strlen(why) >= sizeof(why))
		abort();
}

static void keys(struct input input)
{
	struct top_view view = { .want = top_want_default, .page = 20, .matching = 100 };

	while (input.left) {
		int key = input_byte(&input);

		/* Those with a name of their own follow 255. */
		top_keys_take(&view, key < 0xf0 ? key : 0x100 + input_byte(&input));
		if (top_keys_question(&view) && strlen(view.input) >= sizeof(view.input))
			abort();
		if (view.want.sort >= TOP_NR_COLUMNS)
			abort();
	}
}

static void names(const char *text, size_t length)
{
	size_t room, i;
	char *safe;

	for (room = 1; room < 40; room += 7) {
		safe = malloc(room);
		text_utf8(safe, room, text, length);
		for (i = 0; i < strlen(safe); i++)
			if ((unsigned char)safe[i] < ' ' || safe[i] == 0x7f)
				abort();
		text_safe(safe, room, text, length);
		free(safe);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct input input = { data, length };
	uint8_t what = input_byte(&input);
	struct kernel_range range;
	char *text = input_text(input);

	switch (what % 6) {
	case 0:
		options(text, input.left);
		break;
	case 1:
		numbers(text);
		break;
	case 2:
		wants(text);
		break;
	case 3:
		keys(input);
		break;
	case 4:
		names(text, input.left);
		break;
	case 5:
		kernel_read_range(&range, text);
		break;
	}
	free(text);
	return 0;
}
