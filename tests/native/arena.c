// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "arena.h"

#define BASE	((char *)0x200000000)
#define BYTES	(256UL << 20)
#define LINE	64UL
#define PAGE	4096UL

/*
 * As SLUB on a kernel of Debian: the objects of a slab lie side by side, and are taken in
 * a random order (CONFIG_SLAB_FREELIST_RANDOM).
 */
#define SLAB	16384UL

struct kmem_cache {
	size_t size;
	unsigned int left;
	void *objects[SLAB / LINE];
};

char *arena_stack;

static char *at = BASE;
static ucontext_t outside, inside;
static uint64_t seed = 1;

static void *refuse(const char *why)
{
	perror(why);
	exit(2);
}

void arena_init(void)
{
	if (mmap(BASE, BYTES, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != BASE)
		refuse("the arena's address is in use");
	/* A kernel without large pages has more misses of its TLB; nothing else changes. */
	madvise(BASE, BYTES, MADV_HUGEPAGE);
	arena_stack = arena_take(ARENA_STACK);
}

static void *aligned(void *address, size_t to)
{
	return (void *)(((uintptr_t)address + to - 1) / to * to);
}

void *arena_take(size_t size)
{
	char *taken = aligned(at, size < PAGE ? LINE : PAGE);

	if (taken + size > BASE + BYTES)
		return refuse("the arena is too small");
	at = taken + size;
	return taken;
}

uint32_t arena_random(uint32_t below)
{
	/* Knuth's MMIX; the upper bits are the good ones. */
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % below;
}

struct kmem_cache *arena_cache(size_t size)
{
	struct kmem_cache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		return refuse("a cache");
	cache->size = (size + LINE - 1) / LINE * LINE;
	return cache;
}

static void add_slab(struct kmem_cache *cache)
{
	char *slab = arena_take(SLAB);

	for (; cache->left < SLAB / cache->size; cache->left++)
		cache->objects[cache->left] = slab + cache->left * cache->size;
}

void *arena_object(struct kmem_cache *cache)
{
	unsigned int i;
	void *object;

	if (!cache->left)
		add_slab(cache);
	i = arena_random(cache->left--);
	object = cache->objects[i];
	cache->objects[i] = cache->objects[cache->left];
	return object;
}

void arena_call(void (*function)(void))
{
	getcontext(&inside);
	inside.uc_stack.ss_sp = arena_stack;
	inside.uc_stack.ss_size = ARENA_STACK;
	inside.uc_link = &outside;
	makecontext(&inside, function, 0);
	swapcontext(&outside, &inside);
}
