#include "analysis/samples/callchain.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/binary.h"
#include "reader/branch_calls.h"
#include "reader/callchain.h"

namespace perfsift::analysis {
namespace {

namespace context = reader::callchain_context;
using reader::CpuMode;

// Turns the entries of a callchain into frames, one by one.
class ChainReader {
 public:
  // `returns`: the entries of callers are return addresses, not the addresses of the calls. `unwound`: the user part
  // was unwound when the recording was packed, and has notes of perfsift.
  ChainReader(std::vector<Frame>& frames, bool returns, bool unwound = false)
      : frames_(frames), returns_(returns), unwound_(unwound) {}

  // Returns false when the chain ends here.
  bool add(std::uint64_t entry) {
    if (entry < context::max && unwound_ && mode_ == CpuMode::user) {
      frames_.push_back({.address = call_site(entry, !std::exchange(first_, false)), .unwound = true});
      return true;
    }
    if (entry < context::max) {
      frames_.push_back({.address = entry, .mode = mode_, .return_address = returns_ && !first_});
      first_ = false;
      return true;
    }
    if (unwound_ && reader::callchain_note::is_of_frames(entry)) return true;
    if (unwound_ && reader::ends_frames(entry)) return false;
    first_ = true;
    switch (entry) {
      case context::hypervisor:
        mode_ = CpuMode::hypervisor;
        return true;
      case context::kernel:
        mode_ = CpuMode::kernel;
        return true;
      case context::user:
        mode_ = CpuMode::user;
        return true;
      case context::user_deferred:
        return false;
      default:
        frames_.clear();
        return false;
    }
  }

 private:
  std::vector<Frame>& frames_;
  const bool returns_;
  const bool unwound_;
  CpuMode mode_ = CpuMode::user;
  bool first_ = true;  // the first entry of its context is the instruction itself
};

// The length of the callchain up to the user marker, the marker included; the whole length without user frames.
std::size_t user_marker(const reader::Sample& sample, std::size_t limit) {
  const auto entries = sample.callchain.first(std::min(sample.callchain.size(), limit));
  const auto marker = std::ranges::find_if(entries, [](std::uint64_t entry) { return entry == context::user; });
  return static_cast<std::size_t>(marker - entries.begin());
}

bool has_branch_call_stack(const reader::Sample& sample) {
  return (sample.event->attr.branch_sample_type & reader::branch_sample::call_stack) != 0 && sample.has_branch_stack;
}

// perf 6.1 takes the newest branch's target for the user's leaf. Newer versions take the sample's ip, even an ip in the
// kernel; user_leaf() is what they intend.
std::optional<std::uint64_t> leaf_of_branches(const reader::Sample& sample, reader::Words user_part, PerfStyle style) {
  if (style != PerfStyle::perf_6_1) return user_leaf(sample, user_part);
  return sample.branch_stack.empty() ? std::nullopt
                                     : std::optional(reader::BranchEntry(sample.branch_stack.front()).to);
}

// resolve_lbr_callchain_sample(): the kernel's frames, then the user leaf and the source of each branch. Returns false
// without a user part: the chain is then used as recorded.
bool branch_call_stack_frames(const reader::Sample& sample, unsigned max_stack, PerfStyle style,
                              std::vector<Frame>& frames) {
  const std::size_t limit = std::min<std::size_t>(max_stack, sample.callchain.size());
  const std::size_t marker = user_marker(sample, limit);
  if (marker == limit) return false;

  ChainReader kernel(frames, true);
  for (std::size_t i = 0; i < marker; ++i) {
    if (!kernel.add(sample.callchain[i])) return true;
  }
  ChainReader user(frames, false);
  const auto leaf = leaf_of_branches(sample, sample.callchain.subspan(marker + 1), style);
  if (leaf && !user.add(*leaf)) return true;
  for (const reader::BranchEntry branch : sample.branch_stack) {
    if (!user.add(branch.from)) return true;
  }
  return true;
}

}  // namespace

std::optional<std::size_t> first_user_frame(reader::Words callchain) {
  const auto user = std::ranges::find_if(callchain, [](std::uint64_t entry) { return entry == context::user; });
  if (callchain.end() - user < 2 || *std::next(user) >= context::max) return std::nullopt;
  return static_cast<std::size_t>(std::next(user) - callchain.begin());
}

void callchain_frames(const reader::Sample& sample, unsigned max_stack, PerfStyle style, std::vector<Frame>& frames,
                      std::optional<std::uint64_t> caller_by_link_register) {
  frames.clear();
  if (has_branch_call_stack(sample) && branch_call_stack_frames(sample, max_stack, style, frames)) return;

  const bool unwound = reader::was_unwound(sample.callchain);
  ChainReader chain(frames, true, unwound);
  for (std::size_t i = 0; i < sample.callchain.size(); ++i) {
    if (!unwound && frames.size() >= max_stack) return;
    if (caller_by_link_register && i >= 2 && sample.callchain[i - 2] == context::user)
      frames.push_back({.address = call_site(*caller_by_link_register, true), .unwound = true});
    if (!chain.add(sample.callchain[i])) return;
  }
}

void append_unwound(const symbolize::UnwoundStack& stack, std::vector<Frame>& frames) {
  for (const symbolize::Frame& frame : stack.frames) {
    frames.push_back({.address = call_site(frame.address, frame.return_address), .unwound = true});
  }
}

}  // namespace perfsift::analysis
