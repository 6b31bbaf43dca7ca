/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of QEMU's plugin interface, version 3, that is used: Debian has no header of it. */
#ifndef QEMU_PLUGIN_H
#define QEMU_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define PLUGIN_VERSION	3
#define PLUGIN_EXPORT	__attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum { PLUGIN_NO_REGISTERS };
enum { PLUGIN_READS_AND_WRITES = 3 };

typedef void (*plugin_translated_fn)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*plugin_executed_fn)(unsigned int cpu, void *arg);
typedef void (*plugin_accessed_fn)(unsigned int cpu, uint32_t info, uint64_t address, void *arg);
typedef void (*plugin_end_fn)(qemu_plugin_id_t id, void *arg);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, plugin_translated_fn fn);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, plugin_executed_fn fn,
					  int registers, void *arg);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, plugin_executed_fn fn,
					    int registers, void *arg);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, plugin_accessed_fn fn,
				      int registers, int accesses, void *arg);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, plugin_end_fn fn, void *arg);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t size);

#endif
