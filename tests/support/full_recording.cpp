#include "tests/support/full_recording.h"

#include <bit>
#include <string>

namespace perfsift::test {
namespace {

using namespace reader;
namespace bit = sample_bit;

// The event whose samples have every field except READ, the tracepoint, and an event whose samples have only a
// callchain.
constexpr std::uint64_t full_id = 31, tracepoint_id = 32, callchain_id = 33;
constexpr std::uint32_t tracepoint = 7;

class FullRecording {
 public:
  explicit FullRecording(ByteOrder order) : order_(order), in_(order) {}

  RecordingBuilder build() { return std::move(in_); }

  // The samples of this event have every field except READ. Other records have the trailer of this event.
  void add_full_event() {
    constexpr std::uint64_t all = (bit::weight_struct << 1) - 1;
    constexpr std::uint64_t full = all & ~(bit::read | bit::weight_struct);
    in_.event({.sample_period = 1000,
               .sample_type = full,
               .flags = sample_id_all,
               .branch_sample_type = branch_sample::hw_index | branch_sample::counters,
               .regs_user = 0b110,
               .stack_user = 16,
               .regs_intr = 0b1},
              {full_id});
  }

  void add_tracepoint_event() {
    in_.event({.type = event_type::tracepoint,
               .config = tracepoint,
               .sample_type = bit::identifier | bit::ip | bit::tid | bit::time | bit::cpu | bit::raw,
               .flags = sample_id_all},
              {tracepoint_id});
  }

  void add_callchain_event() {
    in_.event({.type = event_type::hardware,
               .sample_type = bit::identifier | bit::ip | bit::tid | bit::time | bit::callchain | bit::weight_struct,
               .flags = sample_id_all},
              {callchain_id, callchain_id + 1});
  }

  void add_sample(std::uint64_t time) {
    auto out = bytes();
    out.u64(full_id).u64(0x401010).u32(4007).u32(4008).u64(time).u64(0xadd).u64(full_id).u64(full_id).u32(1).u32(0);
    out.u64(999).u64(5).u64(callchain_context::kernel).u64(0xffffffff81000010).u64(callchain_context::user);
    out.u64(0x401010).u64(0x402020).u32(4).text("raw!");
    out.u64(1).u64(5).u64(0x401000).u64(0x402000).u64(0x11).u64(3);     // branch stack with counters
    out.u64(2).u64(0x7fff0000).u64(0x401010).u64(16).zeros(16).u64(8);  // registers and stack
    out.u64(12).u64(0x68100142).u64(1).u64(2).u64(0x77).u64(0x1234).u64(70).u64(4096).u64(4096);
    out.u64(8).text("aux area");
    in_.record(RecordType::sample, out, 2);
  }

  void add_tracepoint_sample(std::uint64_t time) {
    auto out = bytes();
    out.u64(tracepoint_id).u64(0xffffffff81000010).u32(4007).u32(4008).u64(time).u32(1).u32(0);
    out.u32(20).u16(tracepoint).u8(0).u8(0).u32(7).u32(42).u32(4 << 16 | 16).text("abc").u8(0);
    in_.record(RecordType::sample, out, 1);
  }

  // A sample whose user frames come later, and the record that has these frames.
  void add_deferred_callchain(std::uint64_t time) {
    auto out = bytes();
    out.u64(callchain_id).u64(0xffffffff81000010).u32(4007).u32(4008).u64(time);
    out.u64(4).u64(callchain_context::kernel).u64(0xffffffff81000010).u64(callchain_context::user_deferred).u64(0xc0);
    in_.record(RecordType::sample, out.u64(0x0001000200000003), 1);
    add(time + 1, RecordType::callchain_deferred, bytes().u64(0xc0).u64(2).u64(callchain_context::user).u64(0x401010));
  }

  void add_tracing_data() {
    const auto data = tracing_data(order_);
    in_.record_and_data(RecordType::header_tracing_data, bytes().u32(static_cast<std::uint32_t>(data.size())), data);
  }

  void add_what_perf_makes_up() {
    in_.record(RecordType::header_event_type, bytes().u64(tracepoint).padded("sched:x"));
    in_.record(RecordType::id_index, bytes().u64(1).u64(full_id).u64(0).u64(1).u64(7).u64(0).u64(0));
    in_.record(RecordType::thread_map, bytes().u64(1).u64(7).text("demo").zeros(12));
    in_.record(RecordType::cpu_map, bytes().u16(1).u16(1).u16(8).zeros(4).u64(3));
    in_.record(RecordType::event_update, bytes().u64(2).u64(callchain_id).padded("named"));
    in_.record(RecordType::event_update, bytes().u64(1).u64(callchain_id).u64(std::bit_cast<std::uint64_t>(0.5)));
    in_.record(RecordType::event_update, bytes().u64(3).u64(callchain_id).u16(0).u16(1).u16(1).zeros(2));
    in_.record(RecordType::time_conv, bytes().u64(31).u64(1000).u64(7).u64(8).u64(0xffffff).u8(1).u8(0).zeros(6));
    in_.record(RecordType::header_build_id, bytes().u32(~0u).text("ABCDEFGHIJKLMNOPQRST").zeros(4).padded("/bin/demo"),
               2);
    add(0, RecordType::mmap,
        bytes()
            .u32(~0u)
            .u32(0)
            .u64(0xffffffff81000000)
            .u64(0x1000000)
            .u64(0xffffffff81000000)
            .padded("[kernel.kallsyms]_text"),
        1);
    in_.record(RecordType::finished_init, bytes());
  }

  void add_side_band() {
    const auto range = [this] { return bytes().u32(4007).u32(4007); };
    add(10, RecordType::comm, range().padded("demo"), misc::comm_exec);
    add(11, RecordType::mmap, range().u64(0x401000).u64(0x1000).u64(0x1000).padded("/bin/demo"), 2);
    add(12, RecordType::mmap2,
        range().u64(0x402000).u64(0x1000).u64(0).u32(8).u32(1).u64(12).u64(3).u32(5).u32(2).padded("/lib/a.so"), 2);
    add(13, RecordType::mmap2,
        range()
            .u64(0x402800)
            .u64(0x1000)
            .u64(0)
            .u8(20)
            .zeros(3)
            .text("ABCDEFGHIJKLMNOPQRST")
            .u32(5)
            .u32(2)
            .padded("//anon"),
        2 | misc::mmap_build_id);
    add(14, RecordType::fork, bytes().u32(4009).u32(4007).u32(4009).u32(4007).u64(14));
    add(15, RecordType::exit, bytes().u32(4009).u32(4007).u32(4009).u32(4007).u64(15));
    add(16, RecordType::namespaces, range().u64(2).u64(4).u64(0xeffffffc).u64(4).u64(0xeffffffd));
    add(17, RecordType::ksymbol, bytes().u64(0xffffffffc0001000).u32(300).u16(1).u16(0).padded("bpf_prog_1_x"));
    add(18, RecordType::ksymbol, bytes().u64(0xffffffffc0001000).u32(300).u16(1).u16(1).padded("bpf_prog_1_x"));
    add(19, RecordType::bpf_event, bytes().u16(1).u16(0).u32(17).text("tag of 8"));
    add(20, RecordType::cgroup, bytes().u64(70).padded("/system.slice"));
    add(21, RecordType::text_poke, bytes().u64(0xffffffff81000020).u16(2).u16(2).text("olnw"));
    add(22, RecordType::switch_, bytes(), misc::switch_out);
    add(23, RecordType::switch_cpu_wide, range());
    add(24, RecordType::itrace_start, range());
    add(25, RecordType::aux_output_hw_id, bytes().u64(3));
  }

  void add_losses() {
    add(31, RecordType::throttle, bytes().u64(31).u64(full_id).u64(full_id));
    add(32, RecordType::unthrottle, bytes().u64(32).u64(full_id).u64(full_id));
    add(33, RecordType::lost, bytes().u64(full_id).u64(5));
    add(34, RecordType::lost_samples, bytes().u64(6));
    add(35, RecordType::aux, bytes().u64(0).u64(4096).u64(1));
    add(36, RecordType::read, bytes().u32(4007).u32(4008).u64(1000));
  }

  void add_perfs_records() {
    in_.record(RecordType::auxtrace_info, bytes().u32(1).u32(0).u64(8));
    in_.record_and_data(RecordType::auxtrace, bytes().u64(24).u64(0).u64(0).u32(0).u32(8).u32(1).u32(0),
                        BytesBuilder().text("twenty-four bytes of aux").view());
    in_.record(RecordType::auxtrace_error,
               bytes().u32(1).u32(2).u32(1).u32(4007).u32(4008).u32(1).u64(0x401010).u64(77).padded("no sync"));
    in_.record(RecordType::stat_config, bytes().u64(1).u64(1).u64(1000));
    in_.record(RecordType::stat, bytes().u64(full_id).u32(1).u32(0).u64(3).u64(4).u64(5));
    in_.record(RecordType::stat_round, bytes().u64(1).u64(77));
    auto metadata = bytes();
    metadata.text("my_prog").zeros(249).u64(1).text("version").zeros(57).text("3").zeros(255);
    in_.record(RecordType::bpf_metadata, metadata);
    in_.record(RecordType::schedstat_cpu, bytes().u64(100).u32(3).u16(17).u16(0).zeros(48));
    in_.record(RecordType::schedstat_domain, bytes().u64(100).u32(3).u16(16).u16(1).zeros(144));
    in_.record(static_cast<RecordType>(120), bytes().text("unknown."));
  }

  void add_round() { in_.round(); }

  void add_features_of_text() {
    text_feature(Feature::hostname, "host");
    text_feature(Feature::os_release, "6.1.0");
    text_feature(Feature::version, "6.1.192");
    text_feature(Feature::arch, "x86_64");
    text_feature(Feature::cpu_description, "A CPU");
    text_feature(Feature::cpu_id, "x,6,1");
    in_.feature(static_cast<Feature>(40), bytes().u64(1));
  }

  void add_features_of_numbers() {
    feature(Feature::nr_cpus, bytes().u32(2).u32(2));
    feature(Feature::total_memory, bytes().u64(4096));
    feature(Feature::branch_stack, bytes());
    feature(Feature::stat, bytes());
    feature(Feature::auxtrace, bytes().u64(1).u64(2).u64(3));
    feature(Feature::sample_time, bytes().u64(101).u64(108));
    feature(Feature::clock_id, bytes().u64(1));
    feature(Feature::dir_format, bytes().u64(1));
    feature(Feature::compressed, bytes().u32(1).u32(1).u32(1).u32(4).u32(528384));
    feature(Feature::clock_data, bytes().u32(1).u32(4).u64(1700000000).u64(77));
    feature(Feature::e_machine, bytes().u32(62).u32(0));
    feature(Feature::cln_size, bytes().u32(64));
  }

  void add_features_of_lists() {
    const auto list = [this](std::initializer_list<std::string_view> texts) {
      auto section = bytes();
      section.u32(static_cast<std::uint32_t>(texts.size()));
      for (const auto text : texts) section.header_string(text);
      return section;
    };
    feature(Feature::command_line, list({"perf", "record"}));
    auto topology = bytes();
    topology.bytes(list({"0-1"}).view()).bytes(list({"0", "1"}).view()).u32(0).u32(0).u32(1).u32(0);
    feature(Feature::cpu_topology, topology.bytes(list({"0-1"}).view()).u32(0).u32(0));
    auto numa = bytes();
    numa.u32(1).u32(0).u64(2000).u64(1000);
    feature(Feature::numa_topology, numa.header_string("0-1"));
    auto cache = bytes();
    cache.u32(1).u32(1).u32(2).u32(64).u32(1024).u32(16);
    feature(Feature::cache, cache.header_string("Unified").header_string("1024K").header_string("0-1"));
    feature(Feature::memory_topology, bytes().u64(1).u64(1 << 27).u64(1).u64(0).u64(65).u64(65).u64(0xff).u64(1));
    auto mapping = bytes();
    feature(Feature::pmu_mappings, mapping.u32(1).u32(4).header_string("cpu"));
    auto capabilities = bytes();
    feature(Feature::cpu_pmu_caps, capabilities.u32(1).header_string("branches").header_string("32"));
    auto others = bytes();
    feature(Feature::pmu_caps,
            others.u32(1).u32(1).header_string("branches").header_string("8").header_string("cpu_atom"));
    auto hybrid = bytes();
    feature(Feature::hybrid_topology, hybrid.u32(1).header_string("cpu_core").header_string("0-1"));
    auto domains = bytes();
    domains.u32(17).u32(1).u32(0).u32(1).u32(0);
    feature(Feature::cpu_domain_info, domains.header_string("MC").header_string("3").header_string("0-1"));
  }

  void add_features_of_events() {
    auto description = bytes();
    description.u32(1).u32(64).u32(1).u32(64).zeros(56).u32(1);
    feature(Feature::event_description, description.header_string("cpu-clock").u64(full_id));
    auto group = bytes();
    feature(Feature::group_description, group.u32(1).header_string("{group}").u32(0).u32(2));
    const auto entry = bytes().u32(~0u).text("ABCDEFGHIJKLMNOPQRST").zeros(4).padded("/lib/a.so").take();
    feature(Feature::build_id, bytes().record(static_cast<std::uint32_t>(RecordType::header_build_id), 2, entry));
  }

  void add_features_of_bpf() {
    auto program = bytes();
    program.u32(1).u32(192).u32(32).u64(1 << 3 | 1 << 4 | 1 << 8).u32(2).u32(17).zeros(56).text("my_prog").zeros(33);
    program.u32(2).u32(2).u64(0).u64(16).zeros(52).u32(1).u64(24);
    feature(Feature::bpf_prog_info,
            program.u64(0xffffffffc0001000).u64(0xffffffffc0002000).u32(1).u32(2).text("tag of 8"));
    feature(Feature::bpf_btf, bytes().u32(1).u32(9).u32(3).text("btf"));
  }

 private:
  BytesBuilder bytes() const { return in_.bytes(); }

  // A record of the kernel: its fields, and the trailer of the full event.
  void add(std::uint64_t time, RecordType type, BytesBuilder payload, std::uint16_t misc = 0) {
    payload.u32(4007).u32(4008).u64(time).u64(full_id).u64(full_id).u32(1).u32(0).u64(full_id);
    in_.record(type, payload, misc);
  }
  void feature(Feature number, const BytesBuilder& section) { in_.feature(number, section); }
  void text_feature(Feature number, std::string_view text) {
    auto section = bytes();
    in_.feature(number, section.header_string(text));
  }

  ByteOrder order_;
  RecordingBuilder in_;
};

std::vector<std::vector<std::byte>> compressed_pieces(Bytes content, std::size_t cut) {
  ZstdStream stream;
  auto first = stream.piece(content.first(cut));
  return {std::move(first), stream.piece(content.subspan(cut))};
}

RecordingBuilder samples_at(std::initializer_list<std::uint64_t> times) {
  RecordingBuilder in;
  for (const std::uint64_t time : times) in.sample_at(time, 0x401000 + time);
  return in;
}

}  // namespace

RecordingBuilder full_recording(ByteOrder order) {
  FullRecording in(order);
  in.add_full_event();
  in.add_tracepoint_event();
  in.add_callchain_event();
  in.add_features_of_text();
  in.add_features_of_numbers();
  in.add_features_of_lists();
  in.add_features_of_events();
  in.add_features_of_bpf();

  in.add_tracing_data();
  in.add_what_perf_makes_up();
  in.add_side_band();
  in.add_sample(101);
  in.add_tracepoint_sample(102);
  in.add_round();
  in.add_losses();
  in.add_deferred_callchain(103);
  in.add_sample(106);
  in.add_perfs_records();
  in.add_round();
  in.add_tracepoint_sample(107);
  in.add_sample(108);
  return in.build();
}

std::vector<NamedRecording> parts_of_full_recording(ByteOrder order) {
  struct Part {
    const char* name;
    void (*add)(FullRecording& in);
  };
  constexpr Part parts[] = {
      {"Samples", [](FullRecording& in) { in.add_callchain_event(), in.add_deferred_callchain(103), in.add_round(); }},
      {"Tracepoints",
       [](FullRecording& in) { in.add_tracepoint_event(), in.add_tracing_data(), in.add_tracepoint_sample(102); }},
      {"SideBand", [](FullRecording& in) { in.add_side_band(); }},
      {"Losses", [](FullRecording& in) { in.add_losses(); }},
      {"WhatPerfMakesUp", [](FullRecording& in) { in.add_what_perf_makes_up(); }},
      {"PerfsRecords", [](FullRecording& in) { in.add_perfs_records(); }},
      {"FeaturesOfText", [](FullRecording& in) { in.add_features_of_text(); }},
      {"FeaturesOfNumbers", [](FullRecording& in) { in.add_features_of_numbers(); }},
      {"FeaturesOfLists", [](FullRecording& in) { in.add_features_of_lists(); }},
      {"FeaturesOfEvents", [](FullRecording& in) { in.add_features_of_events(); }},
      {"FeaturesOfBpf", [](FullRecording& in) { in.add_features_of_bpf(); }},
  };
  std::vector<NamedRecording> recordings;
  for (const Part& part : parts) {
    FullRecording in(order);
    in.add_full_event();
    part.add(in);
    in.add_sample(106);
    recordings.push_back({part.name, in.build()});
  }
  return recordings;
}

RecordingBuilder recording_of_counters() {
  constexpr std::uint64_t format = read_format::group | read_format::id | read_format::lost |
                                   read_format::total_time_enabled | read_format::total_time_running;
  constexpr std::uint64_t fields = bit::identifier | bit::tid | bit::time | bit::read;
  RecordingBuilder in;
  in.event({.sample_type = fields, .read_format = format, .flags = sample_id_all}, {31});
  in.event({.config = 1, .sample_type = fields, .read_format = format, .flags = sample_id_all}, {32});
  for (std::uint64_t time = 1; time <= 4; ++time) {
    in.record(RecordType::sample, in.bytes()
                                      .u64(31)
                                      .u32(7)
                                      .u32(8)
                                      .u64(time)
                                      .u64(2)
                                      .u64(50)
                                      .u64(40)
                                      .u64(100 * time)
                                      .u64(31)
                                      .u64(0)
                                      .u64(7)
                                      .u64(32)
                                      .u64(time));
  }
  in.record(RecordType::read, in.bytes()
                                  .u32(7)
                                  .u32(8)
                                  .u64(2)
                                  .u64(50)
                                  .u64(40)
                                  .u64(500)
                                  .u64(31)
                                  .u64(0)
                                  .u64(7)
                                  .u64(32)
                                  .u64(9)
                                  .u32(7)
                                  .u32(8)
                                  .u64(5)
                                  .u64(31));
  return in;
}

RecordingBuilder compressed_recording() {
  RecordingBuilder in;
  in.timed_event().comm_at(0, 7, "demo");
  in.compressed(compressed_pieces(samples_at({1, 2, 3}).records(), 40)).round();
  return in;
}

RecordingBuilder compressed2_recording() {
  RecordingBuilder in;
  in.timed_event().comm_at(0, 7, "demo");
  const auto pieces = compressed_pieces(samples_at({1, 2, 3}).records(), 40);
  for (const auto& piece : pieces) in.compressed2({piece});
  return std::move(in.round());
}

std::vector<std::vector<std::byte>> recording_of_threads() {
  RecordingBuilder header;
  header.timed_event().comm_at(0, 7, "demo").feature(Feature::dir_format, header.bytes().u64(1));
  const RecordingBuilder plain = samples_at({1, 3, 5});
  RecordingBuilder compressed;
  compressed.compressed(compressed_pieces(samples_at({2, 4}).records(), 40));
  const auto copied = [](Bytes bytes) { return std::vector<std::byte>(bytes.begin(), bytes.end()); };
  return {header.file(), copied(plain.records()), copied(compressed.records())};
}

// See tools/perf/util/trace-event-info.c. Numbers are in the byte order of the machine that recorded the tracepoints.
std::vector<std::byte> tracing_data(ByteOrder order) {
  const bool big = (order == ByteOrder::native) == (std::endian::native == std::endian::big);
  const std::string page = "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n";
  const std::string format =
      "name: x\nID: 7\nformat:\n"
      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
      "\tfield:int number;\toffset:8;\tsize:4;\tsigned:1;\n"
      "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\n"
      "print fmt: \"%d %s %s\", REC->number, __get_str(name), __print_flags(REC->number, \"|\", { 2, \"two\" })\n";
  BytesBuilder out(order);
  out.text("\x17\x08\x44tracing0.6").u8(0).u8(big ? 1 : 0).u8(8).u32(4096);
  out.text("header_page").u8(0).u64(page.size()).text(page).text("header_event").u8(0).u64(0);
  out.u32(0).u32(1).text("sched").u8(0).u32(1).u64(format.size()).text(format);
  return out.u32(0).u32(0).u64(6).text("7 demo").take();
}

}  // namespace perfsift::test
