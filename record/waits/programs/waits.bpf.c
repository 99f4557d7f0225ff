// Measures waits in the kernel: each interval of a thread off its CPU is added to a row of a table.
//
//      sched_switch, the thread leaves     wait_threads[tid]: when, in which state, on which stacks
//      sched_waking                        wait_threads[tid]: when, by whom
//      sched_switch, the thread is back    wait_tables[0][thread, stacks, state, buckets] += blocked, run queue
//                                          or, over the threshold: an event in wait_events
//
// One map of threads for all CPUs: a thread that migrates comes back on another CPU. A row has the thread in its key,
// and one thread comes back on one CPU at a time, so rows need no atomic additions.
//
// No type of the kernel's headers is used: the structs here have the members in use, and the loader finds their places
// in the BTF of the running kernel (CO-RE).
// clang-format off
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
// clang-format on

#include "base/histogram_bucket.h"
#include "record/waits/programs/wait_maps.h"
#include "record/waits/programs/wait_types.h"

char the_license[] SEC("license") = "GPL";

#define KERNEL_TYPE __attribute__((preserve_access_index))

struct task_struct {
  int pid;   // the tid of user space
  int tgid;  // the pid of user space
  unsigned int __state;
  int exit_state;
  int prio;
  unsigned int flags;
  __u64 start_time;
  char comm[WAIT_COMM];
} KERNEL_TYPE;

// Before Linux 5.14.
struct task_struct___old {
  long state;
} KERNEL_TYPE;

// Raw tracepoints without BTF give addresses that the verifier does not know: each read is a call.
#ifdef WAITS_RAW_TRACEPOINTS
#define TRACEPOINT(name) SEC("raw_tp/" name)
#define FIELD(task, field) BPF_CORE_READ(task, field)
#else
#define TRACEPOINT(name) SEC("tp_btf/" name)
#define FIELD(task, field) ((task)->field)
#endif

#define ALWAYS_INLINE static __attribute__((always_inline)) inline

ALWAYS_INLINE const struct wait_control* control_if_enabled(void) {
  const __u32 first = 0;
  const struct wait_control* const control = bpf_map_lookup_elem(&wait_control, &first);
  return control && control->enabled ? control : 0;
}

ALWAYS_INLINE struct wait_counts* counts_here(void) {
  const __u32 first = 0;
  return bpf_map_lookup_elem(&wait_counts, &first);
}

// --- the state of a thread ---

// __trace_sched_switch_state() and __task_state_index() in include/linux: the highest bit of TASK_REPORT.
#define TASK_REPORT 0x7f
#define TASK_REPORT_IDLE 0x80
#define TASK_IDLE 0x402
#define TASK_RTLOCK_WAIT 0x1000
#define TASK_FROZEN 0x8000
#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_DEAD 0x80

ALWAYS_INLINE __u32 state_of(struct task_struct* task) {
  if (bpf_core_field_exists(task->__state)) return FIELD(task, __state);
  struct task_struct___old* const old = (void*)task;
  return BPF_CORE_READ(old, state);
}

ALWAYS_INLINE __u32 reported_state(__u32 state, __u32 exit_state) {
  if ((state & TASK_IDLE) == TASK_IDLE) return TASK_REPORT_IDLE;
  if (state & (TASK_RTLOCK_WAIT | TASK_FROZEN)) return TASK_UNINTERRUPTIBLE;
  __u32 bits = (state | exit_state) & TASK_REPORT;
  bits |= bits >> 1;
  bits |= bits >> 2;
  bits |= bits >> 4;
  return bits - (bits >> 1);
}

ALWAYS_INLINE int is_runnable(__u32 state) { return state == 0 || state == WAIT_PREEMPTED; }

// --- filters ---

ALWAYS_INLINE int is_of_kernel(struct task_struct* task) {
  const __u32 kernel_thread = 0x00200000;  // PF_KTHREAD
  return (FIELD(task, flags) & kernel_thread) != 0;
}

ALWAYS_INLINE int counts_thread(struct task_struct* task) {
  const __u32 tid = FIELD(task, pid), pid = FIELD(task, tgid);
  if (tid == 0) return 0;
  if (config.by_pid && !bpf_map_lookup_elem(&wait_pids, &pid)) return 0;
  if (config.by_tid && !bpf_map_lookup_elem(&wait_tids, &tid)) return 0;
  if (config.user_threads && is_of_kernel(task)) return 0;
  if (config.kernel_threads && !is_of_kernel(task)) return 0;
  if (config.by_comm) {
    char comm[WAIT_COMM] = {};
    bpf_probe_read_kernel_str(comm, sizeof comm, &task->comm);
    if (!bpf_map_lookup_elem(&wait_comms, comm)) return 0;
  }
  return 1;
}

// Of the thread that leaves its CPU.
ALWAYS_INLINE int counts_wait(__u32 state, __u64 cgroup) {
  if (config.states && !(config.states & (state == 0 ? WAIT_PREEMPTED : state))) return 0;
  if (config.by_cgroup && !bpf_map_lookup_elem(&wait_cgroups, &cgroup)) return 0;
  return 1;
}

// --- stacks ---

// The hash of a stack of the current thread, which is stored under it; 0: there is none.
ALWAYS_INLINE __u64 stack_here(void* context, __u64 flags) {
  const __u32 first = 0;
  struct wait_stack* const stack = bpf_map_lookup_elem(&wait_scratch, &first);
  if (!stack) return 0;
  const long bytes = bpf_get_stack(context, stack->word, sizeof stack->word, flags);
  if (bytes <= 0) return 0;
  const __u32 words = (__u32)bytes / 8;
  __u64 hash = 0x9e3779b97f4a7c15 + words;
  for (__u32 i = 0; i < WAIT_STACK_WORDS; ++i) {
    if (i >= words) break;
    hash = (hash ^ stack->word[i]) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  if (hash == 0) hash = 1;
  if (bpf_map_lookup_elem(&wait_stacks, &hash)) return hash;
  stack->words = words;
  const int is_full = bpf_map_update_elem(&wait_stacks, &hash, stack, BPF_ANY) != 0;
  struct wait_counts* const counts = counts_here();
  if (counts && is_full) counts->no_stack++;
  if (counts && !is_full) counts->stacks++;
  return is_full ? 0 : hash;
}

// --- copies of stacks ---

ALWAYS_INLINE void count_no_stack(void) {
  struct wait_counts* const counts = counts_here();
  if (counts) counts->no_stack++;
}

// Up to a page that is not in memory: a page fault cannot be handled here.
ALWAYS_INLINE __u32 copy_bytes(struct wait_copy* copy, __u64 from) {
  char* const bytes = (char*)(copy + 1);
  __u32 done = 0;
  for (int page = 0; page <= WAIT_MOST_COPIED / WAIT_PAGE; ++page) {
    if (done >= config.copied) break;
    __u32 size = WAIT_PAGE - (__u32)((from + done) & (WAIT_PAGE - 1));
    if (size > WAIT_PAGE) break;
    if (bpf_probe_read_user(bytes + done, size, (void*)(from + done))) break;
    done += size;
  }
  return done < config.copied ? done : config.copied;
}

// Of the current thread, which leaves its CPU.
ALWAYS_INLINE void copy_stack(__u32 tid, __u64 left) {
  const __u32 first = 0;
  struct wait_copy* const copy = bpf_map_lookup_elem(&wait_copy_scratch, &first);
  if (!copy) return;
  void* const registers = (void*)bpf_task_pt_regs(bpf_get_current_task_btf());
  if (config.registers > WAIT_REGISTERS_ARM64 || config.stack_pointer >= WAIT_REGISTERS_ARM64) return;
  if (bpf_probe_read_kernel(copy->registers, config.registers * sizeof(__u64), registers)) return;
  copy->left = left;
  copy->tid = tid;
  copy->bytes = copy_bytes(copy, copy->registers[config.stack_pointer]);
  if (bpf_map_update_elem(&wait_copies, &tid, copy, BPF_ANY)) count_no_stack();
}

ALWAYS_INLINE void send_copy(__u32 tid, __u64 left) {
  struct wait_copy* const copy = bpf_map_lookup_elem(&wait_copies, &tid);
  if (!copy || copy->left != left) return;
  __u32 bytes = copy->bytes;
  if (bytes > config.copied) bytes = config.copied;
  if (bpf_ringbuf_output(&wait_events, copy, sizeof *copy + bytes, BPF_RB_NO_WAKEUP)) count_no_stack();
}

// --- rows ---

// Adds `row`, which is one interval.
ALWAYS_INLINE void add_row(const struct wait_key* key, const struct wait_row* row) {
  const __u32 first = 0;
  void* const table = bpf_map_lookup_elem(&wait_tables, &first);
  if (!table) return;
  struct wait_row* const known = bpf_map_lookup_elem(table, key);
  if (!known) {
    const int is_full = bpf_map_update_elem(table, key, row, BPF_ANY) != 0;
    struct wait_counts* const counts = counts_here();
    if (counts && is_full)
      counts->left_out += row->count, counts->left_out_time += row->blocked + row->run_queue + row->unknown;
    if (counts && !is_full) counts->rows++;
    return;
  }
  known->count += row->count;
  known->blocked += row->blocked;
  known->run_queue += row->run_queue;
  known->ran += row->ran;
  known->unknown += row->unknown;
  known->last = row->last;
  if (row->longest > known->longest) {
    known->longest = row->longest;
    known->longest_run_queue = row->longest_run_queue;
  }
}

ALWAYS_INLINE void add_wait(const struct wait_thread* thread, __u32 tid, __u64 end, __u32 flags) {
  const __u64 length = end - thread->left;
  __u64 run_queue = 0;
  if (is_runnable(thread->state))
    run_queue = length;
  else if (thread->woken >= thread->left &&
           thread->woken <= end)  // not of another wait, and not by a clock that is ahead
    run_queue = end - thread->woken, flags |= WAIT_WOKEN;
  const __u64 blocked = length - run_queue;
  const struct wait_key key = {.thread_start = thread->start,
                               .user_stack = thread->user_stack,
                               .kernel_stack = thread->kernel_stack,
                               .tid = tid,
                               .state = thread->state,
                               .blocked = histogram_bucket(blocked),
                               .run_queue = histogram_bucket(run_queue),
                               .flags = flags};
  const struct wait_row row = {.count = 1,
                               .blocked = blocked,
                               .run_queue = run_queue,
                               .longest = length,
                               .longest_run_queue = run_queue,
                               .ran = thread->ran,
                               .unknown = thread->unknown,
                               .last = end,
                               .pid = thread->pid};
  add_row(&key, &row);
}

// The time of a thread up to now, if a switch of it was not traced: back onto its CPU, or away from it.
ALWAYS_INLINE __u64 unknown_until(const struct wait_thread* thread, __u64 now) {
  if (thread->left) return thread->unknown + now - thread->left;
  if (thread->gone) return thread->unknown + now - thread->came;
  return thread->unknown;
}

// The time of a thread on its CPU up to now.
ALWAYS_INLINE __u64 ran_until(const struct wait_thread* thread, __u64 now) {
  return thread->came && !thread->gone ? now - thread->came : 0;
}

// Time that no wait with this tid follows: the thread ends, or gets another tid.
ALWAYS_INLINE void add_last(const struct wait_thread* thread, __u32 tid, __u64 now) {
  const struct wait_key key = {.thread_start = thread->start, .tid = tid, .flags = WAIT_NONE};
  const struct wait_row row = {
      .ran = ran_until(thread, now), .unknown = unknown_until(thread, now), .last = now, .pid = thread->pid};
  if (row.ran || row.unknown) add_row(&key, &row);
}

// False: there is no room in the ring buffer.
ALWAYS_INLINE int send(const struct wait_thread* thread, __u32 tid, __u64 end, struct wait_counts* counts) {
  if (config.copied) send_copy(tid, thread->left);
  struct wait_event* const event = bpf_ringbuf_reserve(&wait_events, sizeof *event, 0);
  if (!event) {
    if (counts) counts->not_sent++;
    return 0;
  }
  event->thread = *thread;
  event->end = end;
  event->tid = tid;
  event->cpu_entered = bpf_get_smp_processor_id();
  // The reader looks many times a second: waking it for each event would cost more than the event.
  bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
  if (counts) counts->sent++;
  return 1;
}

// --- events of the scheduler ---

ALWAYS_INLINE void new_thread(struct task_struct* task, const struct wait_thread* thread) {
  const __u32 tid = FIELD(task, pid);
  if (!bpf_map_update_elem(&wait_threads, &tid, thread, BPF_ANY)) return;
  struct wait_counts* const counts = counts_here();
  if (counts) counts->no_thread++;
}

// The entry of a thread; 0: there is none, or it is one of an earlier thread with this tid.
ALWAYS_INLINE struct wait_thread* thread_of(struct task_struct* task) {
  const __u32 tid = FIELD(task, pid);
  struct wait_thread* const thread = bpf_map_lookup_elem(&wait_threads, &tid);
  return thread && thread->start == FIELD(task, start_time) ? thread : 0;
}

ALWAYS_INLINE void leave(void* context, struct task_struct* task, int preempted, __u32 kernel_state, __u64 now,
                         struct wait_counts* counts) {
  const __u32 tid = FIELD(task, pid);
  struct wait_thread* const known = thread_of(task);
  const __u64 ran = known ? ran_until(known, now) : 0;
  const __u64 unknown = known ? unknown_until(known, now) : 0;
  if (kernel_state & TASK_DEAD) {
    if (!known) return;
    add_last(known, tid, now);
    bpf_map_delete_elem(&wait_threads, &tid);
    if (config.copied) bpf_map_delete_elem(&wait_copies, &tid);
    return;
  }
  const __u32 state = preempted ? WAIT_PREEMPTED : reported_state(kernel_state, FIELD(task, exit_state));
  const __u64 cgroup = config.by_cgroup || config.over ? bpf_get_current_cgroup_id() : 0;
  if (!counts_thread(task) || !counts_wait(state, cgroup)) {
    if (known) known->left = known->came = known->gone = 0;
    if (counts) counts->filtered++;
    return;
  }
  struct wait_thread thread = {.start = FIELD(task, start_time),
                               .left = now,
                               .ran = ran,
                               .unknown = unknown,
                               .cgroup = cgroup,
                               .state = state,
                               .pid = FIELD(task, tgid),
                               .cpu = bpf_get_smp_processor_id(),
                               .priority = FIELD(task, prio),
                               .waker_cpu = -1};
  if (config.user_stacks) thread.user_stack = stack_here(context, BPF_F_USER_STACK);
  if (config.kernel_stacks) thread.kernel_stack = stack_here(context, 0);
  if (config.copied && !is_of_kernel(task)) copy_stack(tid, now);
  if (known)
    *known = thread;
  else
    new_thread(task, &thread);
}

// A thread that was never seen was off its CPU when measuring began, or there was no room for it.
ALWAYS_INLINE void enter_unseen(struct task_struct* task, __u64 begin, __u64 now, const struct wait_counts* counts) {
  if (!counts_thread(task)) return;
  struct wait_thread thread = {
      .start = FIELD(task, start_time), .left = begin, .state = WAIT_NOT_KNOWN, .pid = FIELD(task, tgid)};
  const int is_full = counts && counts->no_thread;
  const int limited = (config.states && !(config.states & WAIT_NOT_KNOWN)) || config.by_cgroup;
  if (!is_full && !limited && thread.start < begin) add_wait(&thread, FIELD(task, pid), now, WAIT_BEGAN_BEFORE);
  thread.left = 0;
  thread.came = now;
  new_thread(task, &thread);
}

ALWAYS_INLINE void enter(struct task_struct* task, __u64 begin, __u64 now, struct wait_counts* counts) {
  const __u32 tid = FIELD(task, pid);
  if (tid == 0) return;
  struct wait_thread* const thread = thread_of(task);
  if (!thread) return enter_unseen(task, begin, now, counts);
  const __u64 length = now - thread->left;
  const int counted = thread->left && length >= config.shortest && (!config.longest || length <= config.longest);
  const int sent = counted && config.over && length >= config.over && send(thread, tid, now, counts);
  if (counted && !sent) add_wait(thread, tid, now, 0);
  if (thread->left && !counted && counts) counts->filtered++;
  thread->unknown = thread->left ? 0 : unknown_until(thread, now);
  thread->left = 0;
  thread->came = now;
  thread->gone = 0;
}

// Some kernels do not trace the switches away from some threads (of a container's manager): the next switch on the CPU
// is away from another thread than the one that came last.
ALWAYS_INLINE void note_current(struct wait_counts* counts, __u32 prev, __u32 next) {
  const __u32 current = counts->current;
  counts->current = next;
  if (current == 0 || current == prev) return;
  struct wait_thread* const thread = bpf_map_lookup_elem(&wait_threads, &current);
  if (!thread || !thread->came) return;
  thread->gone = 1;
  counts->unseen++;
}

TRACEPOINT("sched_switch")
int on_switch(__u64* context) {
  const struct wait_control* const control = control_if_enabled();
  if (!control) return 0;
  struct task_struct *const prev = (void*)context[1], *const next = (void*)context[2];
  struct wait_counts* const counts = counts_here();
  if (counts) {
    counts->switches++;
    note_current(counts, FIELD(prev, pid), FIELD(next, pid));
  }
  const __u64 now = bpf_ktime_get_ns();
  // A thread that is woken at this moment has another state already: only the argument is that of the switch.
  const __u32 state = config.switch_has_state ? (__u32)context[3] : state_of(prev);
  if (FIELD(prev, pid) != 0) leave(context, prev, (int)context[0], state, now, counts);
  enter(next, control->begin, now, counts);
  return 0;
}

ALWAYS_INLINE void note_waker(void* context, struct wait_thread* thread, __u64 now) {
  const __u64 waker = bpf_get_current_pid_tgid();
  thread->waker_pid = waker >> 32;
  thread->waker_tid = (__u32)waker;
  thread->waker_cpu = bpf_get_smp_processor_id();
  if (now - thread->left < config.over) return;  // a stack for each wakeup would be too dear
  if (config.user_stacks) thread->waker_user_stack = stack_here(context, BPF_F_USER_STACK);
  if (config.kernel_stacks) thread->waker_kernel_stack = stack_here(context, 0);
}

// sched_waking comes in the context of the waker; sched_wakeup may come later, on another CPU.
TRACEPOINT("sched_waking")
int on_waking(__u64* context) {
  if (!control_if_enabled()) return 0;
  struct wait_counts* const counts = counts_here();
  if (counts) counts->wakeups++;
  struct task_struct* const task = (void*)context[0];
  struct wait_thread* const thread = thread_of(task);
  if (!thread || !thread->left || thread->woken || is_runnable(thread->state)) return 0;
  const __u64 now = bpf_ktime_get_ns();
  if (config.over) note_waker(context, thread, now);
  thread->woken = now;
  return 0;
}

// A thread may be woken after it was taken off the run queue, and before sched_switch says so: then sched_waking came
// too early for this wait.
TRACEPOINT("sched_wakeup")
int on_wakeup(__u64* context) {
  if (!control_if_enabled()) return 0;
  struct wait_thread* const thread = thread_of((void*)context[0]);
  if (thread && thread->left && !thread->woken && !is_runnable(thread->state)) thread->woken = bpf_ktime_get_ns();
  return 0;
}

// The children of what is measured are measured, too.
TRACEPOINT("sched_process_fork")
int on_fork(__u64* context) {
  struct task_struct *const parent = (void*)context[0], *const child = (void*)context[1];
  const __u8 one = 1;
  const __u32 parent_pid = FIELD(parent, tgid), parent_tid = FIELD(parent, pid);
  const __u32 pid = FIELD(child, tgid), tid = FIELD(child, pid);
  if (config.inherit && config.by_pid && bpf_map_lookup_elem(&wait_pids, &parent_pid))
    bpf_map_update_elem(&wait_pids, &pid, &one, BPF_ANY);
  if (config.inherit && config.by_tid && bpf_map_lookup_elem(&wait_tids, &parent_tid))
    bpf_map_update_elem(&wait_tids, &tid, &one, BPF_ANY);
  if (!control_if_enabled() || !counts_thread(child)) return 0;
  const __u64 cgroup = bpf_get_current_cgroup_id();
  if (!counts_wait(WAIT_CREATED, cgroup)) return 0;
  const struct wait_thread thread = {.start = FIELD(child, start_time),
                                     .left = bpf_ktime_get_ns(),
                                     .cgroup = cgroup,
                                     .state = WAIT_CREATED,
                                     .pid = pid,
                                     .cpu = -1,
                                     .priority = FIELD(child, prio),
                                     .waker_cpu = -1};
  new_thread(child, &thread);
  return 0;
}

TRACEPOINT("sched_wakeup_new")
int on_wakeup_new(__u64* context) {
  if (!control_if_enabled()) return 0;
  struct wait_counts* const counts = counts_here();
  if (counts) counts->wakeups++;
  struct wait_thread* const thread = thread_of((void*)context[0]);
  if (!thread || thread->state != WAIT_CREATED || !thread->left || thread->woken) return 0;
  const __u64 now = bpf_ktime_get_ns();
  if (config.over) note_waker(context, thread, now);
  thread->woken = now;
  return 0;
}

// A thread that is not the first of its process and executes a program gets the first one's tid (de_thread() in
// fs/exec.c), and its old tid ends without a switch.
TRACEPOINT("sched_process_exec")
int on_exec(__u64* context) {
  struct task_struct* const task = (void*)context[0];
  const __u32 old_tid = (__u32)context[1], tid = FIELD(task, pid);
  if (old_tid == tid) return 0;
  if (config.by_tid && bpf_map_lookup_elem(&wait_tids, &old_tid)) {
    const __u8 one = 1;
    bpf_map_update_elem(&wait_tids, &tid, &one, BPF_ANY);
  }
  struct wait_thread* const thread = bpf_map_lookup_elem(&wait_threads, &old_tid);
  if (!thread) return 0;
  const __u64 now = bpf_ktime_get_ns();
  add_last(thread, old_tid, now);
  bpf_map_delete_elem(&wait_threads, &old_tid);
  struct wait_thread* const leader = thread_of(task);
  if (leader) leader->came = now;
  return 0;
}
