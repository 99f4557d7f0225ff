#include "dlfilters/host/locations.h"

#include <elf.h>
#include <unistd.h>

#include "symbolize/build_id.h"
#include "symbolize/debug_files.h"
#include "symbolize/elf_file.h"
#include "symbolize/mapped_file.h"
#include "symbolize/vdso.h"

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
    const std::string cached = symbolize::build_id_path(cache, binary.build_id) + "/elf";
    if (access(cached.c_str(), R_OK) == 0) return cached;
  }
  return options.symfs + binary.path;
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
      symbolizer_(symbolizer),
      options_(std::move(options)),
      demangling_(demangling),
      recent_(recent_size) {}

const Locations::Thread& Locations::thread(std::int32_t pid, std::int32_t tid, reader::Moment moment) {
  const auto [found, is_new] = threads_.try_emplace(tid);
  Thread& thread = found->second;
  if (is_new || moment < thread.state.from || moment >= thread.state.until) {
    thread.state = timeline_.thread(pid, tid, moment);
    thread.comm = strings_.intern(timeline_.comm(tid, thread.state));
  }
  return thread;
}

Place Locations::find(const reader::ThreadState& thread, CpuMode mode, std::uint64_t address) {
  const bool in_kernel = mode == CpuMode::kernel;
  if (!in_kernel && mode != CpuMode::user) return {.offset = address};
  const reader::MapsVersion maps = in_kernel ? thread.kernel_maps : thread.maps;
  Recent& recent = recent_[(address ^ address >> 12 ^ maps) % recent_size];
  if (recent.address != address || recent.maps != maps || recent.mode != mode) {
    recent = {.address = address, .maps = maps, .mode = mode, .place = search(maps, in_kernel, address)};
  }
  return recent.place;
}

Place Locations::find_in_any_mode(const reader::ThreadState& thread, CpuMode mode, std::uint64_t address) {
  const Place place = find(thread, mode, address);
  const CpuMode other = mode_by_address(mode, address);
  return place.binary != nullptr || other == mode ? place : find(thread, other, address);
}

Place Locations::search(reader::MapsVersion maps, bool in_kernel, std::uint64_t address) {
  const reader::Mapping* const mapping = timeline_.find(maps, address);
  if (mapping == nullptr) return in_kernel ? place_in_kernel_image(address) : Place{.offset = address};
  Place place{.offset = mapping->to_offset(address),
              .binary = &known(mapping->binary),
              .mapping_start = mapping->start,
              .mapping_end = mapping->end};
  if (timeline_.binaries()[mapping->binary].kind == BinaryKind::kernel) kernel_ = place.binary;
  name(place, place.offset);
  return place;
}

// The record of the kernel's mapping ends with its text, before the code of its start-up. perf, when it has loaded the
// symbols, moves the end behind the last of them (map__fixup_end() in dso__load_kernel_sym()).
Place Locations::place_in_kernel_image(std::uint64_t address) {
  Place place{.offset = address, .binary = kernel_};
  if (kernel_ != nullptr) name(place, address);
  return place.symbol != nullptr ? place : Place{.offset = address};
}

void Locations::name(Place& place, std::uint64_t address) {
  place.symbol = place.binary->symbols->find(address);
  if (place.symbol == nullptr) return;
  const auto [found, is_new] = symbol_names_.try_emplace(place.symbol);
  if (is_new) {
    const bool mangled = place.binary->symbols->mangled();
    found->second = mangled ? symbolize::demangle(place.symbol->name, demangling_) : std::string(place.symbol->name);
  }
  place.symbol_name = found->second.c_str();
}

const KnownBinary& Locations::known(std::uint32_t binary) {
  while (binary >= binaries_.size()) binaries_.emplace_back();
  KnownBinary& entry = binaries_[binary];
  if (entry.symbols == nullptr) {
    const Binary& described = timeline_.binaries()[binary];
    entry.symbols = &symbolizer_.file(described);
    entry.name = strings_.intern(printed_binary_name(described));
    entry.build_id = described.build_id;
    find_code(described, entry);
  }
  return entry;
}

// There is no code of the kernel and its modules: vmlinux and .ko files differ from what was running, as the kernel
// patches itself.
void Locations::find_code(const Binary& binary, KnownBinary& known) const {
  if (binary.kind == BinaryKind::elf) {
    const std::string path = code_path(binary, options_);
    if (const auto file = symbolize::MappedFile::open(path)) {
      known.code = file->bytes();
      known.code_owner = file;
    }
    // dso__load() completes what was not recorded.
    if (known.build_id.empty()) known.build_id = build_id_of_file(options_.symfs + binary.path);
  } else if (binary.kind == BinaryKind::vdso) {
    Missing why = Missing::none;
    if (const auto image = symbolize::find_vdso(binary, options_, why)) {
      known.code = image->image();
      known.code_owner = image;
    }
  }
  // Only with symbols does perf know the class of the file.
  known.is_64_bit = known.symbols->symbols().empty() || is_64_bit_elf(known.code);
}

void describe(const Place& place, std::uint64_t address, AddressLocation& location) {
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
  // Behind a symbol of unknown size perf subtracts the mapping's start as well, from an address that is not counted
  // from there.
  const std::uint64_t offset = place.offset - place.symbol->start;
  const bool covered = place.offset < place.symbol->end;
  location.symoff = static_cast<std::uint32_t>(covered ? offset : offset - place.mapping_start);
}

}  // namespace perfsift::dlfilter
