// SPDX-License-Identifier: GPL-2.0-only
/* What somebody who receives the numbers must know of the machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench/result.h"
#include "common/text.h"

/* Return: the value in "name<blanks>: value", without the newline; NULL: another name. */
static const char *value_of(char *line, const char *name)
{
	char *colon = strchr(line, ':');

	if (!colon || strncmp(line, name, strlen(name)) ||
	    strspn(line + strlen(name), " \t") != (size_t)(colon - line) - strlen(name))
		return NULL;
	colon[strcspn(colon, "\n")] = '\0';
	return colon + 1 + strspn(colon + 1, " ");
}

/* x86 has a name and flags, arm64 numbers. */
static void take_line(struct machine *machine, char *line)
{
	size_t used = strlen(machine->processor), room = sizeof(machine->processor) - used;
	const char *value;

	value = value_of(line, "model name");
	if (value)
		snprintf(machine->processor + used, room, "%s", value);
	value = value_of(line, "CPU implementer");
	if (value)
		snprintf(machine->processor + used, room, "implementer %s", value);
	value = value_of(line, "CPU part");
	if (value)
		snprintf(machine->processor + used, room, ", part %s", value);
	value = value_of(line, "flags");
	if (value)
		machine->hypervisor = !!strstr(value, "hypervisor");
}

static void read_cpuinfo(struct machine *machine, int cpu)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char *line = NULL;
	size_t size = 0;
	int ours = 0;

	while (file && getline(&line, &size, file) > 0) {
		const char *number = value_of(line, "processor");

		if (number)
			ours = atoi(number) == cpu;
		else if (ours)
			take_line(machine, line);
	}
	free(line);
	if (file)
		fclose(file);
}

void machine_read(struct machine *machine, int cpu)
{
	struct utsname name;

	memset(machine, 0, sizeof(*machine));
	machine->hypervisor = -1;
	if (!uname(&name)) {
		snprintf(machine->kernel, sizeof(machine->kernel), "%s", name.release);
		snprintf(machine->version, sizeof(machine->version), "%s", name.version);
		snprintf(machine->architecture, sizeof(machine->architecture), "%s", name.machine);
	}
	machine->processors = sysconf(_SC_NPROCESSORS_ONLN);
	read_cpuinfo(machine, cpu);
	text_read_line(machine->governor, sizeof(machine->governor),
		       "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
	text_read_line(machine->clocksource, sizeof(machine->clocksource),
		       "/sys/devices/system/clocksource/clocksource0/current_clocksource");
}
