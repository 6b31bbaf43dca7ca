// SPDX-License-Identifier: GPL-2.0-only
#include <linux/taskrt.h>
#include <string.h>

#include "program.h"

static uint64_t state;

void any_begin(uint64_t seed)
{
	state = seed | 1;
}

uint32_t any(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 16) % below;
}

static uint64_t any_value(void)
{
	static const uint64_t bounds[] = {
		0, 1, 2, 3, 4, 15, 16, 63, 64, 255, 256, 257, 4095, 4096, 32768, 65535, 65536,
		1000, 1000000, 4194304, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff,
		0x8000000000000000, 0xffffffffffffffff,
	};

	switch (any(4)) {
	case 0:
		return any(16);
	case 1:
		return 1ULL << any(64);
	case 2:
		return (uint64_t)any(UINT32_MAX) << 32 | any(UINT32_MAX);
	default:
		return bounds[any(sizeof(bounds) / sizeof(*bounds))] + (any(4) ? 0 : any(3) - 1);
	}
}

static uint16_t any_length(void)
{
	return any(4) ? 4U << any(2) : any(20) ? any(40) : any(4200);
}

/* What a message of this number may want, in a nest or not. */
static void make_attribute(struct attribute *attr, int nested)
{
	static const uint8_t numbers[] = {
		TASKRT_A_TID, TASKRT_A_TGID, TASKRT_A_VERSION, TASKRT_A_CPUMASK, TASKRT_A_ENTITIES,
		TASKRT_A_FILTER, TASKRT_A_GROUPS, TASKRT_A_CHILDREN, TASKRT_A_DEPTH,
		TASKRT_A_THRESHOLD, TASKRT_A_ALERT_OVER, TASKRT_A_STATES,
	};

	attr->type = nested ? any(__TASKRT_FILTER_A_MAX + 1) : numbers[any(sizeof(numbers))];
	attr->form = FORM_VALUE;
	attr->length = 4;
	attr->value = any_value();
	if (nested) {
		attr->length = attr->type == TASKRT_FILTER_A_CGROUP ? 8 :
			       attr->type == TASKRT_FILTER_A_OWN ? 0 : 4;
		attr->form = any(2) ? FORM_TASK : FORM_VALUE;
		attr->value = any(2) ? attr->value : any(16);
		return;
	}
	switch (attr->type) {
	case TASKRT_A_TID:
	case TASKRT_A_TGID:
		attr->form = any(8) ? FORM_TASK : FORM_VALUE;
		attr->value = any(16);
		break;
	case TASKRT_A_VERSION:
	case TASKRT_A_ENTITIES:
	case TASKRT_A_GROUPS:
		attr->value = any(4) ? any(9) : attr->value;
		break;
	case TASKRT_A_CPUMASK:
		attr->form = FORM_TEXT;
		attr->value = any(16);
		break;
	case TASKRT_A_FILTER:
		attr->form = FORM_NEST;
		break;
	case TASKRT_A_CHILDREN:
		attr->length = 0;
		break;
	case TASKRT_A_DEPTH:
		attr->value = any(4) ? 2 + any(255) : attr->value;
		break;
	case TASKRT_A_THRESHOLD:
	case TASKRT_A_ALERT_OVER:
		attr->length = 8;
		break;
	case TASKRT_A_STATES:
		attr->value = any(4) ? 1 + any(131071) : attr->value;
	}
}

static int is_in_nest(const struct op *op, unsigned int at)
{
	int depth = 0;

	while (at--)
		depth += (op->attrs[at].form == FORM_NEST) - (op->attrs[at].form == FORM_END);
	return depth > 0;
}

static void insert_attribute(struct op *op)
{
	unsigned int at = any(op->nr + 1);

	if (op->nr == ATTRS_MAX)
		return;
	memmove(&op->attrs[at + 1], &op->attrs[at], (op->nr - at) * sizeof(*op->attrs));
	op->nr++;
	if (op->nr > 1 && !any(6))
		op->attrs[at] = op->attrs[any(op->nr)];
	else
		make_attribute(&op->attrs[at], is_in_nest(op, at));
}

static void remove_attribute(struct op *op)
{
	unsigned int at = any(op->nr);

	op->nr--;
	memmove(&op->attrs[at], &op->attrs[at + 1], (op->nr - at) * sizeof(*op->attrs));
}

static void swap_attributes(struct op *op)
{
	struct attribute *one = &op->attrs[any(op->nr)], *two = &op->attrs[any(op->nr)], was = *one;

	*one = *two;
	*two = was;
}

static void change_attribute(struct op *op)
{
	struct attribute *attr = &op->attrs[any(op->nr)];

	switch (any(6)) {
	case 0:
		attr->type = any(8) ? any(__TASKRT_A_MAX + 1) : any(65536);
		break;
	case 1:
		attr->length = any_length();
		break;
	case 2:
		attr->form = any(FORMS);
		break;
	case 3:
		attr->value += any(3) - 1;
		break;
	default:
		attr->value = any(3) ? any_value() : any(16);
	}
}

static void mutate_attributes(struct op *op)
{
	unsigned int how = op->nr ? any(8) : 0;

	if (how < 2)
		insert_attribute(op);
	else if (how == 2)
		remove_attribute(op);
	else if (how == 3)
		swap_attributes(op);
	else
		change_attribute(op);
}

static void make_op(struct op *op)
{
	memset(op, 0, sizeof(*op));
	op->kind = any(2) ? OP_SEND : any(OP_KINDS);
	op->slot = any(3) ? 0 : any(SLOTS);
	op->a = any(12);
	op->b = any(3) ? 0 : any(256);
	op->value = any(2) ? any_value() : any(600);
	while (op->kind == OP_SEND && any(3))
		insert_attribute(op);
}

static void insert_op(struct program *program)
{
	unsigned int at = any(program->nr + 1);

	if (program->nr == OPS_MAX)
		return;
	memmove(&program->ops[at + 1], &program->ops[at],
		(program->nr - at) * sizeof(*program->ops));
	program->nr++;
	if (program->nr > 1 && !any(4))
		program->ops[at] = program->ops[any(program->nr)];
	else
		make_op(&program->ops[at]);
}

static void remove_op(struct program *program)
{
	unsigned int at = any(program->nr);

	if (program->nr == 1)
		return;
	program->nr--;
	memmove(&program->ops[at], &program->ops[at + 1],
		(program->nr - at) * sizeof(*program->ops));
}

static void change_op(struct program *program)
{
	struct op *op = &program->ops[any(program->nr)];

	switch (op->kind == OP_SEND ? any(10) : any(4)) {
	case 0:
		op->slot = any(SLOTS);
		break;
	case 1:
		op->a = any(16) ? any(12) : any(256);
		break;
	case 2:
		op->b = any(256);
		break;
	case 3:
		op->value = any_value();
		break;
	default:
		mutate_attributes(op);
	}
}

/* The beginning of this one, and the end of the other. */
static void splice(struct program *program, const struct program *other)
{
	unsigned int keep = any(program->nr + 1), from = any(other->nr), add = other->nr - from;

	if (add > OPS_MAX - keep)
		add = OPS_MAX - keep;
	memcpy(&program->ops[keep], &other->ops[from], add * sizeof(*program->ops));
	program->nr = keep + add;
}

void program_make(struct program *program)
{
	program->nr = 0;
	do
		insert_op(program);
	while (any(4));
}

void program_mutate(struct program *program, const struct program *other)
{
	do {
		switch (any(8)) {
		case 0:
			insert_op(program);
			break;
		case 1:
			remove_op(program);
			break;
		case 2:
			splice(program, other);
			break;
		default:
			change_op(program);
		}
	} while (any(3));
	if (!program->nr)
		program_make(program);
}
