// SPDX-License-Identifier: GPL-2.0-only
/* Whether the stack of the current thread shows that it is in handle_mm_fault(). */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/thread_info.h>
#include "hook/hook_fault_stack.h"

#ifdef HOOK_FAULT_COUNT
/*
 * What a tracer of the function's return has put in place of the address that was noted, once
 * that has been seen.
 */
static u32 stack_alias __read_mostly;

void hook_fault_forget(void)
{
	stack_alias = 0;
}

/* The noted bits of an address in a stack tell it from all others in the stack. */
#define STACK_SPAN	(1UL << (BITS_PER_TYPE(u16) + FAULT_STACK_SHIFT))

static_assert(THREAD_SIZE <= STACK_SPAN);

/* Where the stack pointer was at the entry; or below the present one, if that is not possible. */
static unsigned long hook_fault_entry_sp(const struct thread_fault *fault)
{
	return (current_stack_pointer & -STACK_SPAN) |
	       (unsigned long)fault->stack << FAULT_STACK_SHIFT;
}

#ifdef CONFIG_X86_64
/* The return address lies where the stack pointer was at the entry. */
static u32 hook_fault_found(const struct thread_fault *fault, unsigned long entry)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)entry);
}
#else
/*
 * The function has saved it in a frame record, the last one below that.  The compiler links
 * these records.  The upper bits of the return address may hold its signature.  An exception
 * may have interrupted the chain, since 6.13: then it cannot be followed.
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
