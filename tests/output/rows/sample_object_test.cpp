// The keys are those of perfsift-dlfilters(7), the numbers those of include/perf/perf_dlfilter.h.
#include "output/rows/sample_object.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace perfsift::output {
namespace {

using filter::Fact;
using filter::Number;

class KnownFacts : public filter::Facts {
 public:
  std::map<Fact, Number> numbers;
  std::map<Fact, std::string> texts;

  std::optional<Number> number(Fact fact) override {
    const auto known = numbers.find(fact);
    return known != numbers.end() ? std::optional(known->second) : std::nullopt;
  }
  std::optional<std::string_view> text(Fact fact) override {
    const auto known = texts.find(fact);
    return known != texts.end() ? std::optional<std::string_view>(known->second) : std::nullopt;
  }
};

std::string line_of(filter::Facts& facts, const SampleParts& parts = {}) {
  TextWriter out;
  write_sample_object(facts, parts, out);
  return std::string(out.view());
}

TEST(SampleObject, OfAnUnknownSampleIsASample) {
  KnownFacts nothing;
  EXPECT_EQ(line_of(nothing), "{\"samples\":1}\n");
}

TEST(SampleObject, HasItsMembersInOneOrder) {
  KnownFacts facts;
  facts.texts = {{Fact::event, "cycles:u"},  {Fact::comm, "worker"},    {Fact::cgroup, "/a"},
                 {Fact::sym, "f"},           {Fact::dso, "/usr/bin/p"}, {Fact::addr_sym, "data"},
                 {Fact::addr_dso, "/lib/l"}, {Fact::srcfile, "f.c"}};
  facts.numbers = {{Fact::pid, Number::of_signed(-1)},
                   {Fact::time, Number::of(18446744073709551615u)},
                   {Fact::addr, Number::of(0x10)},
                   {Fact::txn, Number::of(0xff00000000)},
                   {Fact::data_page_size, Number::of(4096)},
                   {Fact::ip, Number::of(0xffffffff81000000)},
                   {Fact::cpumode, Number::of(5)},
                   {Fact::symoff, Number::of(4)},
                   {Fact::branch_flags, Number::of(3)},
                   {Fact::insn_count, Number::of(7)},
                   {Fact::cycle_count, Number::of(9)},
                   {Fact::machine_pid, Number::of(11)},
                   {Fact::vcpu, Number::of(0)}};
  const std::string_view frames[] = {"{\"sym\":\"f\"}", "{}"};
  // mispredicted: bit 0; cycles: bits 4 to 19.
  const Unaligned<reader::BranchEntry> branches[] = {reader::BranchEntry{.from = 1, .to = 2, .flags = 0x31}};
  EXPECT_EQ(
      line_of(facts, {.samples = 3, .stack = frames, .stack_truncated = true, .branches = branches}),
      "{\"event\":\"cycles:u\",\"comm\":\"worker\",\"cgroup\":\"/a\",\"samples\":3,\"pid\":-1,"
      "\"time\":18446744073709551615,\"addr\":\"0x10\",\"txn\":\"0xff00000000\",\"data_page_size\":4096,"
      "\"ip\":\"0xffffffff81000000\",\"cpumode\":\"guest_user\",\"sym\":\"f\",\"dso\":\"/usr/bin/p\",\"symoff\":4,"
      "\"addr_sym\":\"data\",\"addr_dso\":\"/lib/l\",\"flags\":\"0x3\",\"insn_cnt\":7,\"cyc_cnt\":9,"
      "\"machine_pid\":11,\"vcpu\":0,\"stack\":[{\"sym\":\"f\"},{}],\"stack_truncated\":true,"
      "\"branches\":[{\"from\":\"0x1\",\"to\":\"0x2\",\"mispredicted\":true,\"cycles\":3}]}\n");
}

TEST(SampleObject, OfAFrameHasItsSourceLine) {
  KnownFacts facts;
  facts.texts = {{Fact::sym, "f"}, {Fact::dso, "/p"}, {Fact::srcfile, "f.c"}, {Fact::comm, "not of code"}};
  facts.numbers = {{Fact::srcline, Number::of(12)}, {Fact::cpumode, Number::of(0)}};
  EXPECT_EQ(frame_object(facts), R"({"sym":"f","dso":"/p","file":"f.c","line":12})");
  EXPECT_EQ(frame_object(facts, true), R"({"sym":"f","dso":"/p","file":"f.c","line":12,"inlined":true})");
}

TEST(SampleObject, IsJsonWithAnyName) {
  KnownFacts facts;
  facts.texts = {{Fact::event, "a\"b\\c"}, {Fact::comm, "line\nend \xff"}, {Fact::sym, "naïve"}};
  const auto parsed = nlohmann::json::parse(line_of(facts));
  EXPECT_EQ(parsed["event"], "a\"b\\c");
  EXPECT_EQ(parsed["comm"], "line\\nend \\xff");
  EXPECT_EQ(parsed["sym"], "naïve");
}

}  // namespace
}  // namespace perfsift::output
