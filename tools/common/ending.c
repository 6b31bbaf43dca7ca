// SPDX-License-Identifier: GPL-2.0-only
/* How a task has ended, in one or two words. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "common/ending.h"

const char *ending_text(char text[ENDING_MAX], uint32_t exit_code)
{
	int status = (int)exit_code, number = WTERMSIG(status);
	const char *name = number ? sigabbrev_np(number) : NULL;

	if (!number)
		snprintf(text, ENDING_MAX, "exit %d", WEXITSTATUS(status));
	else if (name)
		snprintf(text, ENDING_MAX, "%s%s", name, WCOREDUMP(status) ? " core" : "");
	else
		snprintf(text, ENDING_MAX, "sig %d", number);
	return text;
}
