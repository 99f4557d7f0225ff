// The constants and maps of waits.bpf.c.
#pragma once

// clang-format off
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
// clang-format on

#include "record/waits/programs/wait_types.h"

const volatile struct wait_config config = {};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct wait_control);
} wait_control SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct wait_counts);
} wait_counts SEC(".maps");

struct wait_table {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1);  // the loader sets it
  __type(key, struct wait_key);
  __type(value, struct wait_row);
} wait_table_a SEC(".maps"), wait_table_b SEC(".maps");

// The table in use. The reader puts the other one here, and the kernel then waits until no program uses the old one any
// more, before the system call returns (maybe_wait_bpf_programs() in kernel/bpf/syscall.c). So the reader empties a
// table that nobody changes, and no interval is lost.
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint(max_entries, 1);
  __type(key, __u32);
  __array(values, struct wait_table);
} wait_tables SEC(".maps") = {.values = {&wait_table_a}};

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct wait_thread);
} wait_threads SEC(".maps");

// The key is a hash of the stack, so the reader may take stacks away at any time: the number of a stack never changes.
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1);
  __type(key, __u64);
  __type(value, struct wait_stack);
} wait_stacks SEC(".maps");

// A BPF program has a stack of 512 bytes. Interrupts are off in sched_switch and sched_waking, so each CPU needs one.
struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct wait_stack);
} wait_scratch SEC(".maps");

// By tid. The loader sets the sizes: a copy is made in the first map, which has one page more, and the second has those
// of threads that are off their CPUs.
struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __uint(key_size, sizeof(__u32));
  __uint(value_size, sizeof(struct wait_copy) + WAIT_PAGE);
} wait_copy_scratch SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1);
  __uint(key_size, sizeof(__u32));
  __uint(value_size, sizeof(struct wait_copy));
} wait_copies SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 1 << 12);
} wait_events SEC(".maps");

// Filters: the elements that count.
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u8);
} wait_pids SEC(".maps"), wait_tids SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1);
  __type(key, char[WAIT_COMM]);
  __type(value, __u8);
} wait_comms SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1);
  __type(key, __u64);
  __type(value, __u8);
} wait_cgroups SEC(".maps");
