// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <string.h>

#include "program.h"

static const char *const kinds[OP_KINDS] = {
	"send", "receive", "close", "socket", "map", "unmap", "ioctl", "fork", "thread",
	"wait", "rights", "setting",
};

static const char forms[FORMS + 1] = "vtsne";

void program_write(const struct program *program, FILE *file)
{
	const struct op *op;
	unsigned int i;

	for (op = program->ops; op < program->ops + program->nr; op++) {
		fprintf(file, "%s %u %u %u %u", kinds[op->kind], op->slot, op->a, op->b, op->value);
		for (i = 0; i < op->nr; i++)
			fprintf(file, " %u,%c,%u,%" PRIu64, op->attrs[i].type,
				forms[op->attrs[i].form], op->attrs[i].length, op->attrs[i].value);
		putc('\n', file);
	}
	putc('\n', file);
}

static void read_attributes(struct op *op, const char *text)
{
	struct attribute *attr = op->attrs;
	const char *form;
	char letter;
	int used;

	for (; attr < op->attrs + ATTRS_MAX; attr++, text += used) {
		if (sscanf(text, " %" SCNu16 ",%c,%" SCNu16 ",%" SCNu64 "%n", &attr->type, &letter,
			   &attr->length, &attr->value, &used) != 4)
			break;
		form = strchr(forms, letter);
		attr->form = form && letter ? form - forms : 0;
	}
	op->nr = attr - op->attrs;
}

/* Return: 1 if the line is a call. */
static int read_op(struct op *op, const char *line)
{
	char kind[16];
	int used = 0;

	if (sscanf(line, "%15s %" SCNu8 " %" SCNu8 " %" SCNu8 " %" SCNu32 "%n", kind, &op->slot,
		   &op->a, &op->b, &op->value, &used) != 5)
		return 0;
	for (op->kind = 0; op->kind < OP_KINDS; op->kind++)
		if (!strcmp(kinds[op->kind], kind))
			break;
	op->slot %= SLOTS;
	read_attributes(op, line + used);
	return op->kind < OP_KINDS;
}

int program_read(struct program *program, FILE *file)
{
	char line[2048];

	program->nr = 0;
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		if (line[0] == '\n' && program->nr)
			return 1;
		if (program->nr < OPS_MAX)
			program->nr += read_op(&program->ops[program->nr], line);
	}
	return program->nr > 0;
}
