/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program is a few calls into the module, one after the other, in a process of its own.
 * It is written as a line for each call:
 *
 *	KIND SLOT A B VALUE [TYPE,FORM,LENGTH,VALUE]...
 *
 * where KIND is a word of enum op_kind, FORM a letter of enum form and all else is a
 * number.  What the numbers mean depends on the kind: see the functions of calls.h.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdint.h>
#include <stdio.h>

#define OPS_MAX		16
#define ATTRS_MAX	10
#define SLOTS		4

enum op_kind {
	OP_SEND,	/* socket SLOT: command A, flags and header B, attributes */
	OP_RECEIVE,	/* socket SLOT: one buffer (A odd), or all there is */
	OP_CLOSE,	/* socket SLOT */
	OP_SOCKET,	/* socket SLOT: an option, A, with VALUE */
	OP_MAP,		/* mapping SLOT: length A, protection and flags B, offset VALUE */
	OP_UNMAP,	/* mapping SLOT: how, A */
	OP_IOCTL,	/* number A, size VALUE, tag B */
	OP_FORK,	/* a child that does A and ends, with status B */
	OP_THREAD,	/* a thread that does A */
	OP_WAIT,	/* what A says: sleep, wait for children, touch a page, ... */
	OP_RIGHTS,	/* other rights, A, for the rest of the program */
	OP_SETTING,	/* the module's parameter A becomes VALUE; as root only */
	OP_KINDS,
};

enum form {
	FORM_VALUE,	/* the bytes of VALUE, over and over */
	FORM_TASK,	/* the id of a task: see life_task() */
	FORM_TEXT,	/* one of a few texts */
	FORM_NEST,	/* begins a nest; LENGTH odd: without NLA_F_NESTED */
	FORM_END,	/* ends the nest */
	FORMS,
};

struct attribute {
	uint16_t type;
	uint16_t length;
	uint8_t form;
	uint64_t value;
};

struct op {
	uint8_t kind, slot, a, b;
	uint32_t value;
	unsigned int nr;
	struct attribute attrs[ATTRS_MAX];
};

struct program {
	unsigned int nr;
	struct op ops[OPS_MAX];
};

/* Programs are separated by empty lines.  Return: 1; 0 at the end of the file. */
int program_read(struct program *program, FILE *file);
void program_write(const struct program *program, FILE *file);

/* The next of a sequence of numbers below that one. */
uint32_t any(uint32_t below);
void any_begin(uint64_t seed);

void program_make(struct program *program);
/* Changes one thing or some; other may give a part of its own. */
void program_mutate(struct program *program, const struct program *other);

/*
 * Runs the program in a process of its own, and waits for it.  Calls enter() in that
 * process before the first call.
 */
void program_execute(const struct program *program, void (*enter)(void));
/*
 * A process on the second CPU that switches accounting, or removes and inserts the module,
 * and forks, executes and ends meanwhile.
 */
int disturb_begin(void);
/* Was it there to the end? */
int disturb_end(int process);

#endif
