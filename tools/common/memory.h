/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory; the program ends if there is none. */
#ifndef TOOLS_COMMON_MEMORY_H
#define TOOLS_COMMON_MEMORY_H

#include <stdlib.h>

#include "common/error.h"

/* Zeroed memory, to be freed even if count is 0. */
static inline void *memory_new(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		error_no_memory();
	return memory;
}

/* Resize old, which may be NULL; new memory is not cleared. */
static inline void *memory_resize(void *old, size_t count, size_t size)
{
	void *memory = reallocarray(old, count, size);

	if (!memory)
		error_no_memory();
	return memory;
}

#endif
