#include "tools/script/code_names.h"

#include <algorithm>

namespace perfsift::tools {
namespace {

using reader::CpuMode;

// machine__kernel_ip(): the upper half of the address space is the kernel's.
CpuMode mode_of(std::uint64_t address, CpuMode mode) {
  if (mode != CpuMode::kernel && mode != CpuMode::user) return mode;
  return address >= std::uint64_t{1} << 63 ? CpuMode::kernel : CpuMode::user;
}

bool is_kernel(BinaryKind kind) {
  return kind == BinaryKind::kernel || kind == BinaryKind::kernel_module || kind == BinaryKind::kernel_symbol;
}

}  // namespace

std::string printed_binary_name(const Binary& binary) {
  const std::string& path = binary.path;
  if (binary.kind != BinaryKind::kernel_module || path.starts_with('[')) return path;
  const std::size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  name.resize(std::min(name.size(), name.find(".ko")));
  std::ranges::replace(name, '-', '_');
  return "[" + name + "]";
}

CodeLocation CodeNames::locate(const reader::ThreadState& thread, CpuMode mode, std::uint64_t address) {
  CodeLocation location{.address = address, .offset = address};
  location.mapping = timeline_.mapping(thread, mode, address);
  if (location.mapping == nullptr) return location;
  location.offset = location.mapping->to_offset(address);
  location.symbol = known(location.mapping->binary).file->find(location.offset);
  return location;
}

CodeLocation CodeNames::locate_in_any_mode(const reader::ThreadState& thread, CpuMode mode, std::uint64_t address) {
  const CodeLocation location = locate(thread, mode, address);
  const CpuMode other = mode_of(address, mode);
  return location.mapping != nullptr || other == mode ? location : locate(thread, other, address);
}

CodeNames::Known& CodeNames::known(std::uint32_t binary) {
  if (binary >= known_.size()) known_.resize(binary + 1);
  Known& entry = known_[binary];
  if (entry.file == nullptr) {
    const Binary& described = timeline_.binaries()[binary];
    entry = {.file = &symbolizer_.file(described), .name = printed_binary_name(described)};
  }
  return entry;
}

std::string_view CodeNames::binary_name(const CodeLocation& location) {
  return location.mapping != nullptr ? std::string_view(known(location.mapping->binary).name) : "[unknown]";
}

bool CodeNames::in_kernel(const CodeLocation& location) const {
  return location.mapping != nullptr && is_kernel(timeline_.binaries()[location.mapping->binary].kind);
}

std::string_view CodeNames::readable_name(const CodeLocation& location) {
  const symbolize::SymbolFile& file = *known(location.mapping->binary).file;
  if (!file.mangled() || demangling_ == symbolize::DemangleStyle::raw) return location.symbol->name;
  const auto [found, is_new] = demangled_.try_emplace(location.symbol);
  if (is_new) found->second = symbolize::demangle(location.symbol->name, demangling_);
  return found->second;
}

// perf 6.1 subtracts the mapping's start as well for a symbol that does not cover the address because
// nobody knows its size (__symbol__fprintf_symname_offs()).
std::uint64_t CodeNames::offset_in_symbol(const CodeLocation& location) const {
  const std::uint64_t offset = location.offset - location.symbol->start;
  const bool covered = location.offset < location.symbol->end;
  return covered || style_ != PerfStyle::perf_6_1 ? offset : offset - location.mapping->start;
}

void CodeNames::print_symbol(TextWriter& out, const CodeLocation& location, bool with_offset) {
  if (location.symbol == nullptr) return out.text("[unknown]");
  out.text(readable_name(location));
  if (!with_offset) return;
  out.text("+0x");
  out.hex(offset_in_symbol(location));
}

}  // namespace perfsift::tools
