// perfsift-mem.so, with memory accesses made by hand.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/dlfilters/fake_perf.h"

namespace perfsift::dlfilter {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr std::uint64_t load = 2, store = 4;
constexpr std::uint64_t l3_hit = (0x40 | 2) << 5 | std::uint64_t{3} << 33,
                        ram_hit = (0x80 | 2) << 5 | std::uint64_t{13} << 33;

class MemModule : public ::testing::Test {
 protected:
  void start(std::vector<std::string> options = {"--json"}) {
    perf.emplace("mem", Abi::v1, std::move(options));
    perf->places[0x1000] = {.sym = "sum(int)", .dso = "/usr/bin/program"};
    perf->places[0x4000] = {.sym = "table", .dso = "/usr/bin/program"};
    perf->places[0x7000] = {.dso = "[stack]"};
    perf->places[0x8000] = {.dso = "//anon"};
    perf->places[0x9000] = {.dso = "/dev/shm/queue"};
    perf->places[0xa000] = {};  // nothing is mapped
    ASSERT_EQ(perf->start(), 0);
  }
  void access(std::uint64_t address, std::uint64_t data_src, std::uint64_t latency) {
    namespace bit = reader::sample_bit;
    FakeSample sample;
    sample.with_attr(24, bit::ip | bit::tid | bit::addr | bit::weight | bit::data_src)
        .with_thread(7, 8)
        .with_ip(0x1000);
    sample.sample.event = "cpu/mem-loads,ldlat=30/P";
    sample.sample.addr = address;
    sample.sample.data_src = data_src;
    sample.sample.weight = latency;
    EXPECT_EQ(perf->filter(sample), dropped);  // so that perf does not print the sample
  }
  std::string report() {
    testing::internal::CaptureStdout();
    EXPECT_EQ(perf->stop(), 0);
    return testing::internal::GetCapturedStdout();
  }
  // The rows of the table with the key.
  static std::map<std::string, std::uint64_t> samples_by(const Json& report, const std::string& key) {
    std::map<std::string, std::uint64_t> rows;
    for (const Json& table : report["tables"]) {
      if (table["keys"][0] != key) continue;
      for (const Json& row : table["rows"]) rows[row[key].get<std::string>()] = row["samples"];
    }
    return rows;
  }

  std::optional<FakePerf> perf;
};

TEST_F(MemModule, CountsAccessesByWhatTheyFoundAndByCodeAndData) {
  start();
  access(0x4000, load | l3_hit, 50);
  access(0x4000, load | ram_hit, 350);
  access(0x4000, store, 0);
  const Json json = Json::parse(report());
  EXPECT_EQ(json["samples"], 3);
  EXPECT_EQ(json["weight"], 401);
  EXPECT_EQ(json["counts"]["load_llc"], 1);
  EXPECT_EQ(json["counts"]["stores"], 1);
  EXPECT_EQ(json["counts"]["unmapped"], 0);
  EXPECT_EQ(samples_by(json, "symbol"), (std::map<std::string, std::uint64_t>{{"sum", 3}}));
  EXPECT_EQ(samples_by(json, "variable"), (std::map<std::string, std::uint64_t>{{"table", 3}}));
}

TEST_F(MemModule, KnowsKindsOfMemoryByPerfsNames) {
  start();
  for (const std::uint64_t address : {0x4000, 0x7000, 0x8000, 0x9000, 0xa000}) access(address, load | l3_hit, 50);
  const Json json = Json::parse(report());
  EXPECT_EQ(samples_by(json, "kind"),
            (std::map<std::string, std::uint64_t>{
                {"file", 1}, {"stack", 1}, {"anonymous", 1}, {"shared", 1}, {"unmapped", 1}}));
  EXPECT_EQ(samples_by(json, "variable"),
            (std::map<std::string, std::uint64_t>{
                {"table", 1}, {"[stack of 7]", 1}, {"[anonymous]", 1}, {"[queue]", 1}, {"[unknown]", 1}}));
}

TEST_F(MemModule, TakesTheSelectionsOfTheCommand) {
  start({"--json", "--min-latency=100", "--level=ram", "--filter=tid == 8"});
  access(0x4000, load | l3_hit, 500);
  access(0x4000, load | ram_hit, 50);
  access(0x4000, load | ram_hit, 150);
  EXPECT_EQ(Json::parse(report())["samples"], 1);
}

TEST_F(MemModule, SaysWhatTheFiguresLeaveOut) {
  start({});
  access(0x4000, load | l3_hit, 50);
  EXPECT_THAT(report(), AllOf(HasSubstr("1 memory access: 1 load, 0 stores"), HasSubstr("less than 30 cycles"),
                              HasSubstr("in the unit of the processor")));
}

TEST_F(MemModule, OtherSamplesAreNoAccesses) {
  start();
  FakeSample sample;
  EXPECT_EQ(perf->filter(sample), dropped);
  testing::internal::CaptureStderr();
  EXPECT_EQ(Json::parse(report())["samples"], 0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("perfsift-mem.so: no memory accesses"));
}

TEST_F(MemModule, MistakesAreTold) {
  const std::pair<const char*, const char*> mistakes[] = {{"--order=age", "--order age: there are weight and samples"},
                                                          {"--level=l9", "--level:"},
                                                          {"--min-latency=-5", "--min-latency -5: a whole number"},
                                                          {"--limit=-5", "--limit -5: a whole number"},
                                                          {"--node=1", "'--node=1': unknown option"}};
  for (const auto& [option, message] : mistakes) {
    FakePerf wrong("mem", Abi::v1, {option});
    testing::internal::CaptureStderr();
    EXPECT_NE(wrong.start(), 0) << option;
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(std::string("perfsift-mem.so: ") + message));
    wrong.stop();
  }
}

}  // namespace
}  // namespace perfsift::dlfilter
