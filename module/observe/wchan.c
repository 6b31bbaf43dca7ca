// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kallsyms.h>
#include <linux/string.h>
#include "engine/record_sched.h"
#include "observe/wchan.h"

/* All code lies within 2 GiB: 32 bits hold the distance from one function to another. */
static unsigned long wchan_anchor(void)
{
	return (unsigned long)sprint_symbol_no_offset;
}

static u32 wchan_of(unsigned long address)
{
	const long distance = address - wchan_anchor();

	return distance == (s32)distance ? distance : 0;
}

/* A woken thread still has the stack of its sleep. */
noinline void wchan_note_longest(struct thread *t, unsigned long state)
{
	unsigned long frame = 0;

	if (!record_has_wchan(state))
		return;
	compat_stack_save(t->task, &frame, 1);
	record_set_wchan(&t->record, state, frame ? wchan_of(frame) : 0);
}

void wchan_name(u32 wchan, char *name, size_t size)
{
	char symbol[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(symbol, wchan_anchor() + (s32)wchan);
	strscpy(name, strncmp(symbol, "0x", 2) ? symbol : "?", size);
}
