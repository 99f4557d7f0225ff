// A sample that perf shows to a dlfilter, in the form of our own reader, with all facts that perf can give.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/samples/aligned_leaf.h"
#include "base/hash.h"
#include "dlfilters/module/events_by_attr.h"
#include "dlfilters/module/perf_functions.h"
#include "dlfilters/module/perf_unwinder.h"
#include "dlfilters/module/text_copies.h"
#include "filter/sample_facts.h"
#include "reader/callchain.h"

namespace perfsift::dlfilter {

// perf's name of an address, without parameters. Empty: perf has no name. The texts stay valid.
struct LocationName {
  std::string_view sym;
  std::string_view dso;
  std::uint64_t symoff = 0;  // of the address that was looked up, in `sym`
  bool kernel = false;       // an address of the kernel
};

// The facts that cost perf a look-up.
inline constexpr filter::Fact name_facts[] = {filter::Fact::comm,     filter::Fact::sym,     filter::Fact::symoff,
                                              filter::Fact::dso,      filter::Fact::srcfile, filter::Fact::srcline,
                                              filter::Fact::addr_sym, filter::Fact::addr_dso};

// One object serves all samples, one after the other. Not thread-safe.
//
// An expression means the same here as in our own commands, as far as perf has the same names. Names of addresses are
// not kept from sample to sample: a dlfilter does not learn when a process maps another file, and a look-up costs
// less than a microsecond.
class PerfSample : public filter::SampleFacts {
 public:
  explicit PerfSample(const PerfFunctions& perf) : perf_(perf), frame_(*this) {}

  // Names are looked up late. An early filter gets none, and the sample notes that the filter asked for one.
  enum class Stage : std::uint8_t { early, late };
  // Makes `sample` the current sample, until the end of the callback that passed it. Throws Error for a sample of a
  // wrong layout.
  void set(const Sample& sample, void* context, Stage stage);

  // The recorded fields, without registers, copies of stacks, read counters, and the thread's address space.
  const reader::Sample& recorded() const { return recorded_; }
  bool asked_for_names() const { return asked_for_names_; }

  // A frame of the stack.
  struct Frame {
    reader::CpuMode mode = reader::CpuMode::unknown;
    std::uint64_t ip = 0;
    bool return_address = false;
    bool guessed = false;  // by frame pointers, when the stack was unwound
  };
  // The first frame is the sample's ip. With --call-graph dwarf and lbr the user's part is what the samples hold of it,
  // as in analysis::CallStack.
  const std::vector<Frame>& frames();
  // Whether the copy of the stack ended before the stack that was unwound did.
  bool stack_is_cut() { return frames(), cut_; }
  // The name of a frame; for a caller, of the function with the call. Valid until the next sample.
  const LocationName& name_of_frame(std::size_t index);
  // The name at the sample's ip.
  const LocationName& name();
  // The name at the address that `addr` holds.
  const LocationName& data_name();
  // The thread's name; empty if perf has none.
  std::string_view comm();
  std::string_view event() { return texts_.of(recorded_.event->name.c_str()); }

  std::optional<filter::Number> number(filter::Fact fact) override;
  std::optional<std::string_view> text(filter::Fact fact) override;
  filter::TracepointValue tracepoint(std::size_t) override { return {}; }
  std::size_t stack_depth() override { return frames().size(); }
  filter::Facts& frame(std::size_t index) override;
  bool stack_truncated() override { return frames(), truncated_; }

 private:
  class FrameFacts : public filter::Facts {
   public:
    explicit FrameFacts(PerfSample& owner) : owner_(owner) {}
    void set(std::size_t index) { index_ = index; }
    std::optional<filter::Number> number(filter::Fact fact) override;
    std::optional<std::string_view> text(filter::Fact fact) override;

   private:
    PerfSample& owner_;
    std::size_t index_ = 0;
  };
  struct SourceLine {
    std::string_view file;
    std::uint32_t line = 0;
  };
  struct SourceKey {
    const char* dso = nullptr;
    std::uint64_t addr = 0;
    bool operator==(const SourceKey&) const = default;
  };
  struct SourceHash {
    std::size_t operator()(const SourceKey& key) const {
      return spread(reinterpret_cast<std::uintptr_t>(key.dso) ^ key.addr) >> 16;
    }
  };

  bool may_ask_for_names();
  // The callchain behind frames().
  reader::Words stack_words();
  reader::Words aligned_to_ip(reader::Words words);
  analysis::FunctionAt function(reader::CpuMode mode, std::uint64_t address, bool return_address);
  void add_frames(const reader::CallchainPart& part);
  bool unwind();
  LocationName kept(const AddressLocation& location);
  std::string_view plain_name(std::string_view name);
  LocationName resolve(std::uint64_t address, std::optional<reader::CpuMode> mode);
  const AddressLocation* location();
  SourceLine source_line();

  const PerfFunctions perf_;
  EventsByAttr events_;
  TextCopies texts_;
  FrameFacts frame_;

  const Sample* shown_ = nullptr;
  reader::Sample recorded_;
  void* context_ = nullptr;
  Stage stage_ = Stage::late;
  bool asked_for_names_ = false;
  std::uint32_t flags_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t cycles_ = 0;
  std::int32_t machine_pid_ = 0;
  std::int32_t vcpu_ = -1;

  // Facts of the current sample that have been looked up.
  bool has_frames_ = false;
  bool truncated_ = false;
  bool cut_ = false;
  std::vector<Frame> frames_;
  std::vector<std::optional<LocationName>> frame_names_;
  std::optional<LocationName> name_;
  std::optional<LocationName> data_name_;
  std::vector<Unaligned<std::uint64_t>> joined_, aligned_;

  std::unique_ptr<PerfUnwinder> unwinder_;  // its tables are large: not before there is something to unwind
  bool unseen_stack_noticed_ = false;

  // Facts that are kept from sample to sample.
  std::unordered_map<const char*, std::string_view> plain_names_;  // by where texts_ keeps the whole name
  std::unordered_map<SourceKey, SourceLine, SourceHash> source_lines_;
};

}  // namespace perfsift::dlfilter
