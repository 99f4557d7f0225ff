#include "reader/auxtrace/spe_trace.h"

#include <algorithm>

namespace perfsift::reader {
namespace {

namespace bit = sample_bit;

template <std::uint64_t events>
bool has_event(const SpeRecord& record) {
  return (record.events & events) != 0;
}
bool is_branch(const SpeRecord& record) { return record.branch; }
// perf 7.2 also takes calls and returns for memory samples: its bits for them are those of vector operations.
bool is_memory(const SpeRecord& record) { return record.load || record.store || record.vector; }
bool is_any(const SpeRecord&) { return true; }

constexpr SpeEventKind kinds[] = {
    {"l1d-miss", &TraceEvents::first_level, has_event<spe_event::l1_refill>},
    {"l1d-access", &TraceEvents::first_level, has_event<spe_event::l1_access>},
    {"llc-miss", &TraceEvents::last_level, has_event<spe_event::last_level_miss>},
    {"llc-access", &TraceEvents::last_level, has_event<spe_event::last_level_access>},
    {"tlb-miss", &TraceEvents::tlb, has_event<spe_event::tlb_walk>},
    {"tlb-access", &TraceEvents::tlb, has_event<spe_event::tlb_access>},
    {.name = "branch", .wanted = &TraceEvents::branches, .takes = is_branch, .at_target = true, .has_data = false},
    {"remote-access", &TraceEvents::remote, has_event<spe_event::remote_access>},
    {"memory", &TraceEvents::memory, is_memory},
    {.name = "instructions", .wanted = &TraceEvents::instructions, .takes = is_any, .at_target = true},
};

// Kernel addresses have ones at the top, other addresses have zeros.
constexpr std::uint64_t first_kernel_address = std::uint64_t{1} << 63;

// The first timestamp of the following records. 0: none has a timestamp.
std::uint64_t first_timestamp(SpeRecords records) {
  for (SpeRecord record; records.next(record);) {
    if (record.timestamp != 0) return record.timestamp;
  }
  return 0;
}

}  // namespace

std::vector<const SpeEventKind*> spe_event_kinds(const TraceEvents& wanted) {
  std::vector<const SpeEventKind*> result;
  for (const SpeEventKind& kind : kinds) {
    if (wanted.*kind.wanted) result.push_back(&kind);
  }
  return result;
}

// arm_spe_synth_events()
EventAttr spe_event_attr(const EventAttr& traced, bool timed) {
  constexpr std::uint64_t taken_over = bit::ip | bit::tid | bit::time | bit::addr | bit::id | bit::stream_id |
                                       bit::cpu | bit::period | bit::identifier | bit::phys_addr;
  constexpr std::uint64_t flags_taken_over = 1u << 4 | 1u << 5 | 1u << 6 |    // exclude_user, _kernel, _hv
                                             1u << 18 | 1u << 19 | 1u << 20;  // sample_id_all, exclude_host, _guest
  EventAttr attr{.type = event_type::hardware, .size = traced.size, .sample_period = 1};
  attr.sample_type = traced.sample_type & taken_over;
  attr.sample_type |= bit::ip | bit::tid | bit::period | bit::data_src | bit::weight | bit::addr;
  attr.sample_type = timed ? attr.sample_type | bit::time : attr.sample_type & ~bit::time;
  attr.flags = traced.flags & flags_taken_over;
  return attr;
}

SpeCounts& SpeCounts::operator+=(const SpeCounts& other) {
  records += other.records;
  samples += other.samples;
  damaged_bytes += other.damaged_bytes;
  cut_records += other.cut_records;
  return *this;
}

bool SpeTrace::add_piece(const Record& auxtrace, Moment moment) {
  const auto about = decode_auxtrace(auxtrace);
  if (!about) return false;
  pieces_.push_back({.data = auxtrace.trailing,
                     .offset = about->offset,
                     .queue = about->index,
                     .tid = about->tid,
                     .cpu = about->cpu,
                     .moment = moment,
                     .processor = spe_processor(settings_, cpu_id_, about->cpu)});
  return true;
}

bool SpePieceSamples::next() {
  if (!records_.next(record_)) return false;
  ++count_;
  newest_ = std::max(newest_, record_.timestamp);
  if (count_ == 1 && newest_ == 0) newest_ = first_timestamp(records_);
  if (record_.context != SpeRecord::no_context) context_ = static_cast<std::int32_t>(record_.context);
  return true;
}

SpeCounts SpePieceSamples::counts() const {
  return {.records = count_,
          .samples = samples_,
          .damaged_bytes = records_.damaged_bytes(),
          .cut_records = records_.cut_bytes() != 0 ? 1u : 0u};
}

// arm_spe_prep_sample(). perf recognises kernel code by the start of the kernel's text, which is wrong for modules
// below the text.
void SpePieceSamples::prepare() {
  const std::uint64_t newest = trace_.clock().time(newest_);
  const bool kernel = record_.program_counter >= first_kernel_address;
  sample_.moment = trace_.timed() ? Moment{newest, piece_.moment.position + records_.start()} : piece_.moment;
  sample_.cpumode = kernel ? CpuMode::kernel : CpuMode::user;
  sample_.misc = static_cast<std::uint16_t>(sample_.cpumode);
  sample_.ip = record_.program_counter;
  sample_.tid = thread();
  sample_.pid = process_of(sample_.tid, sample_.moment);
  sample_.time = trace_.timed() ? trace_.clock().time(record_.timestamp) : no_time;
  sample_.cpu = piece_.cpu;
  sample_.period = 1;
  sample_.seldom = ~std::uint64_t{0};
  sample_.weight = record_.total_latency;
  data_source_ = spe_data_source(record_, piece_.processor);
}

void SpePieceSamples::become(const SpeTrace::MadeEvent& made) {
  sample_.event = made.event;
  sample_.id = sample_.stream_id = made.event->ids.front();
  sample_.addr = made.kind->at_target ? record_.branch_target : record_.virtual_address;
  sample_.phys_addr = made.kind->has_data ? record_.physical_address : 0;
  sample_.data_src = made.kind->has_data ? data_source_ : 0;
}

// The trace of a thread says whose it is. The trace of a CPU has a context packet in each record; a kernel without
// CONFIG_PID_IN_CONTEXTIDR, or without the right to write it, leaves only the switches.
std::int32_t SpePieceSamples::thread() const {
  if (!trace_.timed() && piece_.tid != -1) return piece_.tid;
  if (context_ != -1) return context_;
  const std::int32_t switched = trace_.threads().at(piece_.cpu, newest_);
  return switched != -1 ? switched : piece_.tid;
}

std::int32_t SpePieceSamples::process_of(std::int32_t tid, Moment moment) {
  const bool known = known_ && known_tid_ == tid && known_->from <= moment && moment < known_->until;
  if (!known) {
    known_tid_ = tid;
    known_ = timeline_.thread(-1, tid, moment);
  }
  return known_->pid;
}

SpeMerge::SpeMerge(const SpeTrace& trace, const Timeline& timeline) : trace_(trace), timeline_(timeline) {
  for (const SpePiece& piece : trace.pieces()) queues_[piece.queue].pieces.push_back(&piece);
  for (auto& [number, queue] : queues_) {
    queue.number = number;
    if (advance(queue)) wait(queue);
  }
}

bool SpeMerge::advance(Queue& queue) {
  while (true) {
    if (queue.reading && queue.reading->next()) {
      queue.newest = trace_.timed() ? std::max(queue.newest, queue.reading->counter()) : 0;
      return true;
    }
    if (queue.reading) counts_ += queue.reading->counts();
    queue.reading.reset();
    if (queue.pieces.empty()) return false;
    queue.reading.emplace(trace_, timeline_, *queue.pieces.front());
    queue.pieces.pop_front();
  }
}

void SpeMerge::wait(Queue& queue) {
  heap_.push_back(&queue);
  std::ranges::push_heap(heap_, later);
}

SpeMerge::Queue& SpeMerge::take_first() {
  std::ranges::pop_heap(heap_, later);
  Queue& first = *heap_.back();
  heap_.pop_back();
  return first;
}

}  // namespace perfsift::reader
