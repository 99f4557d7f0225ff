#include "dlfilters/module/perf_names.h"

#include "analysis/samples/stack_options.h"

namespace perfsift::dlfilter {
namespace {

using offcpu::NamedStack;
using offcpu::StackId;

// A frame, and which part of the stack it belongs to, as a word.
constexpr std::uint64_t word_of(analysis::FrameId frame, bool kernel) {
  return std::uint64_t{frame} << 1 | (kernel ? 1 : 0);
}
constexpr bool is_kernel(std::uint64_t word) { return (word & 1) != 0; }
constexpr analysis::FrameId frame_in(std::uint64_t word) { return static_cast<analysis::FrameId>(word >> 1); }

}  // namespace

std::uint32_t PerfNames::number_of(std::string_view comm) {
  const auto [known, is_new] = numbers_.try_emplace(std::string(comm), static_cast<std::uint32_t>(comms_.size() + 1));
  if (is_new) comms_.push_back(known->first);
  return known->second;
}

StackId PerfNames::stack_of(PerfSample& sample, std::uint32_t name) {
  words_.clear();
  const std::vector<PerfSample::Frame>& all = sample.frames();
  for (std::size_t i = 0; i < all.size(); ++i) {
    words_.emplace_back(word_of(frames_.of(sample, i), analysis::is_kernel_mode(all[i].mode)));
  }
  if (sample.stack_is_cut()) words_.emplace_back(word_of(frames().intern("[truncated]"), false));
  const std::int32_t tid = name == 0 ? sample.recorded().tid : 0;
  return table_.intern({.comm = name, .tid = tid}, words_, false);
}

// Threads without a name are shown as perf shows them.
std::string PerfNames::comm_of(std::int32_t tid, std::uint32_t name) const {
  if (name != 0) return std::string(comms_[name - 1]);
  return tid == 0 ? "swapper" : ":" + std::to_string(tid);
}

void PerfNames::for_each_symbol(StackId id, bool of_kernel, const EachSymbol& each) {
  for (const std::uint64_t word : stacks().words(id)) {
    if (is_kernel(word) == of_kernel) each(frames().text(frame_in(word)));
  }
}

void PerfNames::name(StackId id, NamedStack& named) {
  for (const std::uint64_t word : stacks().words(id)) {
    (is_kernel(word) ? named.kernel : named.user).push_back(frame_in(word));
  }
}

}  // namespace perfsift::dlfilter
