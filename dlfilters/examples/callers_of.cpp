// Keeps samples with a function in the stack.
//
//   perf script --dlfilter callers-of.so --dlarg malloc
//   perfsift script --dlfilter callers-of.so --dlarg malloc
//
// Needs stacks made of frame pointers (perf record --call-graph fp): others are unwound after filters were asked.

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>

#include <dlfilters/sdk.h>

namespace {

using perfsift::dlfilter::Arguments;
using perfsift::dlfilter::SampleView;

class CallersOf {
 public:
  explicit CallersOf(const Arguments& arguments) : function_(arguments[0]) {}

  bool keeps(const SampleView& sample) {
    ++seen_;
    for (const std::uint64_t address : sample.callchain()) {
      if (!is_context_marker(address) && is_in_function(sample, address)) return ++kept_, true;
    }
    return false;
  }

  void finish() const { std::fprintf(stderr, "callers-of: %lu of %lu samples\n", kept_, seen_); }

 private:
  // Between addresses the kernel says which of its parts the following ones belong to: PERF_CONTEXT_*.
  static bool is_context_marker(std::uint64_t address) { return address >= static_cast<std::uint64_t>(-4095); }

  // Looking a symbol up takes longer than all the rest, and stacks are made of few addresses.
  bool is_in_function(const SampleView& sample, std::uint64_t address) {
    const auto [known, is_new] = in_function_[sample->pid].try_emplace(address);
    if (is_new) known->second = sample.location(address).symbol() == function_;
    return known->second;
  }

  std::string function_;
  std::unordered_map<std::int32_t, std::unordered_map<std::uint64_t, bool>> in_function_;  // by process
  unsigned long seen_ = 0, kept_ = 0;
};

}  // namespace

PERFSIFT_DLFILTER(CallersOf, "keeps samples with the function --dlarg NAME in the stack",
                  "The name is the one that perf script prints.\n"
                  "Only stacks from frame pointers are known.")
