// Where perf unwinds a stack to its end, our stack must be equal, frame by frame. perf is wrong about one stack in some
// thousands: after `throwing.cold`, which ends with a call, perf has once shown an address in the PLT as the caller.
// unwind_truth_test.cpp knows the callers from the program itself.
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/samples/user_state.h"
#include "reader/recording.h"
#include "symbolize/unwind/unwinder.h"
#include "tests/truth/recording_of_program.h"

namespace perfsift {
namespace {

// User frames only, leaf first, with perf's addresses: file offsets, and for callers the byte before the return
// address.
using Addresses = std::vector<std::uint64_t>;
struct PerfStack {
  Addresses frames;
  bool complete = false;  // ends in a start function of a program or thread, which has a callee
  // The leaf is the first instruction of a function. perf uses the rule of the byte before, which belongs to another
  // function, and then leaves out a frame if the frames of that function are larger.
  bool begins_function = false;
};

bool starts_a_stack(std::string_view name) {
  for (const std::string_view start : {"_start", "clone", "clone3", "__clone", "__clone3"})
    if (name == start) return true;
  return false;
}

std::vector<PerfStack> stacks_of_perf(const std::string& data) {
  const std::string command =
      "DEBUGINFOD_URLS= perf script --no-inline -F comm,ip,sym,symoff -i '" + data + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  constexpr std::uint64_t kernel = std::uint64_t{1} << 63;
  std::vector<PerfStack> stacks;
  std::array<char, 65536> line;
  while (fgets(line.data(), static_cast<int>(line.size()), pipe.get()) != nullptr) {
    const std::string_view text = line.data();
    if (text == "\n") continue;
    if (text.front() != '\t') {  // the command's name, before each stack
      stacks.emplace_back();
      continue;
    }
    char* name = nullptr;
    const std::uint64_t address = std::strtoull(line.data(), &name, 16);
    if (address >= kernel) continue;
    PerfStack& stack = stacks.back();
    stack.frames.push_back(address);
    const std::string_view rest = text.substr(static_cast<std::size_t>(name - line.data()) + 1);
    if (stack.frames.size() == 1) stack.begins_function = rest.ends_with("+0x0\n");
    // clone3() without a callee is the parent's call of clone3().
    stack.complete = stack.frames.size() > 1 && starts_a_stack(rest.substr(0, rest.find_first_of("+\n")));
  }
  return stacks;
}

class Collector : public reader::OrderedVisitor {
 public:
  explicit Collector(const reader::Recording& recording) : recording_(recording), unwinder_(tables_) {}

  struct Stack {
    Addresses frames;
    symbolize::StackEnd end{};
  };
  std::vector<Stack> stacks;

  void sample(const reader::Sample& sample) override {
    stacks.emplace_back();
    const auto state = analysis::user_state(sample, recording_.features().arch);
    if (!state) return;
    const auto& timeline = recording_.timeline();
    const analysis::TimelineSpace space(timeline, timeline.thread(sample.pid, sample.tid, sample.moment).maps);
    unwinder_.unwind(*state, space, stack_);
    for (const symbolize::Frame& frame : stack_.frames) {
      const std::uint64_t address = frame.address - (frame.return_address ? 1 : 0);
      const auto part = space.find(address);
      stacks.back().frames.push_back(part ? address - part->start + part->page_offset : address);
    }
    stacks.back().end = stack_.end;
  }

 private:
  const reader::Recording& recording_;
  symbolize::UnwindTables tables_;
  symbolize::Unwinder unwinder_;
  symbolize::UnwoundStack stack_;
};

std::string text_of(const Addresses& frames) {
  std::string text;
  for (const std::uint64_t frame : frames) {
    std::array<char, 20> word;
    std::snprintf(word.data(), word.size(), " %llx", static_cast<unsigned long long>(frame));
    text += word.data();
  }
  return text;
}

class StacksOfPerf : public testing::TestWithParam<std::string> {};

TEST_P(StacksOfPerf, AreOursWhereTheyAreComplete) {
  const auto [data, why_not] = test::record_truth_program(GetParam());
  if (data.empty()) GTEST_SKIP() << why_not;
  const auto expected = stacks_of_perf(data);
  const auto recording = reader::Recording::open(data);
  Collector ours(*recording);
  recording->visit_in_order(ours);
  std::filesystem::remove(data);
  ASSERT_EQ(ours.stacks.size(), expected.size());

  std::size_t with_user = 0, complete = 0, complete_of_perf = 0, different = 0;
  std::string first;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (ours.stacks[i].frames.empty()) continue;
    ++with_user;
    complete += ours.stacks[i].end == symbolize::StackEnd::complete ? 1 : 0;
    if (!expected[i].complete || expected[i].begins_function) continue;
    ++complete_of_perf;
    if (ours.stacks[i].frames == expected[i].frames) continue;
    if (different++ == 0) first = "perf:" + text_of(expected[i].frames) + "\nours:" + text_of(ours.stacks[i].frames);
  }
  std::cout << GetParam() << ": of " << with_user << " user stacks perf completes " << complete_of_perf << ", we "
            << complete << "; " << different << " different\n";
  EXPECT_GT(with_user, 500u);
  EXPECT_GE(complete, complete_of_perf);
  EXPECT_LE(different, complete_of_perf / 1000) << first;
}

INSTANTIATE_TEST_SUITE_P(Programs, StacksOfPerf,
                         testing::Values("gcc.O2", "gcc.no_pie", "gcc.static", "clang.O2", "clang.lld",
                                         "clang.no_header"));

}  // namespace
}  // namespace perfsift
