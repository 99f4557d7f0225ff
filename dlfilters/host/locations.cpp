#include "dlfilters/host/locations.h"

#include <elf.h>
#include <unistd.h>

#include "symbolize/elf/build_id.h"
#include "symbolize/elf/elf_file.h"
#include "symbolize/files/mapped_file.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/search/used_files.h"
#include "symbolize/search/vdso.h"

namespace perfsift::dlfilter {
namespace {

using reader::CpuMode;
using symbolize::ElfFile;
using symbolize::Missing;

// The file perf reads code from: by name, whatever its build is, unless the build-id cache has the right one
// (try_to_open_dso() in tools/perf/util/dso.c).
std::string code_path(const Binary& binary, const symbolize::SymbolizeOptions& options) {
  const std::string cache = symbolize::build_id_cache(options);
  if (!binary.build_id.empty() && !cache.empty()) {
    std::string cached = symbolize::build_id_path(cache, binary.build_id) + "/elf";
    if (access(cached.c_str(), R_OK) == 0) return cached;
  }
  return options.symfs + binary.path;
}

const PackedFile* packed_code(const Binary& binary) {
  return binary.packed ? binary.packed->find(symbolize::purpose_of(symbolize::runtime_role, binary)) : nullptr;
}

bool is_64_bit_elf(Bytes image) { return image.size() <= EI_CLASS || image[EI_CLASS] != std::byte{ELFCLASS32}; }

BuildId build_id_of_file(const std::string& path) {
  Missing why = Missing::none;
  const auto file = ElfFile::open(path, why);
  return file ? file->build_id() : BuildId();
}

}  // namespace

Locations::Locations(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                     symbolize::SymbolizeOptions options, symbolize::DemangleStyle demangling)
    : timeline_(recording.timeline()),
      options_(std::move(options)),
      threads_(recording),
      names_(recording, symbolizer, demangling) {}

Locations::Thread Locations::thread(std::int32_t pid, std::int32_t tid, reader::Moment moment) {
  const reader::ThreadState& state = threads_.find(pid, tid, moment);
  names_.set_time(state, moment.time);
  const char* const comm = comms_.get({.tid = tid, .comm = state.comm}, static_cast<std::uint32_t>(tid),
                                      [&] { return strings_.intern(timeline_.comm(tid, state)); });
  return {.state = state, .comm = comm};
}

MappedAddress Locations::find(const reader::ThreadState& thread, CpuMode mode, std::uint64_t address) {
  const bool in_kernel = mode == CpuMode::kernel;
  if (!in_kernel && mode != CpuMode::user) return {.offset = address};
  const AddressKey key{.address = address,
                       .maps = in_kernel ? thread.kernel_maps : thread.maps,
                       .code_version = in_kernel ? 0 : names_.code_version(),
                       .mode = mode};
  return addresses_.get(key, address ^ address >> 12 ^ key.maps, [&] { return search(thread, mode, address); });
}

MappedAddress Locations::find_in_any_mode(const reader::ThreadState& thread, CpuMode mode, std::uint64_t address) {
  const MappedAddress place = find(thread, mode, address);
  const CpuMode other = mode_by_address(mode, address);
  return place.binary != nullptr || other == mode ? place : find(thread, other, address);
}

MappedAddress Locations::search(const reader::ThreadState& thread, CpuMode mode, std::uint64_t address) {
  const analysis::CodeLocation location = names_.locate(thread, mode, address);
  if (!location.mapped()) return {.offset = address};
  return {.offset = location.offset,
          .binary = &binary(location),
          .symbol = location.symbol,
          .symbol_name = location.symbol != nullptr ? strings_.intern(names_.readable_name(location)) : nullptr,
          .mapping_start = location.mapping_start,
          .mapping_end = location.mapping_end};
}

const HostBinary& Locations::binary(const analysis::CodeLocation& location) {
  while (location.binary >= binaries_.size()) binaries_.emplace_back();
  HostBinary& entry = binaries_[location.binary];
  if (entry.symbols == nullptr) {
    const Binary& described = names_.binary(location);
    entry.symbols = &names_.symbols(location);
    entry.name = strings_.intern(names_.binary_name(location));
    entry.build_id = described.build_id;
    find_code(described, entry);
  }
  return entry;
}

// Code of the kernel and its modules is not available: the kernel patches itself, so vmlinux and .ko files differ from
// the code that ran.
void Locations::find_code(const Binary& described, HostBinary& binary) const {
  if (described.kind == BinaryKind::elf) {
    if (const PackedFile* const packed = packed_code(described)) {
      binary.code = packed->bytes;
      binary.code_owner = described.packed;
    } else if (const auto file = symbolize::MappedFile::open(code_path(described, options_))) {
      binary.code = file->bytes();
      binary.code_owner = file;
    }
    // dso__load() reads the build id of the file, too, if none was recorded.
    if (binary.build_id.empty()) binary.build_id = build_id_of_file(options_.symfs + described.path);
  } else if (described.kind == BinaryKind::vdso) {
    Missing why = Missing::none;
    if (const auto image = symbolize::find_vdso(described, options_, why)) {
      binary.code = image->image();
      binary.code_owner = image;
    }
  }
  // perf knows the class of a file only with symbols.
  binary.is_64_bit = binary.symbols->symbols().empty() || is_64_bit_elf(binary.code);
}

void describe(const MappedAddress& place, std::uint64_t address, AddressLocation& location) {
  location.addr = place.offset;
  location.is_kernel_ip = reader::is_kernel_address(address) ? 1 : 0;
  if (place.binary != nullptr) {
    location.dso = place.binary->name;
    location.is_64_bit = place.binary->is_64_bit ? 1 : 0;
    location.buildid_size = place.binary->build_id.size;
    location.buildid = reinterpret_cast<const std::uint8_t*>(place.binary->build_id.bytes.data());
  }
  if (place.symbol == nullptr) return;
  location.sym = place.symbol_name;
  location.sym_start = place.symbol->start;
  location.sym_end = place.symbol->end;
  location.sym_binding = static_cast<std::uint8_t>(place.symbol->binding);
  // Behind a symbol of unknown size perf also subtracts the start of the mapping, although the address does not count
  // from there.
  const std::uint64_t offset = place.offset - place.symbol->start;
  const bool covered = place.offset < place.symbol->end;
  location.symoff = static_cast<std::uint32_t>(covered ? offset : offset - place.mapping_start);
}

}  // namespace perfsift::dlfilter
