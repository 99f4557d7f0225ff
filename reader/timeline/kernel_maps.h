// The mappings of the kernel over time: its text, modules, and symbols that come and go (BPF programs, trampolines).
#pragma once

#include <cstdint>
#include <string_view>

#include "reader/timeline/binaries.h"
#include "reader/timeline/history.h"
#include "reader/timeline/maps_tree.h"

namespace perfsift::reader {

class KernelMaps {
 public:
  KernelMaps(MapsTree& tree, Binaries& binaries) : tree_(tree), binaries_(binaries) {}

  // An MMAP or MMAP2 record of cpumode KERNEL: machine__process_kernel_mmap_event() of perf.
  void map(Moment moment, std::string_view name, const Mapping& range, const BuildId& build_id);
  // KSYMBOL. While a symbol is registered, its addresses belong to the symbol; afterwards they belong to no mapping.
  void add_symbol(Moment moment, std::string_view name, std::uint64_t start, std::uint64_t size);
  void remove_symbol(Moment moment, std::uint64_t address);

  // Valid until the next change.
  History<MapsVersion>::Answer at(Moment moment) const { return versions_.at(moment); }

 private:
  void map_kernel(Moment moment, std::string_view name, Mapping range, const BuildId& build_id);
  MapsVersion latest() const { return versions_.empty() ? MapsTree::empty : versions_.latest(); }

  MapsTree& tree_;
  Binaries& binaries_;
  History<MapsVersion> versions_;
  std::uint32_t kernel_ = CodeAddress::no_binary;
};

}  // namespace perfsift::reader
