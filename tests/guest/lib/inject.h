/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes allocations of the kernel fail: Documentation/fault-injection in the kernel's sources. */
#ifndef INJECT_H
#define INJECT_H

/* NULL if allocations can be made to fail here; or the reason why they cannot. */
const char *inject_why_not(void);
/*
 * Sets the knobs, so that an allocation of any kind may fail.  Once, before the others.
 * Executes the program anew, with @argv and an environment in which it survives that.
 */
void inject_prepare(char *const argv[]);

/*
 * The nth allocation of the calling thread from now on fails, and no other one.  Ends with
 * inject_end(), which returns whether there was such an allocation.
 */
void inject_begin(unsigned int nth);
int inject_end(void);

/*
 * From the one to the other, every allocation of slab memory and of pages fails in the
 * kernel's threads with these names; NULL is after the last one.
 */
void inject_kthreads(const char *const names[]);
void inject_kthreads_end(void);

#endif
