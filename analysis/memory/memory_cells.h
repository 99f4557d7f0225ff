// The texts of a memory access: one text for each key of a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/memory/memory_access.h"
#include "analysis/samples/frame_table.h"
#include "analysis/table/key.h"
#include "base/hash.h"
#include "base/recent_map.h"
#include "base/recent_ranges.h"

namespace perfsift::analysis {

// Not thread-safe. Each thread has its own object. The arguments must live longer. Threads share `texts`.
//
// Texts become numbers of the table, so rows are compared without their texts. The texts of addresses are looked up
// once for a whole function, variable or mapping.
class MemoryCells {
 public:
  MemoryCells(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const MemoryNodes& nodes,
              FrameTable& texts);

  // Sets the access of all following queries.
  void set(const reader::Sample& sample, const reader::ThreadState& thread, const MemoryAccess& access);

  // The number of the text.
  FrameId cell(Key key);
  std::string_view text(FrameId cell) const { return texts_.text(cell); }

  // Whether code and data lie in mappings.
  bool mapped();
  // The memory of the data and its variable, independent of the process and its addresses.
  struct Home {
    std::uint64_t space = 0;    // equal numbers: equal addresses are the same memory
    std::uint64_t address = 0;  // address in that space
    std::uint64_t offset = 0;   // in the binary of the variable; without a variable, the recorded address
    std::uint32_t binary = CodeAddress::no_binary;
  };
  Home home();
  std::optional<std::uint32_t> data_node() const { return nodes_.of_physical(sample_->phys_addr); }
  std::optional<std::uint32_t> cpu_node() const { return nodes_.of_cpu(sample_->cpu); }

 private:
  // The cells of a range of code addresses.
  struct Code {
    bool mapped = false;
    FrameId symbol = 0, dso = 0;
  };
  struct Data {
    DataPlace place;  // the place of an address in the range
    FrameId variable = 0, dso = 0, kind = 0, range = 0;
  };
  // The cells of one address.
  struct SourceCells {
    FrameId member = 0, field = 0, declaration = 0;
  };
  struct AddressCells {
    std::optional<FrameId> symbol;      // looked up on first use
    std::optional<SourceCells> source;  // looked up on first use
    std::optional<FrameId> section;     // looked up on first use
  };
  // Everything except the address itself that decides the meaning of an address.
  struct Space {
    std::uint64_t maps = 0;
    std::uint64_t context = 0;
    bool operator==(const Space&) const = default;
    std::uint64_t hash() const { return mix(maps ^ odd_2, context ^ odd_3); }
  };
  struct Place {
    Space space;
    std::uint64_t address = 0;
    bool operator==(const Place&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const { return mix(place.address ^ odd_1, place.space.hash() ^ odd_2); }
    std::size_t operator()(std::uint64_t number) const { return mix(number ^ odd_1, odd_2); }
  };

  // Values of ranges of addresses.
  template <typename Value>
  class Ranges {
   public:
    const Value* find(const Space& space, std::uint64_t address) const { return recent_.find(space, address); }
    // The value of the range around the address. make() is called if the range is new.
    template <typename Make>
    const Value& get(const Space& space, std::uint64_t address, const AddressRange& range, Make&& make) {
      if (values_.size() >= most_addresses) {
        recent_.clear();
        values_.clear();
      }
      const auto [value, is_new] = values_.try_emplace({.space = space, .address = range.first});
      if (is_new) value->second = make();
      recent_.add(space, address, range.first, range.end, value->second);
      return value->second;
    }

   private:
    RecentRanges<Space, const Value> recent_;
    std::unordered_map<Place, Value, Hash> values_;  // by the first address of the range
  };
  static constexpr std::size_t most_addresses = 1 << 18;

  std::uint64_t maps() const { return std::uint64_t{thread_->maps} << 32 | thread_->kernel_maps; }
  std::uint64_t mode() const { return static_cast<std::uint64_t>(sample_->cpumode); }
  Space code_space() const { return {.maps = maps(), .context = std::uint64_t{names_.code_version()} << 4 | mode()}; }
  // The address space of the data. The thread decides which stack an address belongs to.
  Space data_space() const {
    return {.maps = maps(), .context = std::uint64_t{static_cast<std::uint32_t>(sample_->tid)} << 4 | mode()};
  }
  const Code& code();
  const Code& look_up_code(const Space& space);
  const Data& data();
  const Data& look_up_data(const Space& space);
  Code code_of(const CodeLocation& location);
  Data data_of(const DataPlace& place);
  DataPlace place() { return data().place.at(sample_->addr); }
  AddressCells& at_address();
  FrameId symbol_of_data();
  const SourceCells& source();
  FrameId section();
  FrameId instruction();
  FrameId line();
  FrameId thread_text(bool process);
  FrameId line_of_cache();
  FrameId node_text(std::optional<std::uint32_t> node);
  // The number of the text of make(), which depends on `number` only.
  template <typename Make>
  FrameId known(Key key, std::uint64_t number, Make&& make);
  FrameId thread_cell(Key key);
  FrameId source_cell(Key key);
  FrameId number_cell(Key key);
  FrameId address_cell(Key key);

  const reader::Timeline& timeline_;
  const MemoryNodes& nodes_;
  FrameTable& texts_;
  CodeNames names_;
  DataPlaces places_;
  std::uint64_t line_size_;

  const reader::Sample* sample_ = nullptr;
  const reader::ThreadState* thread_ = nullptr;
  MemoryAccess access_;
  const Code* code_ = nullptr;
  const Data* data_ = nullptr;

  Code unmapped_code_;
  Data unmapped_data_;
  Ranges<Code> codes_;
  Ranges<Data> datas_;
  RecentMap<Place, FrameId, Hash> lines_, instructions_;
  RecentMap<Place, AddressCells, Hash> addresses_;
  std::vector<RecentMap<std::uint64_t, FrameId, Hash, 64>> known_;  // by key
};

// The size of a cache line of the recorded machine. 64 if the recording does not say.
std::uint64_t cache_line_size(const reader::Features& features);

}  // namespace perfsift::analysis
