// SPDX-License-Identifier: GPL-2.0-only
/* What a thread or a process has used since its creation, as the kernel counts it. */
#include <inttypes.h>

#include "common/element.h"
#include "common/names.h"
#include "common/units.h"
#include "report/report.h"

static struct element value_of(const struct taskrt_reading *r, unsigned int value)
{
	return element_of(r, TASKRT_NAME_VALUE, value);
}

const char *cycles_text(char text[CYCLES_MAX], const struct taskrt_reading *reading)
{
	const double cycles = (double)value_of(reading, TASKRT_VALUE_CYCLES).count;
	const double instructions = (double)value_of(reading, TASKRT_VALUE_INSTRUCTIONS).count;
	const double ns = (double)value_of(reading, TASKRT_VALUE_CYCLES_NS).count;
	int used = 0;

	text[0] = '\0';
	if (cycles && ns)
		used = snprintf(text, CYCLES_MAX, "%.2f GHz", cycles / ns);
	if (cycles && instructions)
		snprintf(text + used, (size_t)(CYCLES_MAX - used), "%sCPI %.2f", used ? ", " : "",
			 cycles / instructions);
	return text;
}

static void print_value(FILE *out, const char *before, const struct taskrt_reading *r,
			unsigned int number, const char *after)
{
	const struct element value = value_of(r, number);

	if (value.counted)
		fprintf(out, "%s%" PRIu64 "%s", before, value.count, after);
	else
		fprintf(out, "%s%s%s", before, NOT_MEASURED, after);
}

void report_cycles(FILE *out, const char *before, const struct taskrt_reading *r)
{
	const struct element cycles = value_of(r, TASKRT_VALUE_CYCLES);
	const struct element instructions = value_of(r, TASKRT_VALUE_INSTRUCTIONS);
	char rates[CYCLES_MAX];

	if (!cycles.counted || !instructions.counted ||
	    !value_of(r, TASKRT_VALUE_CYCLES_NS).counted)
		return;
	cycles_text(rates, r);
	fprintf(out, "%swhile counted: %" PRIu64 " cycles, %" PRIu64 " instructions%s%s\n", before,
		cycles.count, instructions.count, *rates ? "; " : "", rates);
}

/* Print the values that this command does not know, one line each. */
static void print_other_values(FILE *out, const struct taskrt_reading *r)
{
	const uint64_t shown = names_usual.values | READING_CYCLES;
	struct element value;

	for_each_element(&value, r, TASKRT_NAME_VALUE)
		if (value.counted && !taskrt_measures(shown, value.number))
			fprintf(out, "    %s: %" PRIu64 "\n", value.name, value.count);
}

static void print_mode(FILE *out, const char *mode, uint64_t ns, unsigned int permille,
		       const char *after)
{
	char time[UNITS_MAX], share[UNITS_MAX];

	fprintf(out, "%s time %s (%s %%)%s", mode, units_time(time, ns),
		units_share(share, permille), after);
}

/* The CPU time in user and in kernel mode, as the kernel divides it. */
static void print_modes(FILE *out, const struct taskrt_reading *r)
{
	const struct element user = value_of(r, TASKRT_VALUE_USER_NS);
	const struct element system = value_of(r, TASKRT_VALUE_SYSTEM_NS);
	const uint64_t parts[] = { user.count, system.count };
	unsigned int permille[2];

	fprintf(out, "    ");
	if (!user.counted || !system.counted) {
		fprintf(out, "user and system time " NOT_MEASURED ",\n");
		return;
	}
	/* Rounded together, so that they sum to 100. */
	units_shares(permille, parts, 2);
	print_mode(out, "user", parts[0], permille[0], ", ");
	print_mode(out, "system", parts[1], permille[1], ",\n");
}

static void print_switches(FILE *out, const struct taskrt_reading *r)
{
	if (!value_of(r, TASKRT_VALUE_VOLUNTARY_SWITCHES).counted &&
	    !value_of(r, TASKRT_VALUE_INVOLUNTARY_SWITCHES).counted) {
		fprintf(out, "    switches " NOT_MEASURED ";");
		return;
	}
	print_value(out, "    switches: ", r, TASKRT_VALUE_VOLUNTARY_SWITCHES, " voluntary, ");
	print_value(out, "", r, TASKRT_VALUE_INVOLUNTARY_SWITCHES, " involuntary;");
}

void report_since_creation(FILE *out, const struct taskrt_reading *r)
{
	const struct taskrt_stats *s = &r->stats;
	char cpu[UNITS_MAX], queue[UNITS_MAX];

	fprintf(out, "  Since creation: cpu time %s, queue time %s,\n",
		time_or_not(cpu, s, TASKRT_VALID_CPU_TIME, s->cpu_time_ns),
		time_or_not(queue, s, TASKRT_VALID_QUEUE_TIME, s->queue_time_ns));
	print_modes(out, r);
	print_switches(out, r);
	print_value(out, " wake-ups since tracked: ", r, TASKRT_VALUE_WAKEUPS, "\n");
	report_cycles(out, "    ", r);
	print_other_values(out, r);
}
