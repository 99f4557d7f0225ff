#include "analysis/memory/data_place.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <sys/mman.h>

#include "analysis/samples/frame_table.h"
#include "analysis/samples/stack_options.h"
#include "base/binary.h"
#include "symbolize/unwind/architecture.h"

namespace perfsift::analysis {
namespace {

constexpr std::array<std::string_view, 8> kind_names = {"file",   "stack", "heap",   "anonymous",
                                                        "shared", "vdso",  "kernel", "unmapped"};

// The stack pointer at the access. Nothing if it was not recorded, or the processor is not known.
std::optional<std::uint64_t> stack_pointer_of(const reader::Registers& registers, std::string_view machine) {
  const auto architecture = symbolize::architecture_of(machine, registers.abi);
  if (!architecture) return std::nullopt;
  const symbolize::ArchitectureFacts& facts = symbolize::facts_of(*architecture);
  const auto number = std::ranges::find(facts.from_perf, facts.stack_pointer);
  return registers.get(static_cast<unsigned>(number - facts.from_perf.begin()));
}

// Whether memory has a path but no file on a disk.
bool is_shared_memory(std::string_view path) {
  return path.starts_with("/dev/zero") || path.starts_with("/SYSV") || path.starts_with("/dev/shm/") ||
         path.starts_with("/memfd:");
}

}  // namespace

std::string_view name_of(DataKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

DataKind kind_of_mapping(std::string_view path, BinaryKind kind, bool shared) {
  if (kind == BinaryKind::vdso || kind == BinaryKind::vsyscall) return DataKind::vdso;
  if (is_shared_memory(path)) return DataKind::shared;
  if (kind == BinaryKind::elf) return DataKind::file;
  if (path.starts_with("[stack")) return DataKind::stack;
  if (path == "[heap]") return DataKind::heap;
  return shared ? DataKind::shared : DataKind::anonymous;
}

std::string unnamed_data(DataKind kind, std::string_view path, std::int32_t stack_of) {
  if (kind == DataKind::stack) return fmt::format("[stack of {}]", stack_of);
  if (kind == DataKind::heap) return "[heap]";
  if (kind == DataKind::anonymous) return "[anonymous]";
  if (kind == DataKind::unmapped) return "[unknown]";
  return unnamed_text(path, std::nullopt);
}

DataPlaces::DataPlaces(const reader::Recording& recording, CodeNames& names)
    : timeline_(recording.timeline()), names_(names), machine_(recording.features().arch) {}

DataPlace DataPlace::at(std::uint64_t address) const {
  DataPlace place = *this;
  place.location.address = address;
  place.location.offset += address - location.address;
  place.shared_offset += address - location.address;
  return place;
}

DataPlace DataPlaces::of(const reader::Sample& sample, const reader::ThreadState& thread) {
  DataPlace place{.location = names_.locate_in_any_mode(thread, sample.cpumode, sample.addr)};
  place.range = names_.range_of(place.location);
  if (!place.location.mapped()) return place;
  if (names_.in_kernel(place.location)) return place.kind = DataKind::kernel, place;
  const reader::Mapping* const mapping = timeline_.find(thread.maps, sample.addr);
  if (mapping == nullptr) return place.kind = DataKind::kernel, place;
  const Binary& binary = timeline_.binaries()[mapping->binary];
  place.shared_mapping = (mapping->flags & MAP_SHARED) != 0;
  place.kind = kind_of_mapping(binary.path, binary.kind, place.shared_mapping);
  place.shared_offset = mapping->to_offset(sample.addr);
  if (place.kind == DataKind::anonymous || place.kind == DataKind::heap) {
    look_in_bss(thread, place);
    if (place.location.symbol != nullptr) return place;
    if (is_own_stack(sample, *mapping)) {
      place.kind = DataKind::stack;
      place.stack_of = sample.tid;
    } else if (is_first_heap(*mapping, thread)) {
      place.kind = DataKind::heap;
    }
  } else if (place.kind == DataKind::stack) {
    place.stack_of = thread.pid;
  }
  return place;
}

void DataPlaces::look_in_bss(const reader::ThreadState& thread, DataPlace& place) {
  const auto in_file = names_.behind_file(thread, place.location);
  if (!in_file) return;
  place.range = place.range.intersection(names_.range_of(*in_file));
  if (in_file->symbol == nullptr) return;
  place.location = *in_file;
  place.kind = DataKind::file;
}

// Whether a mapping is the first memory of brk(). The kernel calls this memory "//anon", and "[heap]" only after it has
// grown: in perf_event_mmap_event() of kernel/events/core.c, mm->brk is still the old value. brk() begins at most 1 GB
// above the program, whose mappings are the lowest (arch_randomize_brk() of x86 and arm64).
bool DataPlaces::is_first_heap(const reader::Mapping& memory, const reader::ThreadState& thread) const {
  constexpr std::uint64_t most_distance = std::uint64_t{1} << 30;
  constexpr std::uint32_t protection = PROT_READ | PROT_WRITE;
  if (memory.protection != protection) return false;
  const reader::Mapping* const before = timeline_.below(thread.maps, memory.start);
  if (before == nullptr || memory.start == before->end || memory.start - before->end > most_distance) return false;
  const auto kind_of = [&](const reader::Mapping& of) { return timeline_.binaries()[of.binary].kind; };
  const bool is_bss = kind_of(*before) == BinaryKind::anonymous;
  const reader::Mapping* const program = is_bss ? timeline_.below(thread.maps, before->start) : before;
  if (program == nullptr || kind_of(*program) != BinaryKind::elf || (is_bss && program->end != before->start))
    return false;
  return program->binary == timeline_.lowest(thread.maps)->binary;
}

bool DataPlaces::is_own_stack(const reader::Sample& sample, const reader::Mapping& memory) const {
  const auto top = stack_pointer_of(sample.user_registers, machine_);
  return top && *top >= memory.start && *top < memory.end;
}

std::string DataPlaces::variable(const DataPlace& place) {
  if (place.location.symbol != nullptr) return std::string(names_.readable_name(place.location));
  return unnamed_data(place.kind, names_.binary_name(place.location), place.stack_of);
}

SourceTexts DataPlaces::source_texts(const DataPlace& place) {
  SourceTexts texts{.path = "", .declaration = "[unknown]"};
  if (place.location.symbol == nullptr) return texts;
  const auto variable = names_.symbols(place.location).find_variable(place.location.offset);
  if (!variable) return texts;
  texts.path = variable->path;
  if (!variable->file.empty()) texts.declaration = fmt::format("{}:{}", variable->file, variable->line);
  return texts;
}

std::string DataPlaces::symbol_and_offset(const DataPlace& place, std::uint64_t address) {
  if (place.location.symbol == nullptr) return fmt::format("0x{:016x}", address);
  return fmt::format("{}+0x{:x}", names_.readable_name(place.location),
                     place.location.offset - place.location.symbol->start);
}

std::string DataPlaces::section(const DataPlace& place) {
  std::string_view section;
  if (place.kind == DataKind::file) section = names_.symbols(place.location).section_at(place.location.offset);
  return section.empty() ? "[unknown]" : std::string(section);
}

std::string DataPlaces::mapping(const DataPlace& place) {
  if (!place.location.mapped()) return "[unknown]";
  return fmt::format("0x{:x}-0x{:x}", place.location.mapping_start, place.location.mapping_end);
}

std::string DataPlaces::binary(const DataPlace& place) const {
  if (!place.location.mapped()) return "[unknown]";
  return short_binary_name(timeline_.binaries()[place.location.binary]);
}

}  // namespace perfsift::analysis
