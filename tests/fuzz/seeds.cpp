// fuzz_seeds DIRECTORY: writes the seeds for fuzzing, in a folder below DIRECTORY for each target.
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <zlib.h>

#include "analysis/collect/stack_collector.h"
#include "output/pprof/pprof.h"
#include "symbolize/dwarf/cached_debug_info.h"
#include "symbolize/dwarf/dwarf_units.h"
#include "symbolize/search/vdso.h"
#include "symbolize/symbols/cached_symbols.h"
#include "symbolize/unwind/cached_rules.h"
#include "symbolize/unwind/unwind_table.h"
#include "tests/fuzz/corpus.h"
#include "tests/fuzz/input_seeds.h"
#include "tests/record/bpf/made_btf.h"
#include "tests/support/dwarf_program.h"
#include "tests/support/elf_builder.h"
#include "tests/support/full_recording.h"
#include "tests/support/ibs_recording.h"
#include "tests/support/jit_dump.h"
#include "tests/support/paths.h"
#include "tests/support/plt_program.h"
#include "tests/support/spe_recording.h"
#include "tests/support/temporary.h"

namespace perfsift::test {
namespace {

struct Seed {
  std::string name;
  RecordingBuilder recording;
};

std::vector<Seed> recordings() {
  return {{"full", full_recording()},
          {"swapped", full_recording(ByteOrder::swapped)},
          {"counters", recording_of_counters()},
          {"compressed", compressed_recording()}};
}

// Every call of library_fuzz.cpp, followed by each recording.
void add_calls(const fs::path& root) {
  const Corpus library(root, "library");
  for (const Seed& seed : recordings()) {
    for (const int two_threads : {0, 0x80}) {
      BytesBuilder bytes;
      bytes.u8(static_cast<std::uint8_t>(two_threads + 28));
      for (std::uint8_t call = 0; call < 28; ++call) bytes.u8(call).u8(0);
      library.add(seed.name + (two_threads != 0 ? ".threads" : ""), bytes.bytes(seed.recording.file()).view());
    }
  }
}

void add_recordings(const fs::path& root) {
  const Corpus file(root, "file"), pipe(root, "pipe"), writer(root, "writer");
  for (const auto& [name, recording] : recordings()) {
    file.add(name, recording.file());
    file.add(name + ".pipe", recording.pipe());
    writer.add(name, recording.file());
    writer.add(name + ".pipe", recording.pipe());
    for (const std::uint8_t piece : {3, 15}) {
      pipe.add(name + std::to_string(piece), BytesBuilder().u8(piece).bytes(recording.pipe()).view());
    }
  }
  file.add("never-finished", compressed_recording().file({.data_size = 0}));
  file.add("version-1", compressed_recording().file({.version_1 = true}));
}

// In the format of spe_fuzz.cpp: a byte that selects the facts in the recording, then the trace of a CPU.
void add_spe_traces(const fs::path& root) {
  const Corpus spe(root, "spe");
  for (std::uint8_t told = 0; told < 8; ++told) {
    const SpeMachine machine{.timed = (told & 2) != 0, .contexts = (told & 4) != 0};
    const auto trace = random_spe_trace(machine, told % SpeMachine::cpus, 1'000'000, 20);
    spe.add("trace" + std::to_string(told), BytesBuilder().u8(told).bytes(trace).view());
  }
}

// In the format of ibs_fuzz.cpp: a byte that selects the processor, then the raw data of a sample.
void add_ibs_registers(const fs::path& root) {
  const Corpus ibs(root, "ibs");
  constexpr std::uint8_t processors = 5;
  constexpr std::uint64_t far_load = 0x160081, any = 0x123456789abcdef;
  const IbsOpRegisters load{.instruction = any, .data = any, .data_2 = 3, .data_3 = far_load, .linear = any};
  const IbsOpRegisters branch{.data = any | std::uint64_t{1} << 37, .target = any};
  const IbsFetchRegisters fetch{.linear = any, .physical = any, .extension = any};
  for (std::uint8_t processor = 0; processor < processors; ++processor) {
    const std::uint32_t capabilities = IbsMachine{.zen4 = processor > 1, .newest = processor > 2}.capabilities();
    const auto add = [&](const std::string& name, Bytes raw) {
      ibs.add(name + std::to_string(processor), BytesBuilder().u8(processor).bytes(raw).view());
    };
    add("load", ibs_raw(capabilities, load));
    add("branch", ibs_raw(capabilities, branch));
    add("fetch", ibs_raw(capabilities, fetch));
  }
}

// In the format of compressed_fuzz.cpp: a ratio and a mmap_len, then pieces.
void add_compressed(const fs::path& root) {
  const Corpus compressed(root, "compressed");
  constexpr std::uint8_t any_bytes = 0, content = 1, repeated = 2;
  const auto head = [](std::uint32_t ratio, std::uint32_t mmap_len) { return BytesBuilder().u32(ratio).u32(mmap_len); };
  const auto add_run = [](BytesBuilder& to, std::uint16_t size, std::uint16_t count, std::uint8_t type) {
    to.u8(repeated).u16(size).u16(count).u8(type);
  };
  const auto add_piece = [](BytesBuilder& to, std::uint8_t kind, Bytes bytes) {
    to.u8(kind).u16(static_cast<std::uint16_t>(bytes.size())).bytes(bytes);
  };
  RecordingBuilder samples;
  samples.sample_at(2).sample_at(3).comm_at(4, 7, "demo");

  auto whole = head(20 << 20, 528384);
  add_piece(whole, content, samples.records().first(40));
  add_piece(whole, content, samples.records().subspan(40));
  add_run(whole, 32, 1000, 9);
  compressed.add("whole", whole.view());
  auto small_ring = head(~0u, 1 << 20);
  add_run(small_ring, 65528, 300, 120);
  add_piece(small_ring, content, samples.records());
  compressed.add("more-than-a-ring-buffer", small_ring.view());
  auto bomb = head(~0u, 1 << 30);
  for (int i = 0; i < 8; ++i) add_run(bomb, 65528, 360, 120);
  compressed.add("bomb", bomb.view());
  auto no_records = head(16 << 20, 4 << 20);
  add_run(no_records, 8, 60000, 0);
  add_piece(no_records, any_bytes, samples.records());
  compressed.add("no-records", no_records.view());
  auto stream = head(16 << 20, 4 << 20);
  ZstdStream zstd;
  add_piece(stream, any_bytes, zstd.piece(samples.records().first(50)));
  add_piece(stream, any_bytes, zstd.piece(samples.records().subspan(50)));
  compressed.add("stream", stream.view());
}

void add_features(const fs::path& root) {
  const Corpus features(root, "features");
  for (const ByteOrder order : {ByteOrder::native, ByteOrder::swapped}) {
    const std::uint32_t mark = order == ByteOrder::native ? 0 : 0x80;
    const RecordingBuilder full = full_recording(order);
    for (const auto& [number, section] : full.features()) {
      const auto marked = static_cast<std::uint8_t>(number | mark);
      features.add(std::to_string(marked), BytesBuilder().u8(marked).bytes(section).view());
    }
  }
  features.add("tracing-data", BytesBuilder().u8(1).bytes(tracing_data(ByteOrder::native)).view());
  std::ifstream recorded(PERFSIFT_SOURCE_DIR "/testdata/tracepoint/tracing_data", std::ios::binary);
  features.add("recorded-tracing-data", "\x01" + std::string(std::istreambuf_iterator<char>(recorded), {}));
}

void add_texts(const fs::path& root) {
  Corpus(root, "packed_names")
      .add("names",
           "perfsift-names\t1\nmangled\t1\nentry\t1040\nmissing\tthe file is stripped, and no debug file was found\n"
           "S\t1000\t1100\t1\t_ZN3app4workEv\nS\t1100\t1180\t0\tmain\nA\t1010\n"
           "F\t1\t0\t7\t3\t/src/app.cpp\thelper\nF\t0\t1\t20\t0\t/src/a%09b.cpp\t_ZN3app4workEv\n");
  Corpus(root, "kallsyms")
      .add("kernel",
           "ffffffff81000000 T _text\nffffffff81000000 T _stext\nffffffff81000100 t do_fork\n"
           "ffffffff81000100 W alias\nffffffff82000000 D data\nffffffff82000100 b bss\n0000000000000000 A absolute\n"
           "ffffffffc0a01000 t ext4_fill_super\t[ext4]\nffffffffc0b01000 t bpf_prog_6deef7357e7b4530\t[bpf]\n");
  Corpus(root, "kallsyms").add("restricted", "0000000000000000 T _text\n0000000000000000 t do_fork\n");
  Corpus(root, "perf_map")
      .add("jit",
           "1000 20 LazyCompile:~main app.js:1\n0x2000 0X10 with prefix\r\n1010 8 inner\nffffffffffffff00 1000 top\n");
}

std::string packed(const fs::path& path, const std::string& content) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  std::string bytes = content_of_file(path);
  fs::remove(path);
  return bytes;
}

// The output of perfsift export --to pprof.
void add_profiles(const fs::path& root) {
  const Corpus profiles(root, "pprof");
  for (const auto& [name, recording] : recordings()) {
    const fs::path data = root / "pprof.data", exported = root / "exported.pb.gz";
    Corpus(root, ".").add("pprof.data", recording.file());
    analysis::Profile profile;
    analysis::TableBuilder rows;
    symbolize::Symbolizer symbolizer;
    analysis::StackOptions stacks;
    stacks.frames.detail = analysis::FrameDetail::address;
    const filter::Filter all;
    const auto opened = reader::Recording::open(data);
    analysis::StackCollector collector(
        *opened, symbolizer, profile, stacks, [](const reader::Event& event) { return event.name; }, all);
    collector.add_rows_to(rows);
    collector.collect(1);
    const analysis::SampleTable table = std::move(rows).seal(profile);
    output::OutputFile out(exported);
    output::write_pprof({.profile = profile, .table = table, .events = profile.events_with_stacks()}, {}, out);
    out.commit();
    profiles.add(name, unpacked(exported));
    fs::remove(data);
    fs::remove(exported);
  }
}

// All forms of PLT entries, for both processors. The resolver of the indirect function is in the program, or outside of
// it.
void add_plts(const Corpus& elf) {
  const std::pair<std::string, std::uint16_t> machines[] = {{"x86_64", EM_X86_64}, {"aarch64", EM_AARCH64}};
  const std::pair<std::string, PltForm> forms[] = {
      {"lazy", PltForm::lazy}, {"now", PltForm::now}, {"protected", PltForm::protected_}};
  for (const auto& [machine_name, machine] : machines) {
    for (const auto& [form_name, form] : forms) {
      PltProgram program{.machine = machine, .form = form};
      const std::string name = "plt-" + machine_name + '-' + form_name;
      elf.add(name, program.image());
      program.resolver = PltProgram::text + 0x10000;
      elf.add(name + "-outside", program.image());
    }
  }
}

void add_elf_files(const fs::path& root) {
  const Corpus elf(root, "elf");
  for (const auto& entry : fs::directory_iterator(PERFSIFT_ELF_FILES))
    elf.add(entry.path().filename(), content_of_file(entry.path()));
  for (const std::uint16_t version : {4, 5})
    elf.add("version-" + std::to_string(version), dwarf_program(version).elf());
  const std::string object = packed(root / "object.gz", content_of_file(PERFSIFT_ELF_FILES "/object.o"));
  elf.add("packed", object);
  elf.add("mini", ElfBuilder().section(".gnu_debugdata", std::as_bytes(std::span(object))).take());
  if (const auto vdso = symbolize::running_vdso()) elf.add("vdso", vdso->image());
  add_plts(elf);
}

// The vDSO has signal frames, expressions and a search table.
void add_unwinding(const fs::path& root) {
  const auto vdso = symbolize::running_vdso();
  if (!vdso) return;
  Corpus(root, "unwind_table").add("vdso", vdso->image());
  const Corpus cfi(root, "cfi");
  if (const auto* section = vdso->section(".eh_frame"))
    cfi.add("vdso", BytesBuilder().u8(0).bytes(vdso->bytes(*section)).view());
  symbolize::Missing ignored{};
  const auto self = symbolize::ElfFile::open("/proc/self/exe", ignored);
  const auto* section = self ? self->section(".eh_frame") : nullptr;
  constexpr std::size_t some_functions = 4096;
  if (section != nullptr && self->bytes(*section).size() > some_functions)
    cfi.add("self", BytesBuilder().u8(0).bytes(self->bytes(*section).first(some_functions)).view());
}

void add_programs(const fs::path& root) {
  const Corpus dwarf(root, "dwarf");
  for (const std::uint16_t version : {4, 5}) {
    const DwarfProgram program = dwarf_program(version);
    BytesBuilder seed;
    for (std::uint8_t number = 0; number < std::size(dwarf_sections); ++number) {
      const auto section = program.sections.find(dwarf_sections[number]);
      if (section == program.sections.end()) continue;
      seed.u8(number).u16(static_cast<std::uint16_t>(section->second.size())).bytes(section->second);
    }
    dwarf.add("version-" + std::to_string(version), seed.view());
  }
}

void add_jit_dumps(const fs::path& root) {
  const Corpus jit_dumps(root, "jit_dump");
  for (const ByteOrder order : {ByteOrder::native, ByteOrder::swapped}) {
    const auto dump = JitDumpBuilder(order)
                          .debug_info(0x1000, {{0x1000, 3, "a.js"}, {0x1008, 4, "\xff"}})
                          .unwinding("frames", "header")
                          .load(10, 0x1000, 16, 1, "first")
                          .load(20, 0x1008, 16, 2, "second")
                          .move(30, 0x1000, 0x2000, 16, 1)
                          .record(3, 40, {});
    jit_dumps.add(order == ByteOrder::native ? "native" : "swapped", dump.view());
  }
}

void add_expressions(const fs::path& root) {
  const Corpus expressions(root, "expression");
  const std::string_view all[] = {
      "(pid == 1 || tid in {2, 4..8}) && !(cpu == 0), ip < 0xffff",
      "comm == 'a*' and sym =~ \"^x\\d\" and event not in {\"cycles:u\"}",
      "time in 10%..20% or time >= 1.5s and period > 64k",
      "stack has (dso == 'libc.so.6' && sym !~ 'lock') && leaf == caller && depth > 3 && stack is truncated",
      "mem.op == load && mem.lvl in {l1, l2} && mem.hit && misc & 2 && mem_snoop & hitm && has addr",
      "every(10) && first(100) && random(1%, 42) && ipc > 0.5",
      "within 5ms of (sched:sched_switch.prev_state == 'D') || between (pid == 1) and (next_pid == prev_pid)",
  };
  for (std::size_t i = 0; i < std::size(all); ++i) expressions.add(std::to_string(i), all[i]);
}

// The events that tests compare with perf, and descriptions of a PMU: see event_names_fuzz.cpp.
void add_event_names(const fs::path& root) {
  const Corpus names(root, "event_names");
  for (const char* machine : {"intel_skylake_sp", "intel_alder_lake", "amd_zen4", "arm_neoverse_n1"}) {
    std::istringstream lines(content_of(source_path(fmt::format("testdata/sysfs/{}.events", machine))));
    int number = 0;
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with('#')) names.add(fmt::format("{}-{}", machine, ++number), line);
  }
  names.add("alias", "fuzzed/other,wide=3/u\nconfig2:0-7,32-35\nwide=0x1f,event=?\n3.5e-1");
}

// Passes over an ordinary and an overwritten ring, in which records wrap: see rings_fuzz.cpp.
void add_rings(const fs::path& root) {
  const Corpus rings(root, "rings");
  const BytesBuilder records = std::move(BytesBuilder()
                                             .record(PERF_RECORD_SAMPLE, 0, BytesBuilder().zeros(1480).view())
                                             .record(PERF_RECORD_LOST, 0, BytesBuilder().u64(1).u64(7).view())
                                             .record(PERF_RECORD_LOST_SAMPLES, 0, BytesBuilder().u64(3).view()));
  const auto size = static_cast<std::uint16_t>(records.view().size());
  for (const std::uint8_t kind : {0, 1}) {
    BytesBuilder seed;
    seed.u8(kind);
    for (int pass = 0; pass < 5; ++pass) seed.u32(size).u16(size).bytes(records.view());
    rings.add(kind == 0 ? "ordinary" : "overwritten", seed.view());
  }
}

// A struct with each form of a field, and its payload: see btf_fuzz.cpp.
void add_btf(const fs::path& root) {
  MadeBtf made;
  const auto integer = made.integer("int", 4, 1), word = made.integer("unsigned int", 4);
  const auto letter = made.integer("char", 1, 1), byte = made.integer("unsigned char", 1);
  const auto point = made.structure("point", 8, {{"x", integer, 0}, {"y", made.constant(word), 32}});
  const auto state = made.enumeration("state", 4, {{"IDLE", 0}, {"BUSY", 2}, {"FAILED", -1}});
  const auto any = made.union_of("", 4, {{"word", word, 0}, {"bytes", made.array(byte, 4), 0}});
  made.structure("event", 64,
                 {{"name", made.array(letter, 8), 0},
                  {"from", point, 64},
                  {"hops", made.array(point, 2), 128},
                  {"state", state, 256},
                  {"low", integer, 288, 3},
                  {"high", made.alias("u32", word), 291, 12},
                  {"at", made.pointer(point), 320},
                  {"", any, 384},
                  {"last", made.integer("_Bool", 1, 4), 416},
                  {"texts", made.array(made.array(letter, 4), 2), 424}});
  const std::vector<std::byte> types = made.bytes();
  BytesBuilder seed;
  seed.u16(static_cast<std::uint16_t>(types.size())).bytes(types).text("name").zeros(28).u32(2).u32(0xffff).zeros(24);
  Corpus(root, "btf").add("event", seed.view());
}

// Three records, the second discarded, twice around the ring: see ring_buffer_fuzz.cpp.
void add_ring_buffer(const fs::path& root) {
  const Corpus rings(root, "ring_buffer");
  BytesBuilder records;
  records.u32(1200).u32(0).zeros(1200).u32(8 | 1u << 30).u32(0).zeros(8).u32(3).u32(0).zeros(8);
  const auto size = static_cast<std::uint16_t>(records.view().size());
  for (const std::uint8_t peeks : {0, 1}) {
    BytesBuilder seed;
    seed.u8(peeks);
    for (std::uint32_t pass = 0; pass < 5; ++pass) {
      const std::uint32_t begin = pass * size;
      seed.u32(begin + size).u32(begin).u16(static_cast<std::uint16_t>(begin)).u16(size).bytes(records.view());
    }
    rings.add(peeks == 0 ? "consumed" : "peeked", seed.view());
  }
}

void add_control(const fs::path& root) {
  Corpus(root, "control").add("all", "\5enable\ndisable\nping\nsnapshot\nstop\nenable cycles\n");
}

// The parts of a cache file in the format of symbol_cache_fuzz.cpp.
std::vector<std::byte> seed_of_parts(const std::string& path, std::uint8_t kind,
                                     const std::function<void(symbolize::CacheFileWriter&)>& add) {
  constexpr std::uint64_t limit = 1 << 20;
  symbolize::CacheFileWriter writer(path, "seed", limit);
  add(writer);
  writer.commit();
  const auto file = symbolize::CacheFile::open(path, "seed");
  fs::remove(path);
  BytesBuilder seed;
  seed.u8(kind);
  for (std::size_t i = 1; file && i < file->part_count(); ++i)
    seed.u16(static_cast<std::uint16_t>(file->part(i).size())).bytes(file->part(i));
  return seed.take();
}

// The formats of real tracepoints, with the fields of the fuzz target, on raw data of zeros and of other bytes.
void add_print_formats(const fs::path& root) {
  const Corpus formats(root, "print_format");
  const std::string_view all[] = {
      R"("pid=%d comm=%s flags=%s", REC->a, REC->d, __print_flags(REC->b & (1 | 2UL << 3), "|", { 0x1, "A" }, { (int)-1, "B" }))",
      R"("%s %s", __print_symbolic(REC->a, { 0, "ZERO" }, { UNKNOWN, "X" }, { -1, ((void *)0) }), __get_rel_str(g))",
      R"("%s {%s} %s", __print_array(REC->e, 4, sizeof(u32)), __print_hex(__get_dynamic_array(f), __get_dynamic_array_len(f)), __print_dynamic_array(f, 1))",
      R"("%p %pS %pI4 %pI6c %pISpc %pM %pU %*phN %*pbl %pad", (void *)REC->b, REC->c, REC->e, REC->d, REC->d, REC->d, REC->d, 4, REC->d, 64, REC->e, &REC->b)",
      R"("%-8s|%08.3llx|%*d|%.*s", REC->a < 0 ? "-" : REC->a > 3 ? REC->h : "+", REC->b / 1000 % REC->a, REC->a, 5, REC->a, REC->c)",
      R"("%d %lu\n", ({ int x = (REC->a); int y = (128); ((x) < (y) ? (x) : (y)); }), (unsigned long)~(REC->e[1] << 2) ^ -REC->b)",
      R"("%s %s %llu", __get_bitmask(f), __get_cpumask(f), __print_ns_to_secs(REC->b))",
  };
  for (std::size_t i = 0; i < std::size(all); ++i) {
    for (const std::uint8_t byte : {0, 1, 40}) {
      BytesBuilder seed;
      seed.u8(byte % 4).u8(96);
      for (int at = 0; at < 96; ++at) seed.u8(byte);
      formats.add(std::to_string(i) + "-" + std::to_string(byte), seed.text(all[i]).view());
    }
  }
}

void add_symbol_caches(const fs::path& root) {
  using namespace symbolize;
  const Corpus caches(root, "symbol_cache");
  const std::string path = root / "symbol_cache.tables";

  dwarf::DwarfUnits units(ElfFile::from_memory(dwarf_program(5).elf(), "program"), nullptr, "program", {});
  caches.add("units", seed_of_parts(path, 0, [&](CacheFileWriter& to) {
               CachedDebugInfo::add_cover(units.count(), units.take_cover(), to);
               CachedDebugInfo::add_unit(units.read(0).tables, "/nowhere/split.dwo\n1 2 3 4 5", to);
               CachedDebugInfo::add_unit(units.read(0).tables, "", to);
             }));
  caches.add("symbols", seed_of_parts(path, 2, [&](CacheFileWriter& to) {
               SymbolTable table;
               table.add({0x10, 0x80, "outer", Binding::global});
               table.add({0x20, 0x30, "inner", Binding::local});
               table.finish();
               write_symbols(table, to);
             }));
  if (const auto vdso = running_vdso()) {
    caches.add("rules", seed_of_parts(path, 1, [&](CacheFileWriter& to) {
                 CachedRules::add_functions(FlatArray(std::vector<IndexedFunction>(1)), to);
                 CachedRules::add_group(UnwindTable(vdso, nullptr).compile_all(), to);
               }));
  }
}

}  // namespace
}  // namespace perfsift::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "Usage: fuzz_seeds DIRECTORY\n";
    return 2;
  }
  perfsift::test::add_recordings(argv[1]);
  perfsift::test::add_calls(argv[1]);
  perfsift::test::add_compressed(argv[1]);
  perfsift::test::add_spe_traces(argv[1]);
  perfsift::test::add_ibs_registers(argv[1]);
  perfsift::test::add_features(argv[1]);
  perfsift::test::add_texts(argv[1]);
  perfsift::test::add_elf_files(argv[1]);
  perfsift::test::add_unwinding(argv[1]);
  perfsift::test::add_programs(argv[1]);
  perfsift::test::add_jit_dumps(argv[1]);
  perfsift::test::add_expressions(argv[1]);
  perfsift::test::add_event_names(argv[1]);
  perfsift::test::add_rings(argv[1]);
  perfsift::test::add_btf(argv[1]);
  perfsift::test::add_ring_buffer(argv[1]);
  perfsift::test::add_control(argv[1]);
  perfsift::test::add_print_formats(argv[1]);
  perfsift::test::add_symbol_caches(argv[1]);
  perfsift::test::add_profiles(argv[1]);
  perfsift::test::add_input_seeds(argv[1]);
}
