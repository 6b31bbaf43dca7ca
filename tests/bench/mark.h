/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the emulator begins and ends to count instructions by symbol: see profile/.
 * These exchange a register with itself, which does nothing, and compilers do not make
 * them.
 */
#ifndef MARK_H
#define MARK_H

static inline void mark_begin(void)
{
#ifdef __x86_64__
	__asm__ volatile(".byte 0x66, 0x87, 0xdb" ::: "memory");	/* xchg %bx, %bx */
#endif
}

static inline void mark_end(void)
{
#ifdef __x86_64__
	__asm__ volatile(".byte 0x66, 0x87, 0xc9" ::: "memory");	/* xchg %cx, %cx */
#endif
}

#endif
