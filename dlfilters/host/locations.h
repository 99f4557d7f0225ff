// The binary and the symbol of an address, as perf gives them to filters.
//
// perf answers each question with a search; filters that fold stacks ask for every frame of every sample. So an
// address is looked up once for each version of the address space, and kept in a direct-mapped cache. Texts that
// filters see are interned: a symbol always has the same pointer, as filters are known to use the pointer as its
// identity.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "analysis/samples/code_names.h"
#include "analysis/samples/thread_cache.h"
#include "base/byte_reader.h"
#include "base/recent_cache.h"
#include "dlfilters/abi.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::dlfilter {

// Strings whose addresses stay valid as long as the object.
class InternedStrings {
 public:
  const char* intern(std::string_view text) { return strings_.emplace(text).first->c_str(); }

 private:
  std::unordered_set<std::string> strings_;  // nodes do not move
};

// The facts about a binary that filters can ask for.
struct HostBinary {
  const symbolize::SymbolFile* symbols = nullptr;
  const char* name = nullptr;
  BuildId build_id;
  bool is_64_bit = true;
  // The bytes of the file, if they can be read: CodeAddress::offset counts from their start.
  Bytes code;
  std::shared_ptr<const void> code_owner;
};

// The binary and the symbol at an address.
struct MappedAddress {
  std::uint64_t offset = 0;            // in the binary; the address itself where nothing is mapped
  const HostBinary* binary = nullptr;  // nothing is mapped there
  const symbolize::Symbol* symbol = nullptr;
  const char* symbol_name = nullptr;
  std::uint64_t mapping_start = 0;
  std::uint64_t mapping_end = 0;
};

// Not thread-safe. The recording and the symbolizer must outlive the object.
class Locations {
 public:
  Locations(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, symbolize::SymbolizeOptions options,
            symbolize::DemangleStyle demangling);

  // The state and the name of a thread at a moment. The next look-ups are for that moment.
  struct Thread {
    reader::ThreadState state;
    const char* comm = nullptr;
  };
  Thread thread(std::int32_t pid, std::int32_t tid, reader::Moment moment);

  // thread__find_map() and thread__find_map_fb() in tools/perf/util/event.c: the latter lets the
  // address decide between kernel and user if nothing is mapped in `mode`.
  MappedAddress find(const reader::ThreadState& thread, reader::CpuMode mode, std::uint64_t address);
  MappedAddress find_in_any_mode(const reader::ThreadState& thread, reader::CpuMode mode, std::uint64_t address);

  const char* intern(std::string_view text) { return strings_.intern(text); }

 private:
  struct CommKey {
    std::int32_t tid = 0;
    reader::NameId comm = 0;
    bool operator==(const CommKey&) const = default;
  };
  struct AddressKey {
    std::uint64_t address = 0;
    reader::MapsVersion maps = 0;
    std::uint32_t code_version = 0;
    reader::CpuMode mode = reader::CpuMode::unknown;
    bool operator==(const AddressKey&) const = default;
  };

  MappedAddress search(const reader::ThreadState& thread, reader::CpuMode mode, std::uint64_t address);
  const HostBinary& binary(const analysis::CodeLocation& location);
  void find_code(const Binary& described, HostBinary& binary) const;

  const reader::Timeline& timeline_;
  symbolize::SymbolizeOptions options_;
  analysis::ThreadCache threads_;
  analysis::CodeNames names_;
  InternedStrings strings_;
  RecentCache<CommKey, const char*, 256> comms_;
  RecentCache<AddressKey, MappedAddress, 4096> addresses_;
  std::deque<HostBinary> binaries_;  // by index in the timeline; without symbols until a filter asks for the binary
};

// al_to_d_al() in tools/perf/util/dlfilter.c: all but the size, comm and filtered.
void describe(const MappedAddress& place, std::uint64_t address, AddressLocation& location);

}  // namespace perfsift::dlfilter
