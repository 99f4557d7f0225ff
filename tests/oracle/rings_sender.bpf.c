// Sends an event with a known content into a perf event array and into a ring buffer, at each system call of a process.
// bpf_helpers.h needs the types of bpf.h.
// clang-format off
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
// clang-format on

#include "rings_event.h"

char the_license[] SEC("license") = "GPL";

struct {
  __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
  __uint(key_size, 4);
  __uint(value_size, 4);
} rings_array SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 1 << 18);
} rings_buffer SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct counts);
} rings_counts SEC(".maps");

const volatile __u32 sender = 0;  // the process

// clang writes only types that something global has into the BTF.
const struct event* type_of_payloads __attribute__((unused));

static void fill(struct event* event, __u64 number, __u32 cpu) {
  __builtin_memset(event, 0, sizeof *event);
  event->number = number;
  event->cpu = cpu;
  event->state = number % 3 == 0 ? IDLE : number % 3 == 1 ? WAITING : FAILED;
  __builtin_memcpy(event->name, "worker\n\x1b[31m", 12);
  event->from.x = -(short)(number & 0xff);
  event->from.y = (int)number;
  event->hops[0].x = 1;
  event->hops[1].y = -2;
  event->kind = number & 7;
  event->delta = -1 - (int)(number & 7);
  event->wide = 0x123456789 + number;
  event->address = (void*)(0xffff800000000000 + number);
  event->sizes[0] = 1;
  event->sizes[1] = 20;
  event->sizes[2] = 300;
  event->any.word = 0x01020304;
  event->is_last = number & 1;
}

SEC("raw_tp/sys_enter")
int send(void* context) {
  if (bpf_get_current_pid_tgid() >> 32 != sender) return 0;
  __u32 first = 0;
  struct counts* counts = bpf_map_lookup_elem(&rings_counts, &first);
  if (!counts) return 0;

  struct event event;
  const __u32 cpu = bpf_get_smp_processor_id();
  fill(&event, counts->array_sent, cpu);
  counts->array_sent++;
  if (bpf_perf_event_output(context, &rings_array, BPF_F_CURRENT_CPU, &event, sizeof event)) counts->array_failed++;

  fill(&event, counts->buffer_sent, cpu);
  counts->buffer_sent++;
  if (bpf_ringbuf_output(&rings_buffer, &event, sizeof event, 0)) counts->buffer_failed++;

  // Discarded records must not be seen.
  if ((counts->buffer_sent & 15) == 0) {
    void* const discarded = bpf_ringbuf_reserve(&rings_buffer, 24, 0);
    if (discarded) bpf_ringbuf_discard(discarded, 0);
  }
  return 0;
}

// Payloads that are longer than a record of perf.
SEC("raw_tp/sys_enter")
int send_long(void* context) {
  if (bpf_get_current_pid_tgid() >> 32 != sender) return 0;
  struct event* const event = bpf_ringbuf_reserve(&rings_buffer, 100000, 0);
  if (!event) return 0;
  fill(event, 7, 0);
  bpf_ringbuf_submit(event, 0);
  return 0;
}
