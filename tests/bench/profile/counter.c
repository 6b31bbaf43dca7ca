// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin of QEMU: counts how often each instruction of the guest is executed between
 * two marks, and which cache lines of data it touches there.  The marks are instructions
 * that do nothing and that no compiler makes: see ../mark.h.
 *
 * Its argument out=FILE names the file that it writes at the end of the emulator: lines
 * "i ADDRESS COUNT" for instructions, and "d LINE COUNT" for lines of 64 bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin.h"

#define LINES	(1UL << 20)	/* of the hash table; a power of two */

PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_VERSION;

/* A sequence of instructions that is executed from its begin to its end. */
struct block {
	struct block *next;
	uint64_t count;
	size_t nr;
	uint64_t addresses[];
};

static struct block *blocks;
static struct { uint64_t line, count; } lines[LINES];
static const char *out;
static int marked;

static void begin(unsigned int cpu, void *arg)
{
	(void)cpu;
	(void)arg;
	marked = 1;
}

static void end(unsigned int cpu, void *arg)
{
	(void)cpu;
	(void)arg;
	marked = 0;
}

static void executed(unsigned int cpu, void *arg)
{
	struct block *block = arg;

	(void)cpu;
	block->count += marked;
}

/* If the table is full, which it never was, the line is not counted. */
static void accessed(unsigned int cpu, uint32_t info, uint64_t address, void *arg)
{
	uint64_t line = address >> 6, i, tries;

	(void)cpu;
	(void)info;
	(void)arg;
	if (!marked)
		return;
	i = line * 0x9e3779b97f4a7c15ULL >> 44;
	for (tries = 0; tries < LINES; tries++, i++) {
		i &= LINES - 1;
		if (lines[i].count && lines[i].line != line)
			continue;
		lines[i].line = line;
		lines[i].count++;
		return;
	}
}

static void translate_one(struct qemu_plugin_insn *insn)
{
	static const unsigned char begins[] = { 0x66, 0x87, 0xdb }, ends[] = { 0x66, 0x87, 0xc9 };
	unsigned char bytes[16] = { 0 };
	size_t size = qemu_plugin_insn_data(insn, bytes, sizeof(bytes));

	if (size == sizeof(begins) && !memcmp(bytes, begins, size))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, begin, PLUGIN_NO_REGISTERS, NULL);
	if (size == sizeof(ends) && !memcmp(bytes, ends, size))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, end, PLUGIN_NO_REGISTERS, NULL);
	qemu_plugin_register_vcpu_mem_cb(insn, accessed, PLUGIN_NO_REGISTERS,
					 PLUGIN_READS_AND_WRITES, NULL);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t nr = qemu_plugin_tb_n_insns(tb), i;
	struct block *block = calloc(1, sizeof(*block) + nr * sizeof(block->addresses[0]));

	(void)id;
	if (!block)
		abort();
	block->nr = nr;
	block->next = blocks;
	blocks = block;
	for (i = 0; i < nr; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		block->addresses[i] = qemu_plugin_insn_vaddr(insn);
		translate_one(insn);
	}
	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, PLUGIN_NO_REGISTERS, block);
}

static void write_counts(qemu_plugin_id_t id, void *arg)
{
	FILE *file = fopen(out, "w");
	const struct block *block;
	size_t i;

	(void)id;
	(void)arg;
	if (!file)
		return;
	for (block = blocks; block; block = block->next)
		for (i = 0; block->count && i < block->nr; i++)
			fprintf(file, "i %lx %lu\n", block->addresses[i], block->count);
	for (i = 0; i < LINES; i++)
		if (lines[i].count)
			fprintf(file, "d %lx %lu\n", lines[i].line << 6, lines[i].count);
	fclose(file);
}

PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info,
				      int argc, char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4))
		return -1;
	out = strdup(argv[0] + 4);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, write_counts, NULL);
	return 0;
}
