// A stream may last for days, so the memory to read a stream must not depend on its length.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/reader/reading.h"
#include "tests/support/allocated.h"
#include "tests/support/recording_builder.h"

namespace perfsift::reader {
namespace {

using test::RecordingBuilder;

// Repeats the same rounds of samples, with ascending times.
class EndlessRounds : public ByteSource {
 public:
  EndlessRounds(std::vector<std::byte> head, std::size_t rounds) : pending_(std::move(head)), rounds_(rounds) {}

  std::size_t read(std::span<std::byte> out) override {
    if (given_ == pending_.size() && !refill()) return 0;
    const std::size_t size = std::min(out.size(), pending_.size() - given_);
    std::memcpy(out.data(), pending_.data() + given_, size);
    given_ += size;
    return size;
  }

  static constexpr std::uint64_t samples_per_round = 2000;

 private:
  bool refill() {
    if (rounds_ == 0) return false;
    --rounds_;
    RecordingBuilder round;
    // Two ring buffers, drained one after the other.
    for (const std::uint64_t buffer : {0, 1}) {
      for (std::uint64_t i = 0; i < samples_per_round / 2; ++i) round.sample_at(time_ + 2 * i + buffer);
    }
    round.round();
    time_ += samples_per_round;
    pending_.assign(round.records().begin(), round.records().end());
    given_ = 0;
    return true;
  }

  std::vector<std::byte> pending_;
  std::size_t rounds_, given_ = 0;
  std::uint64_t time_ = 1;
};

// Counts samples that come in order, and watches the memory in use.
class Watcher : public OrderedVisitor {
 public:
  void sample(const Sample& sample) override {
    if (sample.time == last_ + 1) ++in_order;
    last_ = sample.time;
    if (sample.time % 997 == 0) most = std::max(most, test::allocated());
  }
  std::uint64_t in_order = 0;
  std::size_t most = 0;

 private:
  std::uint64_t last_ = 0;
};

Watcher watch(std::size_t rounds) {
  RecordingBuilder head;
  head.timed_event().comm_at(0, 7, "demo");
  InputFile input{.path = "memory"};
  input.source = std::make_unique<EndlessRounds>(head.pipe(), rounds);
  const std::size_t before = test::allocated();
  StreamedRecording recording(std::move(input), {});
  Watcher watcher;
  recording.visit_in_order(watcher);
  watcher.most -= before;
  return watcher;
}

TEST(StreamMemory, DoesNotGrowWithTheStream) {
  const Watcher brief = watch(20), lengthy = watch(400);  // of 64 kB each
  EXPECT_EQ(brief.in_order, 20 * EndlessRounds::samples_per_round);
  EXPECT_EQ(lengthy.in_order, 400 * EndlessRounds::samples_per_round);
  EXPECT_LT(brief.most, std::size_t{8} << 20);
  EXPECT_LE(lengthy.most, brief.most + (std::size_t{1} << 20));
}

}  // namespace
}  // namespace perfsift::reader
