// Recordings of perf record --off-cpu: sums by stack, made by BPF, in both forms that versions of perf write.
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

namespace bit = reader::sample_bit;
using ::testing::HasSubstr;

using test::millisecond;
constexpr std::uint64_t sums_id = 21;
// OFF_CPU_TIMESTAMP in tools/perf/util/bpf_off_cpu.c, which grows by one with each sum.
constexpr std::uint64_t time_of_sums = ~std::uint64_t{0} << 32;

struct Off {
  std::uint32_t pid = 0, tid = 0;
  std::uint64_t time = 0;  // nanoseconds
  std::vector<std::uint64_t> stack;
};

// Threads 7 "server" and 9 of process 7, and thread 8 "writer".
class Form {
 public:
  virtual ~Form() = default;
  virtual void add(const Off& off) = 0;
  std::string write(const test::TemporaryDirectory& directory) const {
    const auto bytes = in_.file();
    return directory.write("perf.data", Bytes(bytes));
  }

 protected:
  explicit Form(std::uint64_t sample_type) {
    // off_cpu_config() in tools/perf/util/bpf_off_cpu.c: PERF_COUNT_SW_BPF_OUTPUT, whose name is only in EVENT_DESC.
    in_.event({.config = reader::software_event::bpf_output,
               .sample_period = 1,
               .sample_type = sample_type,
               .flags = test::sample_id_all},
              {sums_id});
    const std::string_view name("offcpu-time\0", 12);
    test::BytesBuilder description;
    description.u32(1).u32(64).u32(1).u32(64).u64(10).u64(1).u64(sample_type).zeros(32);
    in_.feature(reader::Feature::event_description, description.u32(1).u32(12).text(name).u64(sums_id));
    comm(7, 7, "server").comm(7, 9, "server").comm(8, 8, "writer");
  }
  Form& comm(std::uint32_t pid, std::uint32_t tid, std::string_view name) {
    in_.record(reader::RecordType::comm,
               in_.bytes().u32(pid).u32(tid).padded(name).u32(pid).u32(tid).u64(5).u32(0).u32(0).u64(sums_id));
    return *this;
  }

  test::RecordingBuilder in_;
  std::uint64_t next_time_ = time_of_sums;
};

// perf up to 6.14: off_cpu_write() writes ordinary samples, with the user part of the stack only.
class Sums : public Form {
 public:
  Sums() : Form(bit::identifier | bit::ip | bit::tid | bit::time | bit::cpu | bit::period | bit::callchain) {}
  void add(const Off& off) override {
    auto payload = in_.bytes().u64(sums_id).u64(off.stack.front()).u32(off.pid).u32(off.tid).u64(next_time_++);
    payload.u64(0).u64(off.time).u64(off.stack.size() + 1).u64(reader::callchain_context::user);
    for (const std::uint64_t address : off.stack) payload.u64(address);
    in_.record(reader::RecordType::sample, payload, user);
  }

 private:
  static constexpr std::uint16_t user = 2;
};

// perf since 6.16: the output of BPF is in the raw data, for sums and, with --off-cpu-thresh, for single intervals. The
// sample's own thread is not the thread that waited (__set_offcpu_sample() in tools/perf/util/evsel.c). Sums start with
// the process (off_cpu_write() in bpf_off_cpu.c), intervals with the thread (off_cpu_dump() in bpf_skel/off_cpu.bpf.c).
class RawSums : public Form {
 public:
  RawSums() : Form(bit::identifier | bit::ip | bit::tid | bit::time | bit::cpu | bit::period | bit::raw) {}
  void add(const Off& off) override { add_at(next_time_++, off); }
  void add_at(std::uint64_t time, const Off& off) {
    const bool is_sum = time >= time_of_sums;
    auto raw = in_.bytes().u32(is_sum ? off.pid : off.tid).u32(is_sum ? off.tid : off.pid);
    raw.u64(off.time).u64(off.stack.size() + 1).u64(reader::callchain_context::user);
    for (const std::uint64_t address : off.stack) raw.u64(address);
    add_raw(time, raw.u64(1).u32(0));  // the cgroup, and padding by the kernel
  }
  void add_raw(std::uint64_t time, const test::BytesBuilder& raw) {
    auto payload = in_.bytes().u64(sums_id).u64(0).u32(0).u32(0).u64(time).u64(0).u64(1);
    in_.record(reader::RecordType::sample,
               payload.u32(static_cast<std::uint32_t>(raw.view().size())).bytes(raw.view()));
  }
};

template <typename SomeForm>
class OffcpuOfBpf : public ::testing::Test {
 protected:
  OffcpuOfBpf() {
    in.add({.pid = 7, .tid = 7, .time = 3 * millisecond, .stack = {0x1010, 0x1110}});
    in.add({.pid = 8, .tid = 8, .time = 2 * millisecond, .stack = {0x1010}});
    in.add({.pid = 7, .tid = 9, .time = 1 * millisecond, .stack = {0x1010, 0x1110}});
  }
  Outcome run(options::Arguments options) {
    options.push_back(in.write(directory));
    return run_command("offcpu", options);
  }
  std::string folded(options::Arguments options = {}) {
    options.insert(options.end(), {"-q", "-o", "-"});
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.status, done) << outcome.err;
    return outcome.out;
  }

  test::TemporaryDirectory directory;
  SomeForm in;
};
using Forms = ::testing::Types<Sums, RawSums>;
TYPED_TEST_SUITE(OffcpuOfBpf, Forms);

TYPED_TEST(OffcpuOfBpf, TheSumsAreTheFoldedStacks) {
  EXPECT_EQ(this->folded(), "server;[unknown];[unknown] 4000\nwriter;[unknown] 2000\n");
}

TYPED_TEST(OffcpuOfBpf, ThreadsAreFiltered) {
  EXPECT_EQ(this->folded({"-p", "7"}), "server;[unknown];[unknown] 4000\n");
  EXPECT_EQ(this->folded({"-t", "9"}), "server;[unknown];[unknown] 1000\n");
}

TYPED_TEST(OffcpuOfBpf, ExpressionsAskForTheThreadAndTheStack) {
  EXPECT_EQ(this->folded({"--filter", "comm == \"writer\""}), "writer;[unknown] 2000\n");
  EXPECT_EQ(this->folded({"--filter", "pid == 7 && tid != 7"}), "server;[unknown];[unknown] 1000\n");
  EXPECT_EQ(this->folded({"--filter", "depth == 1"}), "writer;[unknown] 2000\n");
  EXPECT_EQ(this->folded({"--filter", "stack has (ip == 0x1110) && first(1)"}), "server;[unknown];[unknown] 3000\n");
}

// perf since 6.16 has the same result: see evsel__parse_sample().
TYPED_TEST(OffcpuOfBpf, OtherCommandsSeeOrdinarySamples) {
  const std::string path = this->in.write(this->directory);
  EXPECT_EQ(run_command("fold", {"-q", "-o", "-", path}).out,
            "server;[unknown];[unknown] 4000000\nwriter;[unknown] 2000000\n");
  EXPECT_EQ(run_command("script", {"-q", "-F", "comm,pid,tid,period,ip", path}).out,
            "server       7/7          3000000 \n"
            "\t            1010\n"
            "\t            1110\n\n"
            "writer       8/8          2000000 \n"
            "\t            1010\n\n"
            "server       7/9          1000000 \n"
            "\t            1010\n"
            "\t            1110\n\n");
}

TYPED_TEST(OffcpuOfBpf, OfASumNobodyKnowsHowLongItsIntervalsWere) {
  EXPECT_EQ(this->folded({"--filter", "blocked > 1us || offcpu > 1us || has waker_tid || waker has \"lock\""}), "");
}

TYPED_TEST(OffcpuOfBpf, TheReportSaysThatTheyWereMeasured) {
  const Outcome outcome = this->run({"--json"});
  EXPECT_EQ(outcome.status, done) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["measured"]["intervals"], 3);
  EXPECT_EQ(json["measured"]["off_cpu"], 6 * millisecond);
  EXPECT_EQ(json["off_cpu"]["intervals"], 0);
}

using OffcpuOfSingleIntervals = OffcpuOfBpf<RawSums>;

TEST_F(OffcpuOfSingleIntervals, TheirLengthIsKnown) {
  in.add_at(1000 * millisecond, {.pid = 8, .tid = 8, .time = 700 * millisecond, .stack = {0x1010}});
  EXPECT_EQ(folded({"--filter", "offcpu >= 500ms"}), "writer;[unknown] 700000\n");
  EXPECT_EQ(folded({"--filter", "offcpu < 500ms"}), "");
}

TEST_F(OffcpuOfSingleIntervals, TheirThreadIsTheOneThatWaited) {
  in.add_at(1000 * millisecond, {.pid = 7, .tid = 9, .time = 700 * millisecond, .stack = {0x1010}});
  EXPECT_EQ(folded({"-t", "9", "--filter", "offcpu >= 500ms"}), "server;[unknown] 700000\n");
  EXPECT_EQ(folded({"-t", "7", "--filter", "offcpu >= 500ms"}), "");
}

TEST_F(OffcpuOfSingleIntervals, RawDataThatIsCutIsCountedAndLeftOut) {
  in.add_raw(2000 * millisecond, test::BytesBuilder().u32(7).u32(7).u64(5 * millisecond).u64(2).u64(0x1010));
  const Outcome outcome = run({"-o", "-"});
  EXPECT_EQ(outcome.out, "server;[unknown];[unknown] 4000\nwriter;[unknown] 2000\n");
  EXPECT_THAT(outcome.err, HasSubstr("malformed records, not used: 1 SAMPLE"));
}

}  // namespace
}  // namespace perfsift::tools
