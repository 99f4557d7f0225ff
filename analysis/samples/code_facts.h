// What an expression can ask of code: of the instruction that a sample was taken at, and of the frames of a stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/code_names.h"
#include "base/hash.h"
#include "base/recent_map.h"
#include "filter/sample_facts.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// How much of a stack a filter is asked about.
struct FilterStacks {
  std::size_t max_frames = 127;  // of stacks that are unwound
};

// An address of code, as it stands in a sample or its callchain.
struct RecordedCode {
  reader::CpuMode mode = reader::CpuMode::unknown;
  std::uint64_t ip = 0;
  bool return_address = false;

  // What is known without a look at where it lies: ip and cpumode.
  std::optional<filter::Number> number(filter::Fact fact) const;
};

// Not thread-safe. The recording and the symbolizer must live longer.
//
// Nothing is looked up that is not asked for, and what an address was called is remembered. Names are the same however
// they are printed.
class CodeFacts {
 public:
  CodeFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer)
      : names_(recording, symbolizer.for_filters(), symbolize::DemangleStyle::plain) {}

  // What is asked from now on is of this thread, which must stay until then, and about this time.
  void set_thread(const reader::ThreadState& thread, std::uint64_t time);

  // The facts of code. Texts stay where they are.
  std::optional<filter::Number> number(const RecordedCode& code, filter::Fact fact);
  std::optional<std::string_view> text(const RecordedCode& code, filter::Fact fact);
  // Of an address of data: the symbol or the binary it lies in. Data does not lie where the mode of the code that reads
  // it says: the kernel may read that of the user.
  std::optional<std::string_view> data_text(reader::CpuMode mode, std::uint64_t address, filter::Fact fact);

  const CodeVersions& code_versions() const { return names_.code_versions(); }
  // Of the thread's code at that time.
  std::uint32_t code_version() const { return names_.code_version(); }
  // For a recording without end, whose processes go: what their addresses were called need not be remembered.
  void forget_names();

 private:
  // Where an address lies, and what that is called.
  struct NamedLocation {
    CodeLocation location;
    std::string_view sym;
    std::string_view dso;
    // Looked up when they are asked for:
    bool knows_source = false;
    std::string_view source_file;
    std::uint32_t source_line = 0;
  };
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

  NamedLocation& location(const RecordedCode& code);
  NamedLocation name_location(const RecordedCode& code);
  const NamedLocation& with_source(const RecordedCode& code);

  CodeNames names_;
  const reader::ThreadState* thread_ = nullptr;
  // A recording has some thousand places, and the stacks of a million samples ask for each.
  static constexpr std::size_t most_locations = 1 << 18;  // processes come and go without end where a stream is read
  RecentMap<LocationKey, NamedLocation, LocationHash> locations_;
};

}  // namespace perfsift::analysis
