// SPDX-License-Identifier: GPL-2.0-only
/* What the processor counted while a task ran. */
#include <stdio.h>

#include "common/element.h"
#include "report/cycles.h"

static double count_of(const struct taskrt_reading *reading, unsigned int value)
{
	const struct element element = element_of(reading, TASKRT_NAME_VALUE, value);

	return element.counted ? (double)element.count : 0;
}

const char *cycles_text(char text[CYCLES_MAX], const struct taskrt_reading *reading)
{
	const double cycles = count_of(reading, TASKRT_VALUE_CYCLES);
	const double instructions = count_of(reading, TASKRT_VALUE_INSTRUCTIONS);
	const double ns = count_of(reading, TASKRT_VALUE_CYCLES_NS);
	int used = 0;

	text[0] = '\0';
	if (cycles && ns)
		used = snprintf(text, CYCLES_MAX, "%.2f GHz", cycles / ns);
	if (cycles && instructions)
		snprintf(text + used, (size_t)(CYCLES_MAX - used), "%sCPI %.2f", used ? ", " : "",
			 cycles / instructions);
	return text;
}
