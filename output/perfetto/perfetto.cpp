#include "output/perfetto/perfetto.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <protozero/pbf_writer.hpp>

#include "analysis/table/stack_node.h"
#include "base/printable_utf8.h"
#include "output/lanes/written_pieces.h"
#include "output/perfetto/fields.h"
#include "output/perfetto/interned.h"

namespace perfsift::output {
namespace {

using analysis::CallTree;
using analysis::SampleRow;
using perfetto::TracePacket;
using protozero::pbf_writer;

// The samples of one event, in the order of their times.
struct Sequence {
  analysis::EventId event = 0;
  std::uint32_t id = 0;
  std::vector<std::uint32_t> samples;  // index into the table's
  std::vector<std::uint64_t> counts;   // by sample: the sum of periods on its CPU
  std::vector<CallTree::Node> stacks;  // of the samples, each once
};

std::vector<Sequence> sequences_of(const ExportSource& source, const CallTree& tree) {
  std::vector<Sequence> sequences;
  std::vector<std::size_t> places(source.profile.events().size());
  for (const analysis::EventId event : source.events) {
    places[event] = sequences.size();
    sequences.push_back({.event = event, .id = static_cast<std::uint32_t>(sequences.size() + 2)});
  }
  std::map<std::pair<std::uint32_t, std::int32_t>, std::uint64_t> sums;
  const auto samples = source.table.samples();
  for (std::uint32_t i = 0; i < samples.size(); ++i) {
    Sequence& sequence = sequences[places[samples[i].event]];
    sequence.samples.push_back(i);
    sequence.counts.push_back(sums[{samples[i].event, samples[i].cpu}] += samples[i].value);
    if (const CallTree::Node node = analysis::node_of_stack(tree, samples[i].stack); node != CallTree::root)
      sequence.stacks.push_back(node);
  }
  for (Sequence& sequence : sequences) {
    std::ranges::sort(sequence.stacks);
    sequence.stacks.erase(std::unique(sequence.stacks.begin(), sequence.stacks.end()), sequence.stacks.end());
  }
  return sequences;
}

// Appends a packet to a Trace.
template <typename Fill>
void add_packet(std::string& trace, std::uint32_t sequence, Fill&& fill) {
  pbf_writer packets(trace);
  pbf_writer packet(packets, perfetto::Trace::packet);
  packet.add_uint32(TracePacket::trusted_packet_sequence_id, sequence);
  fill(packet);
}

constexpr std::uint32_t descriptors_sequence = 1;

// The names of processes and threads, each as it was last. Threads of unknown processes are shown as those of process
// 0, to which trace_processor gives samples without a PID.
std::string descriptors(const ExportSource& source) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::string_view> threads;
  for (const SampleRow& sample : source.table.samples()) {
    const analysis::SampleContext& context = source.table.context(sample.context);
    threads[{context.pid, context.tid}] = context.comm;
  }
  std::string trace;
  std::uint64_t uuid = 0;
  std::optional<std::int32_t> last_process;
  const auto add = [&](const auto& fill) {
    add_packet(trace, descriptors_sequence, [&](pbf_writer& packet) {
      pbf_writer track(packet, TracePacket::track_descriptor);
      track.add_uint64(perfetto::TrackDescriptor::uuid, ++uuid);
      fill(track);
    });
  };
  for (const auto& [thread, comm] : threads) {
    const auto [pid, tid] = thread;
    if (tid < 0) continue;
    if (pid != last_process) {
      const auto main = threads.find({pid, pid});
      const std::string_view known = main == threads.end() ? comm : main->second;
      const std::string name = printable_utf8(pid < 0 ? source.title : known);
      add([&, process = std::max(pid, 0)](pbf_writer& track) {
        pbf_writer descriptor(track, perfetto::TrackDescriptor::process);
        descriptor.add_int32(perfetto::ProcessDescriptor::pid, process);
        descriptor.add_string(perfetto::ProcessDescriptor::process_name, name);
      });
      last_process = pid;
    }
    add([process = std::max(pid, 0), number = tid, name = printable_utf8(comm)](pbf_writer& track) {
      pbf_writer descriptor(track, perfetto::TrackDescriptor::thread);
      descriptor.add_int32(perfetto::ThreadDescriptor::pid, process);
      descriptor.add_int32(perfetto::ThreadDescriptor::tid, number);
      descriptor.add_string(perfetto::ThreadDescriptor::thread_name, name);
    });
  }
  return trace;
}

// The slices of a CPU have a track of their own: a system-wide scheduler trace would claim that nothing else ran.
std::uint64_t track_of_cpu(std::int32_t cpu) { return std::uint64_t{1} << 32 | static_cast<std::uint32_t>(cpu); }

std::string cpu_tracks(const ExportSource& source) {
  std::string trace;
  std::int32_t last = -1;
  for (const offcpu::CpuSlice& slice : source.slices) {
    if (std::exchange(last, slice.cpu) == slice.cpu) continue;
    add_packet(trace, descriptors_sequence, [&](pbf_writer& packet) {
      pbf_writer track(packet, TracePacket::track_descriptor);
      track.add_uint64(perfetto::TrackDescriptor::uuid, track_of_cpu(slice.cpu));
      track.add_string(perfetto::TrackDescriptor::name, "CPU " + std::to_string(slice.cpu));
    });
  }
  return trace;
}

std::string cpu_slices(const ExportSource& source, std::size_t begin, std::size_t end) {
  std::string trace;
  for (std::size_t i = begin; i < end; ++i) {
    const offcpu::CpuSlice& slice = source.slices[i];
    const auto add = [&](std::uint64_t time, std::uint32_t type, const std::string& name) {
      add_packet(trace, descriptors_sequence, [&](pbf_writer& packet) {
        packet.add_uint64(TracePacket::timestamp, time);
        pbf_writer event(packet, TracePacket::track_event);
        event.add_uint32(perfetto::TrackEvent::type, type);
        event.add_uint64(perfetto::TrackEvent::track_uuid, track_of_cpu(slice.cpu));
        if (!name.empty()) event.add_string(perfetto::TrackEvent::name, name);
      });
    };
    add(slice.from, perfetto::TrackEvent::slice_begin, printable_utf8(slice.comm) + " " + std::to_string(slice.tid));
    add(slice.until, perfetto::TrackEvent::slice_end, {});
  }
  return trace;
}

// Wall-clock time at the start.
std::string clocks(const ExportSource& source) {
  std::string trace;
  if (!source.recorded_at) return trace;
  add_packet(trace, descriptors_sequence, [&](pbf_writer& packet) {
    pbf_writer snapshot(packet, TracePacket::clock_snapshot);
    const auto add = [&](std::uint32_t id, std::uint64_t time) {
      pbf_writer clock(snapshot, perfetto::ClockSnapshot::clocks);
      clock.add_uint32(perfetto::ClockSnapshot::clock_id, id);
      clock.add_uint64(perfetto::ClockSnapshot::timestamp, time);
    };
    add(perfetto::ClockSnapshot::boottime, source.first_time);
    add(perfetto::ClockSnapshot::realtime, *source.recorded_at);
  });
  return trace;
}

// The start of a sequence: its event, and what frames refer to.
std::string sequence_start(const ExportSource& source, const Sequence& sequence, const InternedFrames& frames) {
  std::string trace;
  add_packet(trace, sequence.id, [&](pbf_writer& packet) {
    packet.add_uint32(TracePacket::sequence_flags, TracePacket::state_cleared);
    {
      pbf_writer defaults(packet, TracePacket::trace_packet_defaults);
      pbf_writer of_samples(defaults, perfetto::TracePacketDefaults::perf_sample_defaults);
      pbf_writer timebase(of_samples, perfetto::PerfSampleDefaults::timebase);
      if (source.period.number != 0) timebase.add_uint64(perfetto::Timebase::period, source.period.number);
      timebase.add_string(perfetto::Timebase::name, printable_utf8(source.profile.events()[sequence.event]));
    }
    packet.add_message(TracePacket::interned_data, frames.frames());
  });
  return trace;
}

std::string stacks(const Sequence& sequence, const InternedFrames& frames, std::size_t begin, std::size_t end) {
  std::string data, trace;
  for (std::size_t i = begin; i < end; ++i) frames.append_stack(sequence.stacks[i], data);
  add_packet(trace, sequence.id, [&](pbf_writer& packet) {
    packet.add_uint32(TracePacket::sequence_flags, TracePacket::needs_state);
    packet.add_message(TracePacket::interned_data, data);
  });
  return trace;
}

std::string samples(const ExportSource& source, const CallTree& tree, const Sequence& sequence, std::size_t begin,
                    std::size_t end) {
  std::string trace;
  for (std::size_t i = begin; i < end; ++i) {
    const SampleRow& sample = source.table.samples()[sequence.samples[i]];
    const analysis::SampleContext& context = source.table.context(sample.context);
    add_packet(trace, sequence.id, [&](pbf_writer& packet) {
      packet.add_uint64(TracePacket::timestamp, sample.time == reader::no_time ? source.first_time : sample.time);
      packet.add_uint32(TracePacket::sequence_flags, TracePacket::needs_state);
      pbf_writer message(packet, TracePacket::perf_sample);
      if (sample.cpu >= 0) message.add_uint32(perfetto::PerfSample::cpu, static_cast<std::uint32_t>(sample.cpu));
      if (context.pid >= 0) message.add_uint32(perfetto::PerfSample::pid, static_cast<std::uint32_t>(context.pid));
      if (context.tid >= 0) message.add_uint32(perfetto::PerfSample::tid, static_cast<std::uint32_t>(context.tid));
      if (const CallTree::Node node = analysis::node_of_stack(tree, sample.stack); node != CallTree::root)
        message.add_uint64(perfetto::PerfSample::callstack_iid, node);
      message.add_uint32(perfetto::PerfSample::cpu_mode, sample.mode);  // has the numbers of perf
      message.add_uint64(perfetto::PerfSample::timebase_count, sequence.counts[i]);
    });
  }
  return trace;
}

// Calls add(begin, end) for parts of so many items.
template <typename Add>
void in_parts(std::size_t items, const Add& add) {
  constexpr std::size_t part_size = 4096;
  for (std::size_t at = 0; at < items; at += part_size) add(at, std::min(at + part_size, items));
}

}  // namespace

bool has_sums(const ExportSource& source) { return !source.table.sums().empty(); }

void write_perfetto(const ExportSource& source, OutputFile& out) {
  const CallTree tree(source.profile, {.event_frames = false}, source.threads);
  const std::vector<Sequence> sequences = sequences_of(source, tree);
  const InternedFrames frames(tree);
  std::vector<std::function<std::string()>> parts;
  parts.emplace_back([&] { return clocks(source) + descriptors(source) + cpu_tracks(source); });
  in_parts(source.slices.size(), [&](std::size_t begin, std::size_t end) {
    parts.emplace_back([&, begin, end] { return cpu_slices(source, begin, end); });
  });
  for (const Sequence& sequence : sequences) {
    parts.emplace_back([&] { return sequence_start(source, sequence, frames); });
    in_parts(sequence.stacks.size(), [&](std::size_t begin, std::size_t end) {
      parts.emplace_back([&, begin, end] { return stacks(sequence, frames, begin, end); });
    });
    in_parts(sequence.samples.size(), [&](std::size_t begin, std::size_t end) {
      parts.emplace_back([&, begin, end] { return samples(source, tree, sequence, begin, end); });
    });
  }
  write_pieces(source.threads, parts.size(), out,
               [&](std::size_t number, TextWriter& text) { text.text(parts[number]()); });
}

}  // namespace perfsift::output
