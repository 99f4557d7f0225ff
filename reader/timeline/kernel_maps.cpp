#include "reader/timeline/kernel_maps.h"

#include <limits>

#include "reader/timeline/kernel_names.h"

namespace perfsift::reader {
namespace {

constexpr std::uint64_t last_address = std::numeric_limits<std::uint64_t>::max();

Binary loaded_image(BinaryKind kind, std::string_view path, const Mapping& range, const BuildId& build_id) {
  return {.path = std::string(path),
          .build_id = build_id,
          .kind = kind,
          .load_address = range.start,
          .size = range.end - range.start};
}

}  // namespace

void KernelMaps::map(Moment moment, std::string_view name, const Mapping& range, const BuildId& build_id) {
  Mapping mapping = range;
  switch (kernel_name_kind(name)) {
    case KernelNameKind::kernel:
      return map_kernel(moment, name, range, build_id);
    case KernelNameKind::section:
      mapping.binary = binaries_.intern({.path = std::string(name), .build_id = build_id, .kind = BinaryKind::kernel});
      mapping.identity = true;
      break;
    case KernelNameKind::entry_trampoline:
      // The page offset is the run-time address of the code in the kernel's text
      // (machine__map_x86_64_entry_trampolines()), so the code gets the names of the kernel's own text.
      if (kernel_ == CodeAddress::no_binary)
        kernel_ = binaries_.intern({.path = std::string(kernel_path), .kind = BinaryKind::kernel});
      mapping.binary = kernel_;
      break;
    case KernelNameKind::module:
      mapping.binary = binaries_.intern(loaded_image(BinaryKind::kernel_module, name, range, build_id));
      mapping.page_offset = 0;
      break;
    case KernelNameKind::symbol:
      mapping.binary = binaries_.intern(loaded_image(BinaryKind::kernel_symbol, name, range, build_id));
      mapping.page_offset = 0;
      break;
  }
  versions_.set(moment, tree_.map(latest(), mapping));
}

// There is one kernel: a later record corrects the kernel's bounds (machine__update_kernel_mmap()).
void KernelMaps::map_kernel(Moment moment, std::string_view name, Mapping range, const BuildId& build_id) {
  Binary kernel{.path = std::string(kernel_path), .build_id = build_id, .kind = BinaryKind::kernel};
  // kptr_restrict hid an address of 0: such a record does not show where the kernel was. simpleperf names no symbol:
  // its record begins at the kernel's text (KernelDso::IpToVaddrInFile()).
  if (range.page_offset != 0) {
    kernel.reference_symbol = reference_symbol(name);
    kernel.reference_address = range.page_offset;
  } else if (range.start != 0 && name == kernel_path) {
    kernel.reference_symbol = "_stext";
    kernel.reference_address = range.start;
  }
  kernel_ = binaries_.intern(std::move(kernel));

  if (range.start == 0 && range.end == 0) range.end = last_address;  // machine__set_kernel_mmap()
  range.page_offset = 0;
  range.binary = kernel_;
  range.identity = true;
  versions_.set(moment, tree_.set_background(latest(), range));
}

void KernelMaps::add_symbol(Moment moment, std::string_view name, std::uint64_t start, std::uint64_t size) {
  Mapping mapping{.start = start, .end = start + std::min(size, last_address - start)};
  mapping.binary = binaries_.intern(loaded_image(BinaryKind::kernel_symbol, name, mapping, {}));
  versions_.set(moment, tree_.map(latest(), mapping));
}

void KernelMaps::remove_symbol(Moment moment, std::uint64_t address) {
  const Mapping* mapping = tree_.find(latest(), address);
  if (mapping == nullptr || binaries_[mapping->binary].kind != BinaryKind::kernel_symbol) return;
  versions_.set(moment, tree_.unmap(latest(), mapping->start, mapping->end));
}

}  // namespace perfsift::reader
