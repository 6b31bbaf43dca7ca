// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/thread_info.h>
#include "hook/hook_fault_stack.h"

#ifdef HOOK_FAULT_COUNT
/* The return address that a return tracer substitutes for the noted one; 0: not seen yet. */
static u32 stack_alias __read_mostly;

void hook_fault_forget(void)
{
	stack_alias = 0;
}

/* The noted bits of a stack pointer distinguish all addresses of one stack. */
#define STACK_SPAN	(1UL << (BITS_PER_TYPE(u16) + FAULT_STACK_SHIFT))

static_assert(THREAD_SIZE <= STACK_SPAN);

/* The stack pointer at the entry.  Unless it is above the present one, the function was left. */
static unsigned long hook_fault_entry_sp(const struct thread_fault *fault)
{
	return (current_stack_pointer & -STACK_SPAN) |
	       (unsigned long)fault->stack << FAULT_STACK_SHIFT;
}

#ifdef CONFIG_X86_64
/* At the entry, the stack pointer points to the return address. */
static u32 hook_fault_found(const struct thread_fault *fault, unsigned long entry)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)entry);
}
#else
/*
 * The function saves its return address in the last frame record below @entry.  The records
 * are linked.  The upper bits of the address may hold its signature, and are not compared.  Since
 * 6.13 an exception interrupts the chain: the thread then counts as inside.
 */
static u32 hook_fault_found(const struct thread_fault *fault, unsigned long entry)
{
	unsigned long frame = (unsigned long)__builtin_frame_address(0), next;
	u32 found = 0;

	while (frame + 16 <= entry) {
		found = READ_ONCE_NOCHECK(((unsigned long *)frame)[1]);
		next = READ_ONCE_NOCHECK(*(unsigned long *)frame);
		if (next <= frame)
			return next ? 0 : fault->returns_to;
		frame = next;
	}
	return found;
}
#endif

bool hook_fault_inside(const struct thread_fault *fault)
{
	const unsigned long entry = hook_fault_entry_sp(fault);
	u32 found;

	if (entry <= current_stack_pointer)
		return false;
	found = hook_fault_found(fault, entry);
	return found == fault->returns_to || (found && found == READ_ONCE(stack_alias));
}

void hook_fault_note_traced(const struct thread_fault *fault)
{
	const unsigned long entry = hook_fault_entry_sp(fault);

	if (entry > current_stack_pointer)
		WRITE_ONCE(stack_alias, hook_fault_found(fault, entry));
}
#endif /* HOOK_FAULT_COUNT */
