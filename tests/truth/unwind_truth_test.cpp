// Stacks of a program that knows its own stacks (program.cpp), compiled in many ways and recorded while the test runs.
//
// Every function of the program that runs has a mark in its frame. A stack is right if every mark in the copied memory
// is in a frame that we found, for the function that made the mark, and if every frame of such a function has its
// mark. A stack is complete if it ends at the outermost frame of the thread.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/samples/user_state.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"
#include "symbolize/unwind/unwinder.h"
#include "tests/truth/mark.h"
#include "tests/truth/recording_of_program.h"

namespace perfsift {
namespace {

using symbolize::Frame;
using symbolize::StackEnd;
using symbolize::Symbol;

std::vector<truth::Layout> marks_of(std::uint64_t start, Bytes stack) {
  std::vector<truth::Layout> marks;
  for (std::size_t at = -start & 7; at + sizeof(truth::Layout) <= stack.size(); at += 8) {
    truth::Layout mark;
    std::memcpy(&mark, stack.data() + at, sizeof mark);
    if (mark.magic == truth::magic && mark.self == start + at) marks.push_back(mark);
  }
  return marks;
}

// Compilers move parts of a function to other places: "work() [clone .cold]".
std::string_view without_part(std::string_view name) {
  const std::size_t part = std::min(name.find(".cold"), name.find(".part"));
  return name.substr(0, part);
}

// The functions of the program that are always inlined: each calls only functions before it in this list.
constexpr std::pair<truth::Inlined, std::string_view> inlined_functions[] = {
    {truth::Inlined::inner, "inlined_inner"},
    {truth::Inlined::middle, "inlined_middle"},
    {truth::Inlined::outer, "inlined_outer"},
};

struct Count {
  std::size_t samples = 0;
  std::size_t right = 0;
  double share() const { return static_cast<double>(right) / static_cast<double>(samples); }
};

struct Share {
  Count all;  // samples with a mark of an outermost function, and a stack copied to its end
  // The stacks of `all` without an exception on their way. To continue at a handler, libgcc's uw_install_context()
  // overwrites the registers that its callers' frames have saved. For some instructions the stack then belongs to no
  // function.
  Count calm;
  std::size_t other = 0;  // samples with shorter copies, or from before or after the program's own code
  std::size_t frames = 0;
  Count inlined;  // frames of callers that had inlined calls, according to their marks
  std::string first_wrong;
  std::string first_wrong_inlined;
};

class Judge : public reader::SampleVisitor {
 public:
  Judge(const reader::Recording& recording, Share& share) : recording_(recording), unwinder_(tables_), share_(share) {}

  void sample(const reader::Sample& sample) override {
    const auto state = analysis::user_state(sample, recording_.features().arch);
    if (!state) return;
    const auto& timeline = recording_.timeline();
    const auto thread = timeline.thread(sample.pid, sample.tid, sample.moment);
    const analysis::TimelineSpace space(timeline, thread.maps);
    const std::uint64_t stack_pointer = sample.user_registers.get(number_of_stack_pointer(*state)).value_or(0);
    const auto marks = marks_of(stack_pointer, sample.user_stack);
    const auto outermost = std::ranges::find(marks, truth::Kind::outermost, &truth::Layout::kind);
    // The size of the stack above main(), or above the first function of a thread.
    constexpr std::uint64_t above = 2048;
    const std::uint64_t end = stack_pointer + sample.user_stack.size();
    const bool whole = outermost != marks.end() &&
                       (end - outermost->self > above || sample.user_stack.size() < sample.user_stack_dumped);
    if (!whole) return void(++share_.other);

    unwinder_.unwind(*state, space, stack_);
    share_.frames += stack_.frames.size();
    const std::string wrong = judge(marks, space);
    count(share_.all, wrong.empty());
    if (!exception_is_thrown(space)) count(share_.calm, wrong.empty());
    if (!wrong.empty() && share_.first_wrong.empty()) share_.first_wrong = wrong + describe(space, marks);
  }

 private:
  // perf's number.
  static unsigned number_of_stack_pointer(const symbolize::UserState& state) {
    const auto& facts = symbolize::facts_of(state.architecture);
    return static_cast<unsigned>(std::ranges::find(facts.from_perf, facts.stack_pointer) - facts.from_perf.begin());
  }

  static void count(Count& to, bool right) {
    ++to.samples;
    to.right += right ? 1 : 0;
  }

  bool exception_is_thrown(const symbolize::AddressSpace& space) {
    return std::ranges::any_of(stack_.frames, [&](const Frame& frame) {
      const std::string name = name_at(frame.address - (frame.return_address ? 1 : 0), space);
      return name == "_Unwind_Resume" || name == "_Unwind_RaiseException";
    });
  }

  std::string judge(const std::vector<truth::Layout>& marks, const symbolize::AddressSpace& space) {
    if (stack_.end != StackEnd::complete) return "not complete: " + std::to_string(static_cast<int>(stack_.end));
    std::size_t next = 0;
    std::string callee;
    for (std::size_t i = 0; i < stack_.frames.size(); ++i) {
      const Frame& frame = stack_.frames[i];
      const std::string name = name_at(frame.address - (frame.return_address ? 1 : 0), space);
      const std::uint64_t end = i + 1 < stack_.frames.size() ? lowest_of(stack_.frames[i + 1]) : ~std::uint64_t{0};
      bool marked = false;
      std::set<truth::Inlined> inlined;
      for (; next < marks.size() && marks[next].self < end; ++next) {
        if (marks[next].inlined != truth::Inlined::no) inlined.insert(marks[next].inlined);
        const std::string expected = name_at(marks[next].code, space);
        if (expected != name) return "frame " + std::to_string(i) + " is " + name + ", not " + expected;
        marked = true;
        known_.insert(name);
      }
      if (frame.return_address) judge_inlined(frame, inlined, space);
      // Before a function makes its mark, and after it clears the mark, the function has no callee, but it may be
      // interrupted. An exception clears the mark and then continues in _Unwind_Resume.
      if (!marked && frame.return_address && known_.contains(name) && callee != "_Unwind_Resume")
        return "frame " + std::to_string(i) + " is " + name + ", which is not active";
      callee = name;
    }
    return next == marks.size() ? "" : "a mark above the outermost frame";
  }

  // The functions that are inlined around a call, according to their marks, innermost first. A call cannot move out of
  // the lifetime of a mark, but other instructions can.
  static std::string expected_calls(const std::set<truth::Inlined>& inlined) {
    std::string calls;
    for (const auto& [which, name] : inlined_functions)
      if (inlined.contains(which)) calls += std::string(name) + ' ';
    return calls;
  }

  // The functions that are inlined around a call, according to debug information.
  std::string found_calls(std::uint64_t address, const symbolize::AddressSpace& space) {
    const auto part = space.find(address);
    if (!part) return "nowhere";
    std::vector<symbolize::SourceFrame> frames;
    symbolizer_.file(space.binary(part->binary))
        .append_source_frames(address - part->start + part->page_offset, frames);
    std::string calls;
    for (const symbolize::SourceFrame& frame : frames) {
      for (const auto& [which, name] : inlined_functions)
        if (frame.inlined && frame.name.find(name) != std::string_view::npos) calls += std::string(name) + ' ';
    }
    return calls;
  }

  void judge_inlined(const Frame& frame, const std::set<truth::Inlined>& inlined,
                     const symbolize::AddressSpace& space) {
    const std::string found = found_calls(frame.address - 1, space);
    const std::string expected = expected_calls(inlined);
    if (found.empty() && expected.empty()) return;
    count(share_.inlined, found == expected);
    if (found != expected && share_.first_wrong_inlined.empty())
      share_.first_wrong_inlined = "inlined: " + found + "and not " + expected;
  }

  // An interrupted function may use memory below its stack pointer: the red zone.
  static std::uint64_t lowest_of(const Frame& frame) { return frame.stack_pointer - (frame.return_address ? 0 : 128); }

  std::string name_at(std::uint64_t address, const symbolize::AddressSpace& space) {
    const auto part = space.find(address);
    if (!part) return "nowhere";
    const auto* symbol = symbolizer_.file(space.binary(part->binary)).find(address - part->start + part->page_offset);
    return symbol == nullptr ? "[unknown]" : std::string(without_part(symbol->name));
  }

  std::string describe(const symbolize::AddressSpace& space, const std::vector<truth::Layout>& marks) {
    std::ostringstream text;
    text << std::hex;
    for (const Frame& frame : stack_.frames)
      text << "\n  " << frame.address << " sp " << frame.stack_pointer << " by " << static_cast<int>(frame.origin)
           << ' ' << name_at(frame.address - (frame.return_address ? 1 : 0), space);
    text << "\nmarks:";
    for (const truth::Layout& mark : marks) text << "\n  " << mark.self << ' ' << name_at(mark.code, space);
    return text.str();
  }

  const reader::Recording& recording_;
  symbolize::Symbolizer symbolizer_;
  symbolize::UnwindTables tables_;
  symbolize::Unwinder unwinder_;
  symbolize::UnwoundStack stack_;
  std::set<std::string> known_;  // functions that make marks
  Share& share_;
};

class StacksOf : public testing::TestWithParam<std::string> {};

TEST_P(StacksOf, AreRightAndComplete) {
  const auto [data, why_not] = test::record_truth_program(GetParam());
  if (data.empty()) GTEST_SKIP() << why_not;
  const auto recording = reader::Recording::open(data);
  Share share;
  recording->visit_parallel(1, [&](unsigned) { return std::make_unique<Judge>(*recording, share); });
  std::filesystem::remove(data);

  std::cout << GetParam() << ": " << share.all.right << " of " << share.all.samples << " stacks right and complete, "
            << share.calm.right << " of " << share.calm.samples << " where no exception is on its way; " << share.frames
            << " frames; " << share.other << " not copied to their end; " << share.inlined.right << " of "
            << share.inlined.samples << " frames with inlined calls right\n"
            << share.first_wrong << '\n';
  EXPECT_GT(share.all.samples, 500u);
  // For AArch64, Clang 14 writes no CFI for the first instructions of functions.
  const bool has_less_cfi = GetParam().starts_with("arm64.");
  EXPECT_GE(share.calm.share(), has_less_cfi ? 0.995 : 0.999) << share.first_wrong;
  EXPECT_GE(share.all.share(), has_less_cfi ? 0.99 : 0.995) << share.first_wrong;
  EXPECT_GT(share.inlined.samples, 30u);
  EXPECT_EQ(share.inlined.right, share.inlined.samples) << share.first_wrong_inlined;
}

INSTANTIATE_TEST_SUITE_P(Programs, StacksOf,
                         testing::Values("gcc.O0", "gcc.O1", "gcc.O2", "gcc.O3", "gcc.no_pie", "gcc.static",
                                         "gcc.static_pie", "gcc.dwarf4", "gcc.split", "gcc.compressed", "clang.split",
                                         "clang.dwarf4", "gcc.debug_frame", "gcc.frame_pointer", "gcc.no_cfi",
                                         "clang.O0", "clang.O2", "clang.O3", "clang.lld", "clang.no_header"));

// These programs copy their own stacks under qemu: see stack_copier.h.
INSTANTIATE_TEST_SUITE_P(ProgramsForAarch64, StacksOf,
                         testing::Values("arm64.gcc.O0", "arm64.gcc.O2", "arm64.gcc.O3", "arm64.gcc.protected",
                                         "arm64.gcc.static", "arm64.gcc.no_cfi", "arm64.gcc.frame_pointer",
                                         "arm64.gcc.vectors", "arm64.clang.O2", "arm64.clang.protected"));

}  // namespace
}  // namespace perfsift
