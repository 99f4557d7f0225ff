#include "analysis/collect/frame_counts.h"

#include <optional>
#include <string>

#include "analysis/samples/frame_table.h"
#include "analysis/samples/frameless.h"
#include "base/hash.h"
#include "reader/callchain.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::analysis {
namespace {

using reader::CpuMode;
using symbolize::Missing;

bool in_kernel_maps(CpuMode mode) { return mode == CpuMode::kernel || mode == CpuMode::hypervisor; }

// The symbol files of binaries, by index. Without this cache each address would take the symbolizer's lock.
class Names {
 public:
  Names(std::span<const Binary> binaries, symbolize::Symbolizer& symbolizer)
      : binaries_(binaries), symbolizer_(symbolizer), files_(binaries.size()) {}

  Missing why_unnamed(const CodeAddress& address, CpuMode mode) {
    if (is_guest(mode)) return Missing::guest;
    if (address.binary >= binaries_.size()) return Missing::no_mapping;
    const symbolize::SymbolFile& file = file_of(address);
    return file.find(address.lookup_offset()) != nullptr ? Missing::none : file.why_missing();
  }

  bool is_frameless(const CodeAddress& address) {
    return address.binary < binaries_.size() && analysis::is_frameless(address, binaries_[address.binary], symbolizer_);
  }

  // The name of the function at a mapped address.
  std::string name_of(const CodeAddress& address) {
    const symbolize::SymbolFile& file = file_of(address);
    const symbolize::Symbol* const symbol = file.find(address.lookup_offset());
    if (symbol == nullptr) return unnamed_text(path_of(address), std::nullopt);
    return file.mangled() ? symbolize::demangle(symbol->name, symbolize::DemangleStyle::full)
                          : std::string(symbol->name);
  }

  std::string path_of(const CodeAddress& address) const {
    return address.binary < binaries_.size() ? binaries_[address.binary].path : "[unknown]";
  }

 private:
  const symbolize::SymbolFile& file_of(const CodeAddress& address) {
    const symbolize::SymbolFile*& file = files_[address.binary];
    if (file == nullptr) file = &symbolizer_.file(binaries_[address.binary]);
    return *file;
  }

  std::span<const Binary> binaries_;
  symbolize::Symbolizer& symbolizer_;
  std::vector<const symbolize::SymbolFile*> files_;
};

}  // namespace

std::size_t FrameCounts::KeyHash::operator()(const Key& key) const {
  const std::uint64_t tag = std::uint64_t{key.maps} << 4 | static_cast<std::uint64_t>(key.mode) << 1 |
                            static_cast<std::uint64_t>(key.return_address);
  // An address is seldom both before frame pointers and not, so before_frame_pointers need not be in the hash.
  const std::uint64_t mixed = (key.ip ^ spread(tag)) * odd_2;
  return static_cast<std::size_t>(mixed >> 32 ^ mixed);
}

void FrameCounts::add(const KnownCallchain& chain, std::uint64_t samples) {
  const reader::ThreadState state{.maps = chain.owner.maps, .kernel_maps = chain.owner.kernel_maps};
  const bool by_frame_pointers = static_cast<StackTail>(chain.owner.tail) == StackTail::by_frame_pointers;
  const auto count = [&](CpuMode mode, std::uint64_t ip, bool return_address) {
    const Key key{.ip = ip,
                  .maps = in_kernel_maps(mode) ? state.kernel_maps : state.maps,
                  .mode = mode,
                  .return_address = return_address,
                  .before_frame_pointers = by_frame_pointers && mode == CpuMode::user && !return_address};
    const auto [found, is_new] = counts_.try_emplace(key);
    if (is_new) found->second.address = timeline_.resolve(state, mode, ip, return_address);
    found->second.count += samples;
  };
  reader::for_each_frame(chain.words(), static_cast<CpuMode>(chain.owner.mode), count);
}

void FrameCounts::add(const FrameCounts& other) {
  for (const auto& [key, place] : other.counts_) {
    AddressCount& mine = counts_.try_emplace(key, AddressCount{.address = place.address}).first->second;
    mine.count += place.count;
  }
}

void FrameCounts::name(symbolize::Symbolizer& symbolizer, Quality& quality) const {
  Names names(timeline_.binaries(), symbolizer);
  for (const auto& [key, place] : counts_) {
    quality.frames += place.count;
    if (key.before_frame_pointers && names.is_frameless(place.address))
      quality.lost_callers[names.name_of(place.address)] += place.count;
    const Missing reason = names.why_unnamed(place.address, key.mode);
    if (reason == Missing::none) continue;
    quality.unresolved[{.binary = names.path_of(place.address), .reason = reason}] += place.count;
  }
}

}  // namespace perfsift::analysis
