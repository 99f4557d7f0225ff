// Folded stacks compared with a map of their texts, which sorts by bytes like std::string.

#include "output/folded/folded.h"

#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/temporary.h"

namespace perfsift::output {
namespace {

class FoldedOutput : public ::testing::Test {
 protected:
  std::string written(const analysis::Profile& profile, const FoldedOptions& options) {
    const std::string path = directory_.path() / "out";
    OutputFile out(path);
    write_folded(profile, options, out);
    out.commit();
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  test::TemporaryDirectory directory_;
};

// Random stacks, and the expected lines.
class RandomProfile {
 public:
  RandomProfile(std::vector<std::string> texts, unsigned lists, std::size_t stacks_each, std::size_t deepest,
                std::vector<std::string> events = {"cycles"})
      : texts_(std::move(texts)), events_(std::move(events)) {
    for (unsigned i = 0; i < lists; ++i) {
      analysis::StackList& list = profile_.new_list();
      for (std::size_t stack = 0; stack < stacks_each; ++stack) add(list, deepest);
    }
  }

  const analysis::Profile& profile() const { return profile_; }
  std::string lines() const {
    std::string text;
    for (const auto& [stack, value] : values_) text += stack + ' ' + std::to_string(value) + '\n';
    return text;
  }

 private:
  void add(analysis::StackList& list, std::size_t deepest) {
    const std::string& event = events_[pick(events_.size())];
    std::string text = events_.size() > 1 ? event + ';' : "";
    std::vector<analysis::FrameId> frames;
    for (std::size_t i = pick(deepest) + 1; i > 0; --i) {
      const std::string& frame = texts_[pick(texts_.size())];
      frames.push_back(profile_.frames().intern(frame));
      text += frame + (i > 1 ? ";" : "");
    }
    const std::uint64_t value = pick(1000);
    list.add(profile_.event(event), frames, {.samples = 1, .value = value});
    values_[text] += value;
  }
  std::size_t pick(std::size_t count) { return random_() % count; }

  std::mt19937 random_{20260101};
  std::vector<std::string> texts_, events_;
  analysis::Profile profile_;
  std::map<std::string, std::uint64_t> values_;
};

// Texts with common beginnings, and bytes below ';' (such as ' ', '!', '+', ':') and above it ('<', 'a', 0xff).
std::vector<std::string> confusable_texts() {
  std::vector<std::string> texts;
  for (const std::string start : {"", "a", "a:", "a<"}) {
    for (const std::string end : {"", " ", "!", "+", ":", "<", "a", "\xff", "a\xff", "!!"})
      texts.push_back(start + end);
  }
  return texts;
}

TEST_F(FoldedOutput, IsSortedByTheBytesOfTheStacks) {
  for (const std::size_t deepest : {1, 3, 9}) {
    const RandomProfile random(confusable_texts(), 3, 2000, deepest);
    for (const unsigned threads : {1, 2, 4}) {
      EXPECT_TRUE(written(random.profile(), {.threads = threads}) == random.lines()) << deepest << ' ' << threads;
    }
  }
}

TEST_F(FoldedOutput, IsCutIntoPiecesWithoutASeam) {
  const RandomProfile random({"main", "f", "g", "ff", "f<int>"}, 4, 30'000, 9);
  for (const unsigned threads : {1, 3}) {
    EXPECT_TRUE(written(random.profile(), {.threads = threads}) == random.lines()) << threads;
  }
}

TEST_F(FoldedOutput, HoldsMoreFramesThanSixteenBitsNumber) {
  std::vector<std::string> texts;
  for (int i = 0; i < 70'000; ++i) texts.push_back("function_" + std::to_string(i));
  const RandomProfile random(texts, 2, 40'000, 4);
  EXPECT_TRUE(written(random.profile(), {.threads = 2}) == random.lines());
}

TEST_F(FoldedOutput, EventsAreTheFirstFrameWhenThereAreSeveral) {
  const RandomProfile random({"main", "f", "cycles"}, 2, 500, 4, {"cycles", "faults", "cycles:k"});
  EXPECT_EQ(written(random.profile(), {.threads = 2, .event_frame = true}), random.lines());
}

TEST_F(FoldedOutput, AnEventCannotBreakALine) {
  analysis::Profile profile;
  const analysis::FrameId frame = profile.frames().intern("main");
  profile.new_list().add(profile.event("a;b\n"), {&frame, 1}, {.samples = 1, .value = 1});
  EXPECT_EQ(written(profile, {.event_frame = true}), "a:b\\n;main 1\n");
}

TEST_F(FoldedOutput, ValuesAreWritten64BitsWide) {
  analysis::Profile profile;
  const analysis::FrameId frame = profile.frames().intern("main");
  profile.new_list().add(profile.event(""), {&frame, 1}, {.samples = 1, .value = 18'446'744'073'709'551'614u});
  profile.new_list().add(profile.event(""), {&frame, 1}, {.samples = 1, .value = 1});
  EXPECT_EQ(written(profile, {}), "main 18446744073709551615\n");
}

TEST_F(FoldedOutput, AnEmptyProfileIsAnEmptyFile) { EXPECT_EQ(written(analysis::Profile(), {.threads = 2}), ""); }

}  // namespace
}  // namespace perfsift::output
