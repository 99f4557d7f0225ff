// Runs dlfilters in our host, by the command perfsift script.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dlfilters/abi.h"
#include "dlfilters/host/filter_sample.h"
#include "dlfilters/host/module.h"
#include "reader/recording.h"
#include "tests/support/paths.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::dlfilter {
namespace {

using options::Arguments;
using reader::RecordType;
using test::Attr;
using test::RecordingBuilder;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using tools::Outcome;

std::string test_module(const std::string& name) { return test::build_path("tests/dlfilters/" + name + ".so"); }

Outcome script(Arguments arguments) {
  arguments.insert(arguments.begin(), {"-q", "--perf-style", "6.1"});
  return tools::run_command("script", arguments);
}

// --- The test of the interface: follows perf's own test (tools/perf/tests/dlfilter-test.c) ---

const std::string program = test::build_path("tests/dlfilters/dlfilter_api_program");

// The address of a function of the program, by nm.
std::uint64_t address_of(const std::string& symbol) {
  const std::unique_ptr<FILE, int (*)(FILE*)> nm(popen(("nm " + program).c_str(), "r"), pclose);
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), nm.get()) != nullptr) {
    std::istringstream words(line.data());
    std::string address, type, name;
    if (words >> address >> type >> name && name == symbol) return std::stoull(address, nullptr, 16);
  }
  throw std::runtime_error("nm does not list " + symbol);
}

// One branch from foo to bar. The mapping belongs to process 12345, the sample to thread 12346.
RecordingBuilder branch_of_foo() {
  namespace bit = reader::sample_bit;
  RecordingBuilder in;
  in.event({.type = reader::event_type::hardware,
            .config = 4,
            .sample_period = 1,
            .sample_type =
                bit::ip | bit::tid | bit::time | bit::addr | bit::cpu | bit::period | bit::stream_id | bit::identifier},
           {99});
  in.record(RecordType::comm, in.bytes().u32(12345).u32(12346).text("test-prog").zeros(7), test::user_mode);
  in.record(RecordType::mmap, in.bytes().u32(12345).u32(12346).u64(0x400000).u64(0x10000).u64(0).padded(program),
            test::user_mode);
  in.record(RecordType::sample,
            in.bytes()
                .u64(99)
                .u64(address_of("foo"))
                .u32(12345)
                .u32(12346)
                .u64(1234567890)
                .u64(address_of("bar"))
                .u64(101)
                .u32(31)
                .u32(0)
                .u64(543212345),
            test::user_mode);
  return in;
}

struct ApiCase {
  int version;  // the version of the filter
  int offered;
  bool pipe;
};

class DlfilterApi : public ::testing::TestWithParam<ApiCase> {};

TEST_P(DlfilterApi, GivesAFilterWhatItExpects) {
  const auto [version, offered, pipe] = GetParam();
  const test::TemporaryDirectory folder;
  const std::string data = folder.write("perf.data", Bytes(pipe ? branch_of_foo().pipe() : branch_of_foo().file()));
  for (const char* const early : {"0", "1", "2"}) {
    const Outcome outcome = script(
        {"--dlfilter", test_module("dlfilter_api_v" + std::to_string(version) + "_on_v" + std::to_string(offered)),
         "--dlfilter-api", "v" + std::to_string(offered), "--dlarg", "first", "--dlarg",
         std::to_string(address_of("foo")), "--dlarg", std::to_string(address_of("bar")), "--dlarg", early, "--dlarg",
         "last", data});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, EndsWith(*early == '2' ? "early 1 late 0\n" : "early 1 late 1\n"));
  }
}

std::vector<ApiCase> api_cases() {
  std::vector<ApiCase> cases;
  for (const int version : {0, 1, 2}) {
    for (const int offered : {0, 1, 2}) {
      for (const bool pipe : {false, true}) cases.push_back({version, offered, pipe});
    }
  }
  return cases;
}

std::string name_of_case(const ::testing::TestParamInfo<ApiCase>& test) {
  return "V" + std::to_string(test.param.version) + "OnV" + std::to_string(test.param.offered) +
         (test.param.pipe ? "FromAPipe" : "FromAFile");
}

INSTANTIATE_TEST_SUITE_P(All, DlfilterApi, ::testing::ValuesIn(api_cases()), name_of_case);

// --- The output of filters ---

class DlfilterRun : public ::testing::Test {
 protected:
  DlfilterRun() {
    RecordingBuilder in;
    in.timed_event().comm_at(90, 7, "worker").sample_at(100).sample_at(200).sample_at(300);
    data_ = folder_.write("perf.data", Bytes(in.file()));
  }

  Arguments told(const std::string& order) const {
    return {"--dlfilter", test_module("dlfilter_misbehaving"), "--dlarg", order};
  }
  Outcome run(Arguments arguments) const {
    arguments.insert(arguments.end(), {"-F", "time", "--ns", data_});
    return script(arguments);
  }

  test::TemporaryDirectory folder_;
  std::string data_;
};

TEST_F(DlfilterRun, TextOfAFilterComesInFrontOfTheSamplesLine) {
  const Outcome outcome = run(told("x"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "start x\n[x]     0.000000100: \n[x]     0.000000200: \n[x]     0.000000300: \nstop x\n");
}

TEST_F(DlfilterRun, AnyPositiveNumberDropsASample) {
  EXPECT_EQ(run(told("drop")).out, "start drop\n[drop] [drop] [drop] stop drop\n");
  EXPECT_EQ(run(told("drop")).status, 0);
}

TEST_F(DlfilterRun, ASampleDroppedEarlyIsNotAskedAboutAgain) {
  EXPECT_EQ(run(told("drop early")).out, "start drop early\nstop drop early\n");
}

TEST_F(DlfilterRun, ANegativeNumberEndsTheRunAsInPerf) {
  const Outcome outcome = run(told("fails"));
  EXPECT_EQ(outcome.status, 251);
  EXPECT_EQ(outcome.out, "start fails\n[fails] stop fails\n");
  EXPECT_THAT(outcome.err, AllOf(StartsWith("perfsift: dlfilter "),
                                 HasSubstr("misbehaving.so: filter_event() returned -5 "
                                           "for cpu-clock"),
                                 EndsWith(" at 0.000000100 of thread 7\n")));
  const Outcome early = run(told("early fails"));
  EXPECT_EQ(early.status, 212);
  EXPECT_THAT(early.err, HasSubstr("filter_event_early() returned -300"));
}

TEST_F(DlfilterRun, AFailingStartEndsTheRunAfterStop) {
  const Outcome outcome = run(told("start fails"));
  EXPECT_EQ(outcome.status, 7);
  EXPECT_EQ(outcome.out, "start start fails\nstop start fails\n");
  EXPECT_THAT(outcome.err, EndsWith("start() returned 7\n"));
}

TEST_F(DlfilterRun, AnExceptionThatIsLetOutEndsTheRunAsAnAbortOfPerfWould) {
  const Outcome outcome = run(told("throw"));
  EXPECT_EQ(outcome.status, 134);
  EXPECT_THAT(outcome.err, HasSubstr("filter_event() let an exception out: thrown"));
}

TEST_F(DlfilterRun, OfSeveralFiltersTheFirstThatDropsIsTheLastThatIsAsked) {
  test::TemporaryDirectory copies;
  // A shared object is loaded only once, so each filter in a chain needs its own copy for its own state.
  const auto copy = [&](const std::string& name) {
    const auto place = copies.path() / name;
    std::filesystem::copy_file(test_module("dlfilter_misbehaving"), place);
    return place.string();
  };
  const std::string first = copy("first.so"), second = copy("second.so"), third = copy("third.so");
  const Outcome outcome = run({"--dlfilter", first, "--dlarg", "1", "--dlfilter", second, "--dlarg", "drop",
                               "--dlfilter", third, "--dlarg", "3"});
  EXPECT_EQ(outcome.out, "start 1\nstart drop\nstart 3\n[1] [drop] [1] [drop] [1] [drop] stop 1\nstop drop\nstop 3\n");
}

TEST_F(DlfilterRun, ArgumentsInFrontOfAllFiltersAreOfTheFirst) {
  const Outcome outcome = run({"--dlarg", "drop", "--dlfilter", test_module("dlfilter_misbehaving")});
  EXPECT_THAT(outcome.out, StartsWith("start drop\n"));
}

TEST_F(DlfilterRun, AFilterThatCannotBeLoadedIsNamedWithTheReason) {
  const Outcome outcome = run({"--dlfilter", "/nowhere/filter.so"});
  EXPECT_EQ(outcome.status, tools::input_unusable);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("perfsift: dlfilter /nowhere/filter.so: "), HasSubstr("No such file")));
}

TEST_F(DlfilterRun, ATableThatPerfWouldCrashOnIsRefused) {
  EXPECT_THAT(run({"--dlfilter", test_module("dlfilter_const_table")}).err, HasSubstr("it must not be const"));
  EXPECT_THAT(run({"--dlfilter", test_module("dlfilter_short_table")}).err,
              HasSubstr("perf_dlfilter_fns has 72 bytes, perf writes 1024"));
}

// The samples that machine__resolve() in tools/perf/util/event.c marks are dropped after filter_event_early. The
// options for CPUs and times drop samples without a mark (process_sample_event() in tools/perf/builtin-script.c).
TEST_F(DlfilterRun, IsToldEarlyWhichOptionsWillDropASample) {
  const auto seen_with = [&](Arguments options) {
    options.insert(options.begin(), {"--dlfilter", test_module("dlfilter_probe"), data_});
    return script(options).out;
  };
  const auto dropped = [](const std::string& bits) {
    return AllOf(HasSubstr("early 0"), Not(HasSubstr("late 0")), HasSubstr(" filtered " + bits + " comm worker"));
  };
  EXPECT_THAT(seen_with({"--dsos", "libc.so.6"}), dropped("1"));
  EXPECT_THAT(seen_with({"--comms", "other"}), dropped("2"));
  EXPECT_THAT(seen_with({"--pid", "8"}), dropped("2"));
  EXPECT_THAT(seen_with({"--tid", "8"}), dropped("2"));
  EXPECT_THAT(seen_with({"--symbols", "main"}), dropped("8"));
  EXPECT_THAT(seen_with({"--tid", "8", "--dsos", "libc.so.6", "--symbols", "main"}), dropped("b"));
  EXPECT_THAT(seen_with({"--time", "1,"}), dropped("0"));
  EXPECT_THAT(seen_with({"--comms", "worker"}), AllOf(HasSubstr("late 0"), HasSubstr(" filtered 0 comm worker")));
}

// In every style of the text, the name is that of perf in Debian 12. perf 6.12 and later add "(int)" here.
TEST_F(DlfilterRun, IsToldNamesWithoutParametersInEveryStyle) {
  test::RecordingBuilder in;
  in.timed_event().comm_at(80, 7, "worker");
  in.record_at(90, RecordType::mmap, in.bytes().u32(7).u32(7).u64(0x400000).u64(0x10000).u64(0).padded(program),
               test::user_mode);
  in.sample_at(100, address_of("_ZN2ns4workEi"));
  const std::string data = folder_.write("names.data", Bytes(in.file()));
  for (const char* style : {"6.1", "new"}) {
    const auto told = [&](Arguments options) {
      options.insert(options.end(), {"-q", "--perf-style", style, "--dlfilter", test_module("dlfilter_probe"), data});
      return tools::run_command("script", options).out;
    };
    EXPECT_THAT(told({}), HasSubstr(" sym ns::work addr ")) << style;
    EXPECT_THAT(told({"--no-demangle"}), HasSubstr(" sym _ZN2ns4workEi addr ")) << style;
  }
}

TEST_F(DlfilterRun, IsNotBegunForTheHeaderAlone) {
  Arguments arguments = told("x");
  arguments.push_back("--header-only");
  EXPECT_THAT(run(arguments).out, Not(HasSubstr("stop")));
}

// --- Finding dlfilters ---

TEST(DlfilterSearch, AFileInTheCurrentFolderComesFirst) {
  const test::TemporaryDirectory here;
  here.write("installed/dlfilters/found.so", std::string_view("x"));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(here.path());
  setenv("PERF_EXEC_PATH", (here.path() / "installed").c_str(), 1);
  EXPECT_EQ(find_module("found.so"), (here.path() / "installed/dlfilters/found.so").string());
  here.write("found.so", std::string_view("x"));
  EXPECT_EQ(find_module("found.so"), "./found.so");
  EXPECT_EQ(find_module("sub/found.so"), "sub/found.so");
  EXPECT_EQ(find_module("elsewhere.so"), "elsewhere.so");
  unsetenv("PERF_EXEC_PATH");
  std::filesystem::current_path(before);
}

// --- Recordings in the other byte order ---

struct Seen : reader::OrderedVisitor {
  explicit Seen(ByteOrder order) : made(ApiVersion::v2, order) {}

  void sample(const reader::Sample& sample) override {
    const Sample& s = made.make(sample);
    std::ostringstream out;
    out << std::hex << s.ip << ' ' << s.pid << ' ' << s.tid << ' ' << s.cpu << " chain";
    for (std::uint64_t i = 0; i < s.raw_callchain_nr; ++i) out << ' ' << s.raw_callchain[i];
    out << " branches";
    for (std::uint64_t i = 0; i < s.brstack_nr; ++i) {
      out << ' ' << s.brstack[i].from << '/' << s.brstack[i].to << '/' << s.brstack[i].flags;
    }
    out << " raw " << std::string(static_cast<const char*>(s.raw_data), s.raw_size);
    // Behind the branches are the registers' ABI and the registers.
    const auto* const behind = reinterpret_cast<const std::uint64_t*>(s.brstack + s.brstack_nr);
    out << " registers " << behind[0] << ' ' << behind[1];
    text = out.str();
  }

  FilterSample made;
  std::string text;
};

std::string seen_of_recording_in(ByteOrder order) {
  namespace bit = reader::sample_bit;
  RecordingBuilder in(order);
  in.event(
      {.sample_type = bit::ip | bit::tid | bit::cpu | bit::callchain | bit::raw | bit::branch_stack | bit::regs_user,
       .regs_user = 1});
  auto sample = in.bytes();
  sample.u64(0x401000).u32(7).u32(8).u32(3).u32(0);
  sample.u64(2).u64(static_cast<std::uint64_t>(-512)).u64(0x401000);
  sample.u32(12).text("twelve bytes");
  const std::uint64_t mispredicted = order == ByteOrder::native ? 1 : std::uint64_t{1} << 63;
  sample.u64(1).u64(0x11).u64(0x22).u64(mispredicted);
  sample.u64(2).u64(0xabc);
  in.record(RecordType::sample, sample, 2);

  const test::TemporaryDirectory folder;
  const auto recording = reader::Recording::open(folder.write("perf.data", Bytes(in.file())));
  Seen seen(recording->header().order);
  recording->visit_in_order(seen);
  return seen.text;
}

TEST(FilterSample, PointsIntoARecordOfThisByteOrder) {
  EXPECT_EQ(seen_of_recording_in(ByteOrder::native),
            "401000 7 8 3 chain fffffffffffffe00 401000 branches 11/22/1 raw twelve bytes registers 2 abc");
}

TEST(FilterSample, PointsIntoACopyOfARecordOfTheOtherByteOrder) {
  EXPECT_EQ(seen_of_recording_in(ByteOrder::swapped),
            "401000 7 8 3 chain fffffffffffffe00 401000 branches 11/22/1 raw twelve bytes registers 2 abc");
}

}  // namespace
}  // namespace perfsift::dlfilter
