// The facts about code that filter expressions can use: about the sampled instruction and about the frames of a stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/address_table.h"
#include "analysis/samples/code_names.h"
#include "base/hash.h"
#include "base/recent_map.h"
#include "filter/sample_facts.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

class StackIndex;

// How much of a stack a filter looks at.
struct FilterStacks {
  std::size_t max_frames = 127;       // limit for unwound stacks
  const StackIndex* index = nullptr;  // of the recording's stacks, with the same limit; nullptr: stacks are read
};

// A code address, as recorded in a sample or its callchain.
struct RecordedCode {
  reader::CpuMode mode = reader::CpuMode::unknown;
  std::uint64_t ip = 0;
  bool return_address = false;

  // The facts that need no lookup of the address: ip and cpumode.
  std::optional<filter::Number> number(filter::Fact fact) const;
};

// Not thread-safe. The recording and the symbolizer must live longer.
//
// Facts are looked up on first use, and the names of addresses are cached. The names do not depend on how frames are
// printed.
class CodeFacts {
 public:
  // All that decides the facts of code. Every CodeFacts of a recording has the same keys.
  struct LocationKey {
    std::uint64_t ip = 0;
    std::uint64_t context = 0;
    bool operator==(const LocationKey&) const = default;
  };
  struct LocationHash {
    std::size_t operator()(const LocationKey& key) const {
      return spread(key.ip ^ key.context * 0xff51afd7ed558ccd) >> 20;
    }
  };

  CodeFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer)
      : names_(recording, symbolizer.for_filters(), symbolize::DemangleStyle::plain) {}

  // Sets the thread and the time of all following queries. `thread` must live until then.
  void set_thread(const reader::ThreadState& thread, std::uint64_t time);

  // The facts of code. Texts keep their addresses.
  std::optional<filter::Number> number(const RecordedCode& code, filter::Fact fact);
  std::optional<std::string_view> text(const RecordedCode& code, filter::Fact fact);
  // Overwrites `numbers` with a number for each frame of a callchain: the same for code that is equal in all facts.
  // Empty where there are more than most_locations.
  void get_numbers(reader::Words callchain, reader::CpuMode mode, std::vector<std::uint32_t>& numbers);
  // The numbered locations, by number.
  const std::vector<LocationKey>& numbered() const { return numbered_; }
  // The symbol or the binary of a data address. `mode`, of the code that reads the data, does not decide where the data
  // lies: the kernel may read user data.
  std::optional<std::string_view> data_text(reader::CpuMode mode, std::uint64_t address, filter::Fact fact);

  const CodeVersions& code_versions() const { return names_.code_versions(); }
  // The version of the thread's code at the time of set_thread().
  std::uint32_t code_version() const { return names_.code_version(); }
  // Drops the cached names. For streams without end: names of processes that ended are not needed any more.
  void forget_names();

 private:
  // The location of an address, with its names.
  struct NamedLocation {
    CodeLocation location;
    std::string_view sym;
    std::string_view dso;
    // Looked up on first use:
    bool knows_source = false;
    std::string_view source_file;
    std::uint32_t source_line = 0;
  };
  // All that decides the names of an address, except the address itself.
  std::uint64_t context_of(const RecordedCode& code) const;
  NamedLocation& location(const RecordedCode& code);
  NamedLocation name_location(const RecordedCode& code);
  const NamedLocation& with_source(const RecordedCode& code);

  CodeNames names_;
  const reader::ThreadState* thread_ = nullptr;
  // A recording has some thousand distinct addresses, and the stacks of a million samples look them up again and again.
  static constexpr std::size_t most_locations = 1 << 18;  // a stream has ever new processes
  RecentMap<LocationKey, NamedLocation, LocationHash, std::size_t{1} << 15> locations_;
  AddressTables numbers_;
  std::vector<LocationKey> numbered_;
};

}  // namespace perfsift::analysis
