#include "analysis/samples/code_names.h"

#include <fmt/format.h>

#include "base/binary.h"
#include "base/printable.h"

namespace perfsift::analysis {

namespace {

// The addresses around one whose offset in a binary is `offset`, for which the binary has the same symbol, or none.
AddressRange around(std::uint64_t address, std::uint64_t offset, const symbolize::SymbolFile& symbols) {
  const symbolize::OffsetRange range = symbols.range_of(offset);
  return {.first = address - std::min(address, offset - range.first),
          .end = symbolize::end_of(address, range.end - offset)};
}

}  // namespace

using reader::CpuMode;

CodeLocation CodeNames::locate(const reader::ThreadState& thread, CpuMode mode, std::uint64_t address) {
  CodeLocation location{.address = address, .offset = address};
  if (const reader::Mapping* const mapping = timeline_.mapping(thread, mode, address)) {
    location.offset = mapping->to_offset(address);
    location.binary = mapping->binary;
    location.mapping_start = mapping->start;
    location.mapping_end = mapping->end;
    location.page_offset = mapping->page_offset;
    const BinaryKind kind = timeline_.binaries()[mapping->binary].kind;
    if (kind == BinaryKind::jit_dump) location.code_version = code_version_;
    const std::uint64_t time = code_versions_.time_in(code_version_);
    location.symbol = names_of(mapping->binary).file->find_at(location.offset, time);
    if (kind == BinaryKind::kernel) kernel_ = mapping->binary;
  } else if (mode == CpuMode::kernel) {
    locate_in_kernel_image(location);
  }
  return location;
}

// The record of the kernel's mapping ends with the kernel's text, before the start-up code, in which the idle thread's
// stack begins. Once perf has loaded the symbols, it moves the end behind the last symbol (map__fixup_end() in
// dso__load_kernel_sym()).
void CodeNames::locate_in_kernel_image(CodeLocation& location) {
  if (kernel_ == CodeAddress::no_binary) return;
  location.symbol = names_of(kernel_).file->find(location.address);
  if (location.symbol != nullptr) location.binary = kernel_;
}

CodeLocation CodeNames::locate_in_any_mode(const reader::ThreadState& thread, CpuMode mode, std::uint64_t address) {
  const CodeLocation location = locate(thread, mode, address);
  const CpuMode other = mode_by_address(mode, address);
  return location.mapped() || other == mode ? location : locate(thread, other, address);
}

std::optional<CodeLocation> CodeNames::behind_file(const reader::ThreadState& thread, const CodeLocation& location) {
  if (location.mapping_start == 0 || binary(location).kind != BinaryKind::anonymous) return std::nullopt;
  const reader::Mapping* const before = timeline_.find(thread.maps, location.mapping_start - 1);
  if (before == nullptr || timeline_.binaries()[before->binary].kind != BinaryKind::elf) return std::nullopt;
  CodeLocation in_file = location;
  in_file.binary = before->binary;
  in_file.offset = before->to_offset(location.address);
  in_file.symbol = names_of(before->binary).file->find(in_file.offset);
  return in_file;
}

// Names of code that is made at run time change, some names of the kernel need no mapping, and what was not mapped has
// no neighbours: there, the address stands for itself.
AddressRange CodeNames::range_of(const CodeLocation& location) {
  const std::uint64_t address = location.address;
  const AddressRange alone{.first = address, .end = symbolize::end_of(address, 1)};
  if (!location.mapped() || address < location.mapping_start || address >= location.mapping_end) return alone;
  if (timeline_.binaries()[location.binary].kind == BinaryKind::jit_dump) return alone;
  const AddressRange mapping{.first = location.mapping_start, .end = location.mapping_end};
  return mapping.intersection(around(address, location.offset, symbols(location)));
}

std::optional<reader::TracepointFormats::Function> CodeNames::kernel_function(const reader::ThreadState& thread,
                                                                              std::uint64_t address) {
  const CodeLocation location = locate(thread, CpuMode::kernel, address);
  if (location.symbol == nullptr) return std::nullopt;
  return reader::TracepointFormats::Function{.name = std::string(location.symbol->name),
                                             .address = address - (location.offset - location.symbol->start)};
}

CodeNames::BinaryNames& CodeNames::names_of(std::uint32_t binary) {
  if (binary >= binaries_.size()) binaries_.resize(binary + 1);
  BinaryNames& entry = binaries_[binary];
  if (entry.file == nullptr) {
    const Binary& described = timeline_.binaries()[binary];
    entry = {.file = &symbolizer_.file(described), .name = printed_binary_name(described)};
  }
  return entry;
}

std::string_view CodeNames::binary_name(const CodeLocation& location) {
  return location.mapped() ? std::string_view(names_of(location.binary).name) : "[unknown]";
}

std::string CodeNames::place_in_binary(const CodeLocation& location) {
  if (!location.mapped()) return {};
  return fmt::format("{}[{:x}]", printable(short_binary_name(timeline_.binaries()[location.binary])), location.offset);
}

// perf_sample__fprintf_brstackoff() counts from the start of the mapping, for every kind of binary (map__dso_map_ip()),
// unless there are symbols of an ELF file (dso.adjust_symbols). perf maps the kernel from its start, not from the
// record's offset.
std::uint64_t CodeNames::branch_offset(const CodeLocation& location) {
  if (!location.mapped()) return location.address;
  const std::uint64_t from_start = location.address - location.mapping_start;
  switch (timeline_.binaries()[location.binary].kind) {
    case BinaryKind::kernel:
      return from_start;
    case BinaryKind::elf:
    case BinaryKind::vdso:
      if (!names_of(location.binary).file->symbols().empty()) return location.address;
      break;
    default:
      break;
  }
  return from_start + location.page_offset;
}

bool CodeNames::in_kernel(const CodeLocation& location) const {
  return location.mapped() && is_kernel(timeline_.binaries()[location.binary].kind);
}

std::string_view CodeNames::readable_name(const CodeLocation& location) {
  const symbolize::SymbolFile& file = *names_of(location.binary).file;
  if (!file.mangled() || demangling_ == symbolize::DemangleStyle::raw) return location.symbol->name;
  const auto [found, is_new] = demangled_.try_emplace(location.symbol);
  if (is_new) found->second = symbolize::demangle(location.symbol->name, demangling_);
  return found->second;
}

std::vector<SourceCall> CodeNames::source_calls(const CodeLocation& location, bool return_address) {
  if (!location.mapped()) return {};
  std::vector<symbolize::SourceFrame> frames;
  names_of(location.binary)
      .file->append_source_frames_at(call_site(location.offset, return_address),
                                     code_versions_.time_in(location.code_version), frames);
  std::vector<SourceCall> calls;
  for (const symbolize::SourceFrame& frame : frames) {
    calls.push_back({.name = frame.mangled ? symbolize::demangle(frame.name, demangling_) : std::string(frame.name),
                     .place = frame.place});
  }
  return calls;
}

}  // namespace perfsift::analysis
