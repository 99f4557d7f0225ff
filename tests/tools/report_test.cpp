// perfsift report from the command line to its output, on text of perf script, folded text and recordings.

#include <cmath>
#include <map>
#include <span>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/memory_recording.h"
#include "tests/support/paths.h"
#include "tests/support/pprof_bytes.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::report_tests {  // a unity build compiles other tests in the same file
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

// Two threads on two CPUs. f calls itself, and the kernel runs for f.
constexpr std::string_view script =
    "app 7/7 [000] 1.050000: 60 cycles: \n"
    "\tffffffff81000010 sys_read+0x10 ([kernel.kallsyms])\n"
    "\t401010 f+0x10 (/opt/bin/app)\n"
    "\t401018 f+0x18 (/opt/bin/app)\n"
    "\t401100 main+0x0 (/opt/bin/app)\n"
    "\n"
    "app 7/8 [001] 1.150000: 30 cycles: \n"
    "\t401010 f+0x10 (/opt/bin/app)\n"
    "\t401100 main+0x0 (/opt/bin/app)\n"
    "\n"
    "work 9/9 [001] 1.250000: 10 cycles: \n"
    "\t7f0010 [unknown] (/usr/lib/libx.so)\n"
    "\n";

class ReportCommandLine : public ::testing::Test {
 protected:
  Outcome run(options::Arguments arguments, const std::string& file) {
    arguments.push_back(file);
    return run_command("report", arguments);
  }
  std::string shown(const options::Arguments& arguments) {
    const Outcome outcome = run(arguments, script_);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.status, done);
    return outcome.out;
  }
  std::string error(const options::Arguments& arguments) {
    const Outcome outcome = run(arguments, script_);
    EXPECT_EQ(outcome.status, wrong_usage);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  test::TemporaryDirectory directory_;
  const std::string script_ = directory_.write("script.txt", script);
  const std::string folded_ = directory_.write("folded", std::string_view("a;b;c 6\na;d 3\na 1\n"));
};

TEST_F(ReportCommandLine, IsATableOfFunctions) {
  EXPECT_EQ(shown({}),
            "cycles: 3 samples, 100 in all\n"
            "   self    total  samples  symbol     dso\n"
            " 60.00%   60.00%        1  sys_read   [kernel.kallsyms]\n"
            " 30.00%   90.00%        1  f          app\n"
            " 10.00%   10.00%        1  [libx.so]  libx.so\n"
            "  0.00%   90.00%        0  main       app\n");
  EXPECT_EQ(shown({"--weight", "samples", "--order", "total", "--limit", "2"}),
            "cycles: 3 samples, 3 in all\n"
            "   self    total  samples  symbol  dso\n"
            " 33.33%   66.67%        1  f       app\n"
            "  0.00%   66.67%        0  main    app\n"
            " 66.67%  in 2 rows more (--limit 0 shows all)\n");
}

TEST_F(ReportCommandLine, SortChoosesWhatRowsStandFor) {
  EXPECT_EQ(shown({"--sort", "pid,cpu"}),
            "cycles: 3 samples, 100 in all\n"
            "   self  samples  pid     cpu\n"
            " 60.00%        1  7:app   0\n"
            " 30.00%        1  8:app   1\n"
            " 10.00%        1  9:work  1\n");
  EXPECT_EQ(shown({"-s", "tgid"}),
            "cycles: 3 samples, 100 in all\n"
            "   self  samples  tgid\n"
            " 90.00%        2  7:app\n"
            " 10.00%        1  9:work\n");
  EXPECT_EQ(shown({"--sort", "time,comm", "--time-quantum", "200ms"}),
            "cycles: 3 samples, 100 in all\n"
            "   self  samples  time      comm\n"
            " 90.00%        2  1.000000  app\n"
            " 10.00%        1  1.200000  work\n");
  EXPECT_EQ(shown({"--sort", "comm,sym", "--limit", "1"}),
            "cycles: 3 samples, 100 in all\n"
            "   self    total  samples  comm  symbol\n"
            " 60.00%   60.00%        1  app   sys_read\n"
            " 40.00%  in 3 rows more (--limit 0 shows all)\n");
}

TEST_F(ReportCommandLine, OptionsThatWouldDoNothingAreRefused) {
  for (const options::Arguments& options : std::vector<options::Arguments>{{"--depth", "2"}, {"--min-percent", "50"}})
    EXPECT_THAT(error(options), HasSubstr("are for trees"));
  for (const options::Arguments& options : std::vector<options::Arguments>{
           {"--tree", "--limit", "3"}, {"--callers", "f", "--order", "total"}, {"--annotate", "f", "--limit", "0"}})
    EXPECT_THAT(error(options), HasSubstr("are for tables"));
  EXPECT_THAT(error({"--time-quantum", "5ms"}), HasSubstr("is of --sort time"));
  EXPECT_THAT(error({"--html", "x.html", "--order", "total"}), HasSubstr("--html has all views"));
  for (const char* option : {"--html", "--output"})
    EXPECT_THAT(error({option, ""}), HasSubstr(std::string(option) + " '': names no file"));
  for (const char* option : {"--callers", "--callees", "--annotate"})
    EXPECT_THAT(error({option, ""}), HasSubstr(std::string(option) + " '': names no function"));
}

// The words are those of perf 7.2.
TEST_F(ReportCommandLine, NamesWithoutTheirNumbersAreOneRow) {
  const std::string text = directory_.write(
      "kworkers.txt", std::string_view("kworker/0:12-vir 7/7 [000] 1.000000: 60 cycles: \n\t401010 f+0x10 (/a)\n\n"
                                       "kworker/13:1-vir 8/8 [000] 2.000000: 30 cycles: \n\t401010 f+0x10 (/a)\n\n"
                                       "9 9/9 [000] 2.000000: 10 cycles: \n\t401010 f+0x10 (/a)\n\n"));
  EXPECT_EQ(run({"--sort", "comm_nodigit"}, text).out,
            "cycles: 3 samples, 100 in all\n"
            "   self  samples  comm_nodigit\n"
            " 90.00%        2  kworker/<N>:<N>-vir\n"
            " 10.00%        1  <N>\n");
  EXPECT_THAT(run_command("diff", {"--sort", "comm_nodigit", text, text}).out,
              AllOf(HasSubstr("  kworker/<N>:<N>-vir\n"), HasSubstr("  <N>\n")));
}

// The usual text of perf script has the thread's number, but not the process's number.
TEST_F(ReportCommandLine, TheProcessMayBeUnknown) {
  const std::string text = directory_.write(
      "usual.txt", std::string_view("w  4059 1.050000: 60 cycles: \n\t401010 f+0x10 (/opt/bin/app)\n\n"));
  EXPECT_EQ(run({"--sort", "pid,tgid"}, text).out,
            "cycles: 1 sample, 60 in all\n"
            "   self  samples  pid     tgid\n"
            "100.00%        1  4059:w  [unknown]\n");
}

TEST_F(ReportCommandLine, AMarkOfFoldedTextAloneIsAName) {
  const std::string out = run({"--csv"}, directory_.write("marks.folded", "main;_[k] 4\nmain;f_[k] 1\n")).out;
  EXPECT_THAT(out, HasSubstr(",no,_[k]\r\n"));
  EXPECT_THAT(out, HasSubstr(",no,f\r\n"));
}

TEST_F(ReportCommandLine, SumsThatAreTooLargeAreAnError) {
  const auto text = [&](const std::string& counts) { return directory_.write("large.folded", counts); };
  const Outcome large = run({}, text("a;b 18446744073709551615\na;c 18446744073709551615\n"));
  EXPECT_EQ(large.status, input_unusable);
  EXPECT_EQ(large.out, "");
  EXPECT_THAT(large.err, HasSubstr("the values of an event add up to more than 9223372036854775807"));
  EXPECT_EQ(run({}, text("a;b 9223372036854775806\na;c 2\n")).status, input_unusable);
  const std::vector<test::PprofType> cpu{{"cpu", "nanoseconds"}};
  test::PprofBytes profile(cpu);
  for (int i = 0; i < 3; ++i) profile.add("work", {9223372036854775807});
  EXPECT_THAT(run({}, directory_.write("large.pb", profile.bytes())).err, HasSubstr("add up to more than"));
  EXPECT_EQ(run({}, text("a;b 9223372036854775806\na;c 1\n")).status, done);
}

TEST_F(ReportCommandLine, KeysOfPerfThatAreNotThereHaveAReason) {
  EXPECT_THAT(error({"--sort", "symbol,mem"}), HasSubstr("--sort mem: it belongs to memory accesses"));
  EXPECT_THAT(error({"--sort", "symbol_from"}), HasSubstr("branches"));
  EXPECT_THAT(error({"--sort", "parent"}), HasSubstr("--callers FUNCTION"));
  EXPECT_THAT(error({"--sort", "type"}), HasSubstr("it belongs to memory accesses"));
  EXPECT_THAT(error({"--sort", "node"}), HasSubstr("sort by cpu"));
  EXPECT_THAT(error({"--sort", "weight"}), HasSubstr("--sort local_weight has the number itself"));
  EXPECT_THAT(error({"--sort", "symbol,socket"}), HasSubstr("script.txt: only recordings have socket"));
  EXPECT_THAT(error({"--sort", "symbl"}), HasSubstr("did you mean symbol?"));
  EXPECT_THAT(error({"--sort", "parallelism"}), HasSubstr("threads ran at the same time"));
  EXPECT_THAT(error({"--sort", "nonsense"}),
              AllOf(HasSubstr("no such key; there are symbol, dso"), Not(HasSubstr("mean"))));
  EXPECT_THAT(error({"--sort", "dso,dso"}), HasSubstr("twice"));
  EXPECT_THAT(error({"--sort", ","}), HasSubstr("no such key"));
  EXPECT_THAT(error({"--order", "up"}), HasSubstr("there are self and total"));
  EXPECT_THAT(error({"--json", "--csv"}), HasSubstr("choose one"));
  EXPECT_THAT(error({"--sort", "cgroup"}), HasSubstr("control groups"));
}

// tests/oracle/report_equals_perf.sh compares such recordings with perf.
class ReportNumbers : public ReportCommandLine {
 protected:
  // The cells of each row, with its number of samples.
  std::multimap<std::string, unsigned> rows(const std::string& keys) {
    const Json report = Json::parse(run({"-q", "--json", "--sort", keys}, recording_).out);
    std::multimap<std::string, unsigned> rows;
    for (const Json& row : report.at("events").at(0).at("rows")) {
      std::istringstream names(keys);
      std::string cells;
      for (std::string key; std::getline(names, key, ',');)
        cells += (cells.empty() ? "" : " ") + row.at(key).get<std::string>();
      rows.emplace(cells, row.at("self").at("samples").get<unsigned>());
    }
    return rows;
  }

 private:
  const std::vector<test::ModelAccess> accesses_ = {{.thread = 0, .ip = 0x401010, .address = 0x404100, .latency = 40},
                                                    {.thread = 1, .ip = 0x401010, .address = 0x404100, .latency = 40},
                                                    {.thread = 2, .ip = 0x401110, .address = 0x404100, .latency = 50},
                                                    {.thread = 3, .ip = 0x401110, .address = 0x404100, .latency = 50}};
  const std::string recording_ =
      directory_.write("model.data", std::span<const std::byte>(test::memory_recording(
                                         test::MemoryPmu::intel, accesses_,
                                         test::ModelFile::mappings("/opt/model", false), test::ModelFile::machine())));
};

TEST_F(ReportNumbers, TellSamplesApart) {
  using Rows = std::multimap<std::string, unsigned>;
  EXPECT_EQ(rows("socket"), (Rows{{"0", 2}, {"1", 2}}));
  EXPECT_EQ(rows("socket,cpu"), (Rows{{"0 0", 1}, {"0 1", 1}, {"1 2", 1}, {"1 3", 1}}));
  EXPECT_EQ(rows("local_weight"), (Rows{{"40", 2}, {"50", 2}}));
  EXPECT_EQ(rows("local_p_stage_cyc,local_ins_lat"), (Rows{{"2 50", 2}, {"2 60", 2}}));
  EXPECT_EQ(rows("addr"), (Rows{{"0x401010", 2}, {"0x401110", 2}}));
  EXPECT_EQ(rows("code_page_size,addr"), (Rows{{"2M 0x401010", 2}, {"4K 0x401110", 2}}));
  EXPECT_EQ(rows("transaction"),
            (Rows{{"none", 1}, {"TX NEITHER", 1}, {"EL SYNC CON CAP-WRITE :2a", 1}, {"TX ASYNC RETRY CAP-READ", 1}}));
}

// Every key that perf 6.1 lists is also a key here, or has a reason. No key is called unknown.
TEST_F(ReportCommandLine, KnowsAllKeysOfPerf) {
  std::istringstream keys(
      "overhead overhead_sys overhead_us overhead_guest_sys overhead_guest_us overhead_children sample period pid comm "
      "dso symbol parent cpu socket srcline srcfile local_weight weight transaction trace symbol_size dso_size cgroup "
      "cgroup_id ipc_null time code_page_size local_ins_lat ins_lat local_p_stage_cyc p_stage_cyc addr dso_from dso_to "
      "symbol_from symbol_to mispredict abort in_tx cycles srcline_from srcline_to ipc_lbr addr_from addr_to "
      "symbol_daddr dso_daddr locked tlb mem snoop dcacheline symbol_iaddr phys_daddr data_page_size blocked");
  for (std::string key; keys >> key;) {
    EXPECT_THAT(run({"--sort", key}, script_).err, testing::Not(HasSubstr("no such key"))) << key;
  }
}

// flamegraph.pl accepts such counts. The expected values are the shares of 1.5 and 2, and of 0.4 and 0.4.
TEST_F(ReportCommandLine, FractionsOfFoldedTextKeepTheirShares) {
  const auto file = [&](std::string_view text) { return directory_.write("fractions", text); };
  const Outcome report = run({}, file("a;b 1.5\na;c 2\n"));
  EXPECT_EQ(report.out,
            "millionths: 4 samples, 3500000 in all\n"
            "   self    total  samples  symbol\n"
            " 57.14%   57.14%        2  c\n"
            " 42.86%   42.86%        2  b\n"
            "  0.00%  100.00%        0  a\n");
  EXPECT_THAT(report.err, HasSubstr("values are in millionths"));
  EXPECT_THAT(run({}, file("a 0.4\nb 0.4\n")).out,
              testing::AllOf(HasSubstr("millionths: 1 sample, 800000 in all\n"),
                             HasSubstr(" 50.00%        1  b\n 50.00%        0  a\n")));
  EXPECT_THAT(run({}, file("c 3\nd 4\na 0.5\nb 0.5\n")).out, HasSubstr("millionths: 8 samples, 8000000 in all\n"));
  EXPECT_EQ(run_command("fold", {file("a;b 1.5\na;c 2\n")}).out, "a;b 1500000\na;c 2000000\n");
  const Outcome large = run({}, file("a 18446744073709551\nb 0.5\n"));
  EXPECT_EQ(large.status, input_unusable);
  EXPECT_THAT(large.err, HasSubstr("a count of 18446744073709551 cannot be added to counts with fractions"));
  EXPECT_EQ(run({}, file("a 2.0\nb 1\n")).err, "");
}

TEST_F(ReportCommandLine, FoldedTextTellsFunctionsOnly) {
  EXPECT_EQ(run({}, folded_).out,
            "[no event]: 10 samples, 10 in all\n"
            "   self    total  samples  symbol\n"
            " 60.00%   60.00%        6  c\n"
            " 30.00%   30.00%        3  d\n"
            " 10.00%  100.00%        1  a\n"
            "  0.00%   60.00%        0  b\n");
  const Outcome outcome = run({"--sort", "symbol,comm"}, folded_);
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("folded stacks do not have comm"));
}

TEST_F(ReportCommandLine, CsvHasAHeaderAndNoFormulas) {
  EXPECT_EQ(shown({"--csv", "--sort", "event,dso"}),
            "event,self_percent,self_value,self_samples,total_percent,total_value,total_samples,inlined,dso\r\n"
            "cycles,60.000000,60,1,60.000000,60,1,no,[kernel.kallsyms]\r\n"
            "cycles,30.000000,30,1,90.000000,90,2,no,app\r\n"
            "cycles,10.000000,10,1,10.000000,10,1,no,libx.so\r\n");
  const std::string hostile = directory_.write("hostile", std::string_view("=cmd();\"a\",b 3\n-x;@y 1\n"));
  const std::string csv = run({"--csv"}, hostile).out;
  EXPECT_THAT(csv, HasSubstr(",no,\"\"\"a\"\",b\"\r\n"));
  EXPECT_THAT(csv, HasSubstr(",no,'=cmd()\r\n"));
  EXPECT_THAT(csv, HasSubstr(",no,'-x\r\n"));
  EXPECT_THAT(csv, HasSubstr(",no,'@y\r\n"));
}

TEST_F(ReportCommandLine, JsonHasTheRows) {
  const Json json = Json::parse(shown({"--json"}));
  const Json& event = json["events"][0];
  EXPECT_EQ(event["event"], "cycles");
  EXPECT_EQ(event["value"], 100);
  EXPECT_EQ(event["row_count"], 4);
  EXPECT_EQ(event["rows"][1], Json::parse(R"({"symbol": "f", "dso": "app", "inlined": false,
      "self": {"percent": 30.0, "value": 30, "samples": 1},
      "total": {"percent": 90.0, "value": 90, "samples": 2}})"));
}

TEST_F(ReportCommandLine, TreeHasTheCalls) {
  EXPECT_EQ(shown({"--tree"}),
            "calls of cycles: 3 samples, 100 in all\n"
            "  total     self  function\n"
            " 90.00%    0.00%  app\n"
            " 90.00%    0.00%  main\n"
            " 90.00%   30.00%  f\n"
            " 60.00%    0.00%  `- f\n"
            " 60.00%   60.00%     sys_read\n"
            " 10.00%    0.00%  work\n"
            " 10.00%   10.00%  [libx.so]\n");
  EXPECT_EQ(shown({"--tree", "--depth", "1", "--min-percent", "20"}),
            "calls of cycles: 3 samples, 100 in all\n"
            "  total     self  function\n"
            " 90.00%    0.00%  app\n"
            " 90.00%           `- (1 more)\n"
            " 10.00%           (1 more)\n");
  EXPECT_EQ(shown({"--tree", "--reversed", "--min-percent", "50"}),
            "callers of leaves of cycles: 3 samples, 100 in all\n"
            "  total  function\n"
            " 60.00%  sys_read\n"
            " 60.00%  f\n"
            " 60.00%  f\n"
            " 60.00%  main\n"
            " 60.00%  app\n"
            " 40.00%  (2 more)\n");
}

TEST_F(ReportCommandLine, CallersAndCalleesOfOneFunction) {
  EXPECT_EQ(shown({"--callers", "sys_read", "--callees", "f"}),
            "callers of sys_read of cycles: 3 samples, 100 in all\n"
            "  total  function\n"
            " 60.00%  sys_read\n"
            " 60.00%  f\n"
            " 60.00%  f\n"
            " 60.00%  main\n"
            " 60.00%  app\n"
            "\n"
            "callees of f of cycles: 3 samples, 100 in all\n"
            "  total     self  function\n"
            " 90.00%   30.00%  f\n"
            " 60.00%    0.00%  `- f\n"
            " 60.00%   60.00%     sys_read\n");
  EXPECT_THAT(error({"--callers", "sysread"}), HasSubstr("no stack has this function; did you mean 'sys_read'?"));
  for (const char* part_of_it : {"read", "*SYS*"}) {
    EXPECT_THAT(error({"--callers", part_of_it}), HasSubstr("did you mean 'sys_read'?")) << part_of_it;
  }
  for (const char* nothing_like_it : {"libx.so", "nosuch", "unknown"}) {
    const std::string text = error({"--callers", nothing_like_it});
    EXPECT_THAT(text, HasSubstr("no stack has this function"));
    EXPECT_THAT(text, testing::Not(HasSubstr("did you mean"))) << nothing_like_it;
  }
  EXPECT_THAT(error({"--callees", "app"}), HasSubstr("no stack has this function"));  // a thread
  EXPECT_THAT(error({"--tree", "--callees", "f"}), HasSubstr("choose one"));
  EXPECT_THAT(error({"--tree", "--sort", "dso"}), HasSubstr("--sort is for tables"));
  EXPECT_THAT(error({"--reversed"}), HasSubstr("--reversed needs --tree"));
  EXPECT_THAT(error({"--tree", "--min-percent", "101"}), HasSubstr("a percentage from 0 to 100 is needed"));
}

// A tree of callers ends at threads, and no time is spent there.
TEST_F(ReportCommandLine, TreesOfCallersHaveNoSelf) {
  const Json json = Json::parse(shown({"--callers", "f", "--json"}));
  for (const Json& node : json["views"][0]["events"][0]["nodes"]) EXPECT_FALSE(node.contains("self"));
  EXPECT_THAT(shown({"--tree", "--reversed", "--csv"}), HasSubstr(",0,,1,,,,60.000000,60,1,no,sys_read,"));
}

// Children add up to their parent, because left-out children are also listed.
TEST_F(ReportCommandLine, TreesForProgramsAddUp) {
  const Json json = Json::parse(shown({"--tree", "--json", "--min-percent", "0"}));
  const Json& nodes = json["views"][0]["events"][0]["nodes"];
  ASSERT_EQ(nodes.size(), 7u);
  std::vector<std::uint64_t> children(nodes.size());
  std::uint64_t top = 0, self = 0;
  for (const Json& node : nodes) {
    (node["parent"].is_null() ? top : children[node["parent"]]) += node["total"]["value"].get<std::uint64_t>();
    self += node["self"]["value"].get<std::uint64_t>();
  }
  EXPECT_EQ(top, 100u);
  EXPECT_EQ(self, 100u);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_EQ(nodes[i]["total"]["value"], nodes[i]["self"]["value"].get<std::uint64_t>() + children[i]);
  }
  EXPECT_THAT(shown({"--callees", "f", "--csv"}),
              testing::StartsWith("view,event,node,parent,depth,self_percent,self_value,self_samples,total_percent,"
                                  "total_value,total_samples,inlined,symbol,dso\r\n"
                                  "callees of f,cycles,0,,1,30.000000,30,1,90.000000,90,2,no,f,app\r\n"
                                  "callees of f,cycles,1,0,2,"));
}

// The sum of self is the total of the recording, for each key and each number of threads.
TEST(ReportOfRecording, SelfAddsUpToTheTotal) {
  const std::string demo = test::source_path("testdata/demo.data"), symfs = test::source_path("testdata/symfs");
  const Outcome folded = run_command("fold", {"--symfs", symfs, demo});
  std::uint64_t total = 0;
  std::istringstream lines(folded.out);
  for (std::string line; std::getline(lines, line);) total += std::stoull(line.substr(line.rfind(' ')));
  ASSERT_GT(total, 0u);
  for (const char* keys : {"symbol", "symbol,dso", "comm", "pid,symbol", "cpu", "srcline", "srcfile,dso", "time"}) {
    std::string first;
    for (const char* jobs : {"1", "3"}) {
      const Outcome outcome = run_command("report", {"--json", "--sort", keys, "-j", jobs, "--symfs", symfs, demo});
      ASSERT_EQ(outcome.status, done) << outcome.err;
      if (first.empty()) first = outcome.out;
      EXPECT_EQ(outcome.out, first) << keys;
      std::uint64_t sum = 0;
      const Json json = Json::parse(outcome.out);
      for (const Json& event : json["events"]) {
        for (const Json& row : event["rows"]) sum += row["self"]["value"].get<std::uint64_t>();
      }
      EXPECT_EQ(sum, total) << keys;
    }
  }
}

// The format is that of objdump, except for blanks.
TEST(ReportOfRecording, InstructionsAreThoseOfTheGnuAssembler) {
  const auto code_of = [](const char* function) {
    return run_command("report", {"-q", "--symfs", test::source_path("testdata/symfs"), "--annotate", function,
                                  test::source_path("testdata/demo.data")})
        .out;
  };
  const std::string copy = code_of("__memmove_avx512_unaligned_erms");
  for (const char* line :
       {"43b209  vmovdqu64 (%rsi), %zmm16\n", "43b2e1  nopw (%rax,%rax,1)\n", "43b2ec  nopl (%rax)\n"})
    EXPECT_THAT(copy, HasSubstr(line));
  for (const char* line : {"43b255  cmp $0xfffffffd, %edx\n", "43b40b  sub $0xffffffffffffff00, %rsi\n"})
    EXPECT_THAT(copy, HasSubstr(line));
  EXPECT_THAT(code_of("handle_amd"), AllOf(HasSubstr("41c0df  lea 0x87d5a(%rip), %rdi  # 0x4a3e40"),
                                           HasSubstr("41c0b3  mov $0x80000000, %eax\n")));
}

TEST(ReportOfRecording, OutputsThatAreInputsAreRefused) {
  test::TemporaryDirectory directory;
  const std::string input = directory.write("folded", std::string_view("a 1\n"));
  EXPECT_EQ(run_command("report", {input, "-o", input}).status, wrong_usage);
  const std::string output = directory.path() / "table";
  EXPECT_EQ(run_command("report", {input, "-o", output}).out, "");
  EXPECT_THAT(test::content_of(output), HasSubstr("100.00%        1  a\n"));
}

// tests/browser/page.py tests the contents of the page.
TEST_F(ReportCommandLine, IsAPage) {
  const std::string page = directory_.path() / "page.html";
  EXPECT_EQ(shown({"--html", page}), "");
  EXPECT_THAT(test::content_of(page), AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("script.txt")));
  EXPECT_THAT(error({"--html", page, "--json"}), HasSubstr("--html has all views"));
  EXPECT_THAT(error({"--html", script_}), HasSubstr("script.txt"));
}

}  // namespace
}  // namespace perfsift::tools::report_tests
