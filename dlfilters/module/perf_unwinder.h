// Unwinds stacks of --call-graph dwarf inside perf. perf unwinds them, too, but does not show the result to a dlfilter.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dlfilters/module/perf_functions.h"
#include "dlfilters/module/text_copies.h"
#include "reader/format/sample.h"
#include "symbolize/unwind/unwinder.h"

namespace perfsift::dlfilter {

// Unwinds as analysis::UserStackUnwinder does, and asks perf what is mapped where. Not thread-safe.
class PerfUnwinder {
 public:
  // `perf` and `texts` must outlive the object.
  PerfUnwinder(const PerfFunctions& perf, TextCopies& texts);

  enum class Outcome : std::uint8_t {
    unwound,
    no_registers,  // a thread of the kernel has none, and those of another machine are not understood
    not_seen,      // perf does not show the record
  };
  // The sample's callchain with the user's part unwound: see words().
  Outcome unwind(const Sample& sample, const reader::Event& event, void* context);
  // Valid until the next call.
  reader::Words words() const { return words_; }

 private:
  // A DSO as perf knows it.
  struct Dso {
    Binary binary;
    const symbolize::UnwindTable* table = nullptr;
  };
  class Space;

  std::uint32_t number_of(const AddressLocation& location);
  bool is_code(const Dso& dso, std::uint64_t offset) const;

  const PerfFunctions& perf_;
  TextCopies& texts_;
  const std::string machine_;
  symbolize::UnwindTables tables_;
  symbolize::Unwinder unwinder_{tables_};
  reader::SampleDecoder decoder_;
  reader::Sample decoded_;
  std::vector<Dso> dsos_;  // by the number they have in a Space
  std::map<std::pair<const char*, BuildId>, std::uint32_t> numbers_;
  std::uint32_t samples_ = 0;
  symbolize::UnwoundStack stack_;
  std::vector<Unaligned<std::uint64_t>> words_;
};

}  // namespace perfsift::dlfilter
