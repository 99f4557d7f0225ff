// What the BPF programs of waits.bpf.c and the recorder share: the contents of maps, and the payloads of the ring
// buffer.
//
// Included by C for BPF and by C++: all members have fixed sizes, and no struct has padding.
#pragma once

#include <linux/types.h>

// States beside those of the kernel's TASK_REPORT, as in analysis/offcpu/task_state.h.
#define WAIT_PREEMPTED 0x100
#define WAIT_CREATED 0x20000
#define WAIT_NOT_KNOWN 0x40000

// A wait that is known in part, or a note that is no wait.
#define WAIT_WOKEN 1         // the wakeup was seen, so blocked and run-queue time are known separately
#define WAIT_BEGAN_BEFORE 2  // the thread was off its CPU when measuring began
#define WAIT_GOES_ON 4       // the thread is still off its CPU when measuring ends
#define WAIT_NONE 8          // no wait: only time on the CPU

#define WAIT_STACK_WORDS 127
#define WAIT_COMM 16

// The intervals with the same key are one row of the table.
struct wait_key {
  __u64 thread_start;              // tids are used again, but not with the same start
  __u64 user_stack, kernel_stack;  // hashes, which are the keys of the stacks; 0: none
  __u32 tid;
  __u32 state;
  __u16 blocked, run_queue;  // buckets: see base/histogram_bucket.h
  __u32 flags;
};

struct wait_row {
  __u64 count;
  __u64 blocked, run_queue;  // sums in nanoseconds
  __u64 longest;             // of blocked and run-queue time together
  __u64 longest_run_queue;   // the part of the longest interval
  __u64 ran;                 // time on the CPU before the intervals
  __u64 unknown;             // time before the intervals in which the thread ran or waited: a switch was not traced
  __u64 last;                // the end of the last interval
  __u32 pid;
  __u32 unused;
};

// A thread, from when it leaves its CPU.
struct wait_thread {
  __u64 start;         // of the thread
  __u64 left;          // 0: it is on a CPU
  __u64 came;          // onto its CPU; 0: not known
  __u64 woken;         // 0: not yet
  __u64 ran, unknown;  // before it left: see wait_row
  __u64 user_stack, kernel_stack;
  __u64 waker_user_stack, waker_kernel_stack;
  __u64 cgroup;
  __u32 state;
  __u32 pid;
  __s32 cpu;  // that it left
  __s32 priority;
  __u32 waker_pid, waker_tid;
  __s32 waker_cpu;  // -1: nobody has woken it
  __u32 gone;       // it left its CPU, and the switch was not traced
};

// An interval that is at least as long as wait_config::over.
struct wait_event {
  struct wait_thread thread;
  __u64 end;
  __u32 tid;
  __s32 cpu_entered;
};

struct wait_stack {
  __u32 words;
  __u32 unused;
  __u64 word[WAIT_STACK_WORDS];
};

// The registers of a program, in the order of the kernel's struct pt_regs, of arm64 struct user_pt_regs.
#define WAIT_REGISTERS_X86 21
#define WAIT_REGISTERS_ARM64 34

#define WAIT_PAGE 4096
// One page more is in the place where a copy is made.
#define WAIT_MOST_COPIED (24 * 1024)

// The stack of a program, from its stack pointer on, and the registers, of when the thread left its CPU. In the ring
// buffer it comes before the event of the same thread and time.
struct wait_copy {
  __u64 left;  // as in wait_thread
  __u32 tid;
  __u32 bytes;
  __u64 registers[WAIT_REGISTERS_ARM64];
  // and the bytes
};

// Set before the programs are loaded: what is 0 is compiled out.
struct wait_config {
  __u64 over;               // longer intervals are sent; 0: none
  __u64 shortest, longest;  // of the intervals that count; longest 0: any
  __u32 states;             // a set of states that count; 0: all
  __u32 copied;             // the bytes of the stack that are copied; 0: none
  __u32 registers;          // how many
  __u32 stack_pointer;      // which of them
  __u8 user_stacks, kernel_stacks;
  __u8 by_pid, by_tid, by_comm, by_cgroup;
  __u8 user_threads, kernel_threads;  // only these
  __u8 switch_has_state;              // sched_switch gives the state as its fourth argument (Linux 5.18)
  __u8 inherit;                       // what counted processes and threads start counts, too
  __u8 unused[2];
};

// Changes while the programs run.
struct wait_control {
  __u64 begin;  // of measuring
  __u32 enabled;
  __u32 unused;
};

// For each CPU.
struct wait_counts {
  __u64 switches, wakeups;
  __u64 sent, not_sent;           // intervals over the threshold; not sent: the ring buffer was full: in the table
  __u64 left_out, left_out_time;  // intervals for which the table had no room
  __u64 no_thread;                // times that a thread had to be noted, and there was no room
  __u64 no_stack;                 // stacks for which there was no room
  __u64 unseen;                   // switches off a CPU that must have been, and were not traced
  __u64 current;                  // the tid of the thread on the CPU; 0: idle, or not known; no count
  __u64 rows, stacks;             // new ones
  __u64 filtered;                 // intervals that do not count
};
