/* SPDX-License-Identifier: GPL-2.0-only */
/* The device of the test-only module, see taskrt_test.h; an error ends the test. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "taskrt_test.h"

/* Opens the device; inserts the module first if it is not there. */
int device_open(void);
void device_delay(int fd, uint32_t how, uint64_t ns);
void device_hold(int fd, uint32_t lock, uint32_t how, uint64_t ns);
void device_take(int fd, uint32_t lock, uint64_t ns);
/* The same, until a signal comes, which is no error here. */
void device_take_until(int fd, uint32_t lock, uint64_t ns);
/* Maps pages whose first touch takes ns in the fault handler. */
volatile char *device_map(int fd, size_t pages, uint32_t how, int major, uint64_t ns);
void device_unmap(volatile char *area, size_t pages);
/* A kernel thread dies there, TASKRT_TEST_DIE_IN_*.  Its tid; 0: not on this kernel. */
int device_die(int fd, uint32_t where, volatile char *address);
/* Interrupts the caller so many times, TASKRT_TEST_HARD and the like, for ns each. */
void device_interrupt(int fd, uint32_t how, uint32_t rounds, uint64_t ns);
/* That CPU stands still for stand_ns, and its kernel is told that told_ns were stolen. */
void device_steal(int fd, uint32_t cpu, uint64_t stand_ns, uint64_t told_ns);
/* Interrupts that CPU so many times, TASKRT_TEST_CALLS and the like, for each_ns. */
void device_storm(int fd, uint32_t how, uint32_t cpu, uint32_t rounds, uint64_t each_ns);
/* A packet of the loopback device takes each_ns longer to receive; 0: no longer. */
void device_packets(int fd, pid_t tid, uint64_t each_ns);
/* So many of them were received by softirqs that have interrupted the thread. */
uint32_t device_taken(int fd);
/* That CPU, when it is idle, sleeps so deeply that its exit takes exit_ns; 0: no longer. */
void device_idle(int fd, uint32_t cpu, uint64_t exit_ns);
/* So many exits have taken long. */
uint32_t device_slept(int fd);
/* Is taskrt kept from seeing that tasks are freed? */
void device_hide_free(int fd, int hide);
/* Until the end, nothing is freed that waits for readers under RCU. */
void device_read(int fd);
/* 0: it was so until now; -ETIME: only for 15 s. */
int device_read_end(int fd);
uint64_t device_bench(int fd, uint32_t what, uint32_t rounds);

#endif
