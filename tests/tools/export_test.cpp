// perfsift export from the command line to its output, on a recording made by hand. The expected output follows from
// the input. tests/consumers opens exports with other programs.

#include <filesystem>
#include <map>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <protozero/pbf_reader.hpp>

#include "analysis/input/pprof_fields.h"
#include "analysis/input/pprof_profile.h"
#include "tests/support/full_recording.h"
#include "tests/support/paths.h"
#include "tests/support/pprof_bytes.h"
#include "tests/support/recording_builder.h"
#include "tests/support/sched_recording.h"
#include "tests/support/temporary.h"
#include "tests/support/unpacked.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::exports {  // a unity build compiles other tests in the same file
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Export : public testing::Test {
 protected:
  Outcome run(const std::string& format, options::Arguments arguments, const std::string& input) {
    output_ = directory_.path() / ("out." + format);
    arguments.insert(arguments.end(), {"--to", format, "-o", output_, "-q", input});
    return run_command("export", arguments);
  }

  std::string folded(const std::string& input, options::Arguments arguments = {}) {
    arguments.insert(arguments.end(), {"-q", input});
    return run_command("fold", arguments).out;
  }

  test::TemporaryDirectory directory_;
  const std::string demo_ = test::source_path("testdata/demo.data"),
                    mixed_ = test::source_path("testdata/oracle/mixed.data");
  std::string output_;
};

TEST_F(Export, AFormatMustBeNamed) {
  const Outcome none = run_command("export", {demo_});
  EXPECT_EQ(none.status, wrong_usage);
  EXPECT_THAT(none.err, HasSubstr("--to FORMAT is needed: there are pprof, "));
  EXPECT_THAT(run("svg", {}, demo_).err, HasSubstr("--to svg: there are pprof, "));
}

TEST_F(Export, ThreadsDoNotChangeTheBytes) {
  for (const std::string format :
       {"pprof", "speedscope", "firefox", "perfetto", "callgrind", "jsonl", "csv", "folded"}) {
    for (const std::string& recording : {demo_, mixed_}) {
      ASSERT_EQ(run(format, {"-j1"}, recording).status, done) << format;
      const std::string one = test::content_of(output_);
      EXPECT_FALSE(one.empty());
      ASSERT_EQ(run(format, {"-j5"}, recording).status, done);
      EXPECT_EQ(test::content_of(output_), one) << format << ' ' << recording;
    }
  }
}

TEST_F(Export, FoldedIsWhatFoldWrites) {
  ASSERT_EQ(run("folded", {}, mixed_).status, done);
  EXPECT_EQ(test::content_of(output_), folded(mixed_));
}

// The profile has all facts that folded stacks need: names, inlined calls, and threads.
TEST_F(Export, AProfileOfPprofFoldsAsItsRecording) {
  for (const std::string& recording : {demo_, mixed_}) {
    ASSERT_EQ(run("pprof", {}, recording).status, done);
    for (const options::Arguments& options : std::vector<options::Arguments>{{},
                                                                             {"--no-comm"},
                                                                             {"--with-tid"},
                                                                             {"--weight", "samples"},
                                                                             {"--annotate", "kernel,inline"},
                                                                             {"--kernel-only"}}) {
      EXPECT_TRUE(folded(output_, options) == folded(recording, options)) << testing::PrintToString(options);
    }
  }
}

TEST_F(Export, AProfileOfAProfileIsTheSame) {
  ASSERT_EQ(run("pprof", {}, mixed_).status, done);
  const std::string first = directory_.write("first.pb.gz", test::content_of(output_));
  ASSERT_EQ(run("folded", {"--with-tid"}, first).status, done);
  const std::string stacks = test::content_of(output_);
  ASSERT_EQ(run("pprof", {}, first).status, done);
  EXPECT_EQ(folded(output_, {"--with-tid"}), stacks);
}

// pprof shows the name of the first mapping. Most samples of the program are in threads with other names.
TEST_F(Export, TheFirstMappingIsTheBinaryOfTheBusiestProcess) {
  const auto first_mapping = [&] {
    const std::string bytes = test::unpacked(test::content_of(output_));
    std::vector<std::string> strings;
    std::optional<std::uint64_t> name;
    for (protozero::pbf_reader profile(bytes); profile.next();) {
      if (profile.tag() == analysis::pprof::Profile::string_table) {
        strings.push_back(profile.get_string());
      } else if (profile.tag() == analysis::pprof::Profile::mapping && !name) {
        protozero::pbf_reader mapping = profile.get_message();
        if (mapping.next(analysis::pprof::Mapping::filename)) name = mapping.get_uint64();
      } else {
        profile.skip();
      }
    }
    return strings.at(name.value_or(0));
  };
  ASSERT_EQ(run("pprof", {}, demo_).status, done);
  EXPECT_EQ(first_mapping(), "/opt/perfsift-demo/demo");
  const std::string first = directory_.write("first.pb.gz", test::content_of(output_));
  ASSERT_EQ(run("pprof", {}, first).status, done);
  EXPECT_EQ(first_mapping(), "/opt/perfsift-demo/demo");
}

TEST_F(Export, AProfileOfAProfileTellsWhatTheRecordingLacked) {
  ASSERT_EQ(run("pprof", {"--symfs", test::source_path("testdata/symfs")}, demo_).status, done);
  const std::string first = directory_.write("first.pb.gz", test::content_of(output_));
  const auto facts = [](const std::string& path) {
    const std::string bytes = test::unpacked(test::content_of(path));
    const analysis::PprofProfile profile(std::as_bytes(std::span(bytes)));
    std::vector<std::string> texts(profile.comments().begin(), profile.comments().end());
    texts.push_back("duration " + std::to_string(profile.duration()));
    return texts;
  };
  EXPECT_THAT(facts(first), testing::Contains(testing::StartsWith("incomplete: 1 stack (0.178 %)")));
  ASSERT_EQ(run("pprof", {}, first).status, done);
  EXPECT_EQ(facts(output_), facts(first));
  EXPECT_THAT(run_command("report", {"-q", first}).out, HasSubstr("\nincomplete: 1 stack (0.178 %)"));
  EXPECT_THAT(run_command("flame", {"-q", first}).out, HasSubstr(">incomplete: 1 stack (0.178 %)"));
}

// Such samples are in no stack, but have a value in their profile.
TEST_F(Export, SamplesWithoutFramesAreReadAgain) {
  const std::string counters = directory_.write("counters.data", test::recording_of_counters().file());
  ASSERT_EQ(run("pprof", {}, counters).status, done);
  const Outcome again = run_command("report", {"--json", "-q", output_});
  EXPECT_EQ(again.status, done) << again.err;
}

// Such samples are like those of Go's profiles that were taken outside of a goroutine.
TEST_F(Export, SamplesOfPprofWithoutAStackAreInEveryFormat) {
  test::PprofBytes bytes(std::vector<test::PprofType>{{"cpu", "count"}});
  bytes.add("work", {70});
  bytes.add_without_stack({30});
  const std::string input = directory_.write("in.pb", bytes.bytes());
  EXPECT_EQ(folded(input), "[no stack] 30\nmain;work 70\n");
  EXPECT_EQ(folded(input, {"--user-only"}), "main;work 70\n");
  const std::string svg = directory_.path() / "out.svg";
  ASSERT_EQ(run_command("flame", {"-q", "-o", svg, input}).status, done);
  EXPECT_THAT(test::content_of(svg), HasSubstr("[no stack]"));
  const auto of_report = [](const std::string& path) {
    return run_command("report", {"-q", "--csv", "--sort", "symbol", path}).out;
  };
  EXPECT_THAT(of_report(input), HasSubstr("[no stack]"));
  const std::map<std::string, std::string> expected{
      {"folded", "[no stack] 30\nmain;work 70\n"},
      {"csv", ",30,30,\"[no stack]\"\r\n"},
      {"jsonl", R"("period":30,"sym":"[no stack]","stack":[{"sym":"[no stack]")"},
      {"speedscope", R"({"name":"[no stack]"})"},
      {"callgrind", "[no stack]"}};
  for (const auto& [format, text] : expected) {
    ASSERT_EQ(run(format, {}, input).status, done) << format;
    EXPECT_THAT(test::content_of(output_), HasSubstr(text)) << format;
  }
  ASSERT_EQ(run("pprof", {}, input).status, done);
  EXPECT_EQ(of_report(output_), of_report(input));
  ASSERT_EQ(run("firefox", {}, input).status, done);
  EXPECT_THAT(test::unpacked(test::content_of(output_)), HasSubstr("\"[no stack]\""));
}

TEST_F(Export, FoldedTextBecomesAProfile) {
  const std::string text = directory_.write("in.folded", "a;b 3\na;c 4\n");
  ASSERT_EQ(run("pprof", {}, text).status, done);
  EXPECT_EQ(folded(output_), "a;b 3\na;c 4\n");
}

// speedscope adds up frames by their index.
TEST_F(Export, FramesThatSpeedscopeShowsAlikeAreOne) {
  std::string text;
  for (const char* path : {"/opt/old/app", "/opt/new/app"})
    text += std::string("app     7/7     [001] 1.000001:     5 cycles:\n\t401000 work (") + path + ")\n\n";
  ASSERT_EQ(run("speedscope", {}, directory_.write("in.script", text)).status, done);
  EXPECT_THAT(test::content_of(output_), HasSubstr("\"frames\":[\n{\"name\":\"work\"}]}"));
}

TEST_F(Export, EachCpuHasAnIdleThread) {
  std::string text;
  for (const char* who : {"swapper     0/0     [000]", "swapper     0/0     [001]", "app     7/7     [001]"})
    text += std::string(who) + " 1.000001:     5 cycles:\n\tffffffff81000000 work ([kernel.kallsyms])\n\n";
  const std::string input = directory_.write("in.script", text);
  ASSERT_EQ(run("speedscope", {}, input).status, done);
  for (const char* lane : {"\"swapper/0 0/0\"", "\"swapper/1 0/0\"", "\"app 7/7\""})
    EXPECT_THAT(test::content_of(output_), HasSubstr(lane));
  ASSERT_EQ(run("firefox", {}, input).status, done);
  const std::string firefox = test::unpacked(test::content_of(output_));
  for (const char* lane : {R"("name":"swapper/0")", R"("name":"swapper/1")", R"("processName":"swapper")"})
    EXPECT_THAT(firefox, HasSubstr(lane));
}

// The usual text of perf script has the thread's number, but not the process's number.
TEST_F(Export, TheProcessMayBeUnknown) {
  const std::string stack = ":     5 cycles:\n\t401010 f+0x10 (/opt/bin/app)\n\n";
  const std::string input =
      directory_.write("usual.script", "w  4059 [000] 1.000001" + stack + "x  4060 [000] 1.000002" + stack +
                                           "swapper 0 [001] 1.000003" + stack);
  const auto written = [&](const std::string& format) {
    EXPECT_EQ(run(format, {}, input).status, done);
    const std::string content = test::content_of(output_);
    return content.starts_with("\x1f\x8b") ? test::unpacked(content) : content;
  };
  const std::string speedscope = written("speedscope");
  for (const char* lane : {"\"w 4059\"", "\"x 4060\"", "\"swapper/1 0\""}) EXPECT_THAT(speedscope, HasSubstr(lane));
  const std::string rows = written("jsonl");
  EXPECT_THAT(rows, HasSubstr(R"("comm":"w","samples":1,"tid":4059)"));
  EXPECT_THAT(rows, Not(HasSubstr(R"("pid")")));
  EXPECT_THAT(written("csv"), HasSubstr(R"("w",,4059,)"));
  const std::string pprof = written("pprof");
  EXPECT_THAT(pprof, AllOf(HasSubstr("tid"), Not(HasSubstr("\x03pid"))));
  const std::string firefox = written("firefox");
  EXPECT_THAT(firefox,
              HasSubstr(R"("name":"w","isMainThread":false,"processName":"usual.script","pid":"0","tid":4059)"));
  EXPECT_THAT(written("perfetto"), AllOf(HasSubstr("usual.script"), HasSubstr("swapper")));
  EXPECT_THAT(run_command("fold", {"--with-tid", input}).out, HasSubstr("w-?/4059;f 5\n"));
}

TEST_F(Export, WithoutSamplesTheRunSaysSo) {
  const Outcome outcome = run("pprof", {"--comms", "nobody", "--fail-empty"}, demo_);
  EXPECT_EQ(outcome.status, check_failed);
}

TEST_F(Export, AnInputIsNotOverwritten) {
  const std::string text = directory_.write("in.folded", "a;b 3\n");
  const Outcome outcome = run_command("export", {"--to", "pprof", text, "-o", text});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_EQ(test::content_of(text), "a;b 3\n");
}

TEST_F(Export, LabelsAreOfPprofOnly) {
  EXPECT_THAT(run("folded", {"--labels", "pid"}, demo_).err, HasSubstr("--labels needs --to pprof"));
  EXPECT_THAT(run("pprof", {"--labels", "colour"}, demo_).err, HasSubstr("--labels colour: there are pid, "));
}

TEST_F(Export, ACutProfileIsAnError) {
  ASSERT_EQ(run("pprof", {}, demo_).status, done);
  const std::string whole = test::content_of(output_);
  const std::string cut = directory_.write("cut.pb.gz", whole.substr(0, whole.size() / 2));
  const Outcome outcome = run_command("fold", {cut});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("cut.pb.gz: the gzip data end too early: the file was cut"));
}

TEST_F(Export, CallgrindCountsARecursionOnce) {
  const std::string text = directory_.write("in.folded", "a;b;a;c 5\na;a 2\n");
  ASSERT_EQ(run("callgrind", {}, text).status, done);
  const std::string out = test::content_of(output_);
  EXPECT_THAT(out, HasSubstr("events: events events_samples\nsummary: 7 7\n"));
  EXPECT_THAT(out,
              HasSubstr("\nob=(1) ???\nfl=(1) ???\nfn=(1) [all]\ncob=(1)\ncfi=(1)\ncfn=(2) a\ncalls=7 0\n0 7 7\n"));
  EXPECT_THAT(out, HasSubstr("\nfn=(2)\ncob=(1)\ncfi=(1)\ncfn=(3) a'2\ncalls=2 0\n0 2 2\n"));
  EXPECT_THAT(out, HasSubstr("\nfn=(3)\n0 2 2\n"));
}

TEST_F(Export, CallgrindHasTheCallsOfARecursionToOtherFunctions) {
  const std::string text = directory_.write("in.folded", "a;a;b;a 5\n");
  ASSERT_EQ(run("callgrind", {}, text).status, done);
  EXPECT_THAT(test::content_of(output_), HasSubstr("\nfn=(3)\n0 5 5\ncob=(1)\ncfi=(1)\ncfn=(4) b\ncalls=5 0\n0 5 5\n"));
}

// callgrind_annotate expects a line with a cost in each file that it can open.
TEST_F(Export, CallgrindHasALineOfEachFile) {
  const std::string text =
      directory_.write("in.script",
                       "app     7/7     [001] 1.000001:     5 cycles:\n"
                       "\t401000 work (/opt/app)\n  work.c:3\n\t402000 main (/opt/app)\n  main.c:7\n\n");
  ASSERT_EQ(run("callgrind", {}, text).status, done);
  EXPECT_THAT(test::content_of(output_), AllOf(HasSubstr("\nfn=(2)\n7 0 0\ncob=(2)\n"), HasSubstr("\nfn=(3)\n3 5 1\n"),
                                               HasSubstr("\ntotals: 5 1\n")));
}

// Functions of different binaries are separate, although names have one number.
TEST_F(Export, CallgrindKeepsFunctionsOfOneNameApart) {
  const std::string text = directory_.write("in.script",
                                            "app     7/7     [001] 1.000001:     5 cycles:\n"
                                            "\t7f0000001000 f (/opt/b.so)\n\t401000 f (/opt/app)\n\n");
  ASSERT_EQ(run("callgrind", {}, text).status, done);
  EXPECT_THAT(test::content_of(output_),
              AllOf(HasSubstr("\nob=(2)\nfl=(1)\nfn=(2)\ncob=(3) /opt/b.so\ncfi=(1)\ncfn=(2)\ncalls=1 0\n0 5 1\n"),
                    HasSubstr("\nob=(3)\nfl=(1)\nfn=(2)\n0 5 1\n")));
}

// Formulas of spreadsheets: "CSV Injection" of OWASP.
TEST_F(Export, NamesAreNoFormulasInCsv) {
  const std::string text = directory_.write("in.folded", "=cmd|x!A1;f 3\n@SUM(1) 4\nmain;-[Window draw] 5\n");
  ASSERT_EQ(run("csv", {}, text).status, done);
  const std::string csv = test::content_of(output_);
  for (const char* field : {"\"'=cmd|x!A1;f\"", "\"'@SUM(1)\"", "\"main;-[Window draw]\""})
    EXPECT_THAT(csv, HasSubstr(field));
}

TEST_F(Export, RowsOfSums) {
  const std::string text = directory_.write("in.folded", "a;\"b\" 5\n");
  ASSERT_EQ(run("csv", {}, text).status, done);
  EXPECT_EQ(test::content_of(output_),
            "time,event,comm,pid,tid,cgroup,cpu,cpumode,samples,period,stack\r\n"
            ",\"[no event]\",\"\",,,\"\",,,5,5,\"a;\"\"b\"\"\"\r\n");
  ASSERT_EQ(run("jsonl", {}, text).status, done);
  EXPECT_EQ(test::content_of(output_),
            "{\"event\":\"[no event]\",\"samples\":5,\"period\":5,\"sym\":\"\\\"b\\\"\","
            "\"stack\":[{\"sym\":\"\\\"b\\\"\"},{\"sym\":\"a\"}]}\n");
}

// perfsift-jsonl.so writes no name either; the binary is known.
TEST_F(Export, AFrameWithoutANameHasNoSymInJson) {
  const std::string text = directory_.write("in.script",
                                            "app     7/8     [001] 1.000001:     5 cycles:\n"
                                            "\t401000 [unknown] (/opt/app)\n\t402000 main (/opt/app)\n\n");
  ASSERT_EQ(run("jsonl", {}, text).status, done);
  EXPECT_EQ(test::content_of(output_),
            R"({"event":"cycles","comm":"app","samples":1,"pid":7,"tid":8,"cpu":1,"time":1000001000,"period":5,)"
            R"("dso":"/opt/app","stack":[{"dso":"/opt/app"},{"sym":"main","dso":"/opt/app"}]})"
            "\n");
}

// The sample types of Go's CPU and heap profiles (runtime/pprof), and of Go's goroutines.
class ExportOfPprof : public Export {
 protected:
  std::string written(const std::vector<test::PprofType>& types, const std::vector<std::uint64_t>& values,
                      const test::PprofType& period) {
    test::PprofBytes bytes(types);
    bytes.set_period(period, 524288);
    bytes.add("work", values);
    return directory_.write(types.back().type + ".pb", bytes.bytes());
  }
  std::string heap() {
    return written(
        {{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}},
        {7, 700, 3, 300}, {"space", "bytes"});
  }
  std::string cpu() {
    return written({{"samples", "count"}, {"cpu", "nanoseconds"}}, {3, 30'000'000}, {"cpu", "nanoseconds"});
  }

  // "type unit" of each sample type, and of the period.
  static std::vector<std::string> types_in(const std::string& bytes) {
    const analysis::PprofProfile profile(std::as_bytes(std::span(bytes)));
    std::vector<std::string> texts;
    for (const auto& type : profile.sample_types())
      texts.push_back(std::string(type.type) + ' ' + std::string(type.unit));
    texts.push_back(std::string(profile.period_type().type) + ' ' + std::string(profile.period_type().unit) + ' ' +
                    std::to_string(profile.period()));
    return texts;
  }
};

TEST_F(ExportOfPprof, TypesAndUnitsAndThePeriodStay) {
  for (const std::string& input : {heap(), cpu(), written({{"goroutine", "count"}}, {5}, {"goroutine", "count"}),
                                   written({{"delay", "nanoseconds"}}, {5}, {"contentions", "count"})}) {
    ASSERT_EQ(run("pprof", {}, input).status, done);
    EXPECT_EQ(types_in(test::unpacked(test::content_of(output_))), types_in(test::content_of(input)));
    EXPECT_EQ(folded(output_), folded(input));
  }
}

TEST_F(ExportOfPprof, APeriodThatIsNotToldIsOneOfTheEvent) {
  ASSERT_EQ(run("pprof", {}, written({{"delay", "nanoseconds"}}, {5}, {"", ""})).status, done);
  EXPECT_EQ(types_in(test::unpacked(test::content_of(output_))).back(), "delay nanoseconds 524288");
}

// Labels that Go programs give to samples (pprof.Do), and the sizes of allocations in Go's heap profiles.
TEST_F(ExportOfPprof, LabelsOfOthersStay) {
  test::PprofBytes bytes(std::vector<test::PprofType>{{"samples", "count"}});
  bytes.add("work", {1}, {{.key = "tenant", .text = "acme"}, {.key = "pid", .number = 7}});
  bytes.add("work", {2}, {{.key = "tenant", .text = "other"}});
  bytes.add("work", {4}, {{.key = "bytes", .number = 48, .unit = "bytes"}, {.key = "depth", .number = 3}});
  const std::string input = directory_.write("labels.pb", bytes.bytes());
  const auto labels_in = [](const std::string& content) {
    const analysis::PprofProfile profile(std::as_bytes(std::span(content)));
    std::map<std::int64_t, std::string> labels;  // by value
    profile.visit([&](const analysis::PprofSample& sample) {
      for (const analysis::PprofLabel& label : sample.labels) {
        labels[sample.values.back()] += std::string(label.key) + '=' + std::string(label.text) +
                                        std::to_string(label.number) + std::string(label.unit) + ' ';
      }
    });
    return labels;
  };
  using Labels = std::map<std::int64_t, std::string>;
  ASSERT_EQ(run("pprof", {}, input).status, done);
  EXPECT_EQ(labels_in(test::unpacked(test::content_of(output_))),
            Labels({{1, "pid=7 tenant=acme0 "}, {2, "tenant=other0 "}, {4, "bytes=48bytes depth=3 "}}));
  ASSERT_EQ(run("pprof", {"--labels", "pid"}, input).status, done);
  EXPECT_EQ(folded(output_), "main;work 7\n");
  EXPECT_THAT(labels_in(test::unpacked(test::content_of(output_))),
              testing::Not(testing::Contains(testing::Pair(testing::_, HasSubstr("tenant")))));
  ASSERT_EQ(run("csv", {}, input).status, done);
  EXPECT_THAT(test::content_of(output_), HasSubstr(",6,6,\"main;work\"\r\n"));  // without a column for labels
}

// speedscope shows no samples of value 0, so such threads have no profile.
TEST_F(ExportOfPprof, SamplesWithoutAValueAreNotInSpeedscope) {
  const auto input = [&](std::uint64_t value) {
    test::PprofBytes bytes(std::vector<test::PprofType>{{"samples", "count"}, {"cpu", "nanoseconds"}});
    bytes.add("work", {3, 0}, {{.key = "pid", .number = 5}, {.key = "tid", .number = 5}});
    bytes.add("work", {1, value}, {{.key = "pid", .number = 5}, {.key = "tid", .number = 6}});
    bytes.add("work", {1, 10 * value}, {{.key = "pid", .number = 5}, {.key = "tid", .number = 7}});
    return directory_.write("in.pb", bytes.bytes());
  };
  ASSERT_EQ(run("speedscope", {}, input(5)).status, done);
  const auto file = nlohmann::json::parse(test::content_of(output_));
  EXPECT_EQ(file["profiles"].size(), 2u);
  EXPECT_EQ(file["activeProfileIndex"], 1);
  std::filesystem::remove(output_);
  const Outcome outcome = run("speedscope", {}, input(0));
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("in.pb: the values of all samples are 0 (--weight samples counts them)"));
  EXPECT_FALSE(std::filesystem::exists(output_));
  EXPECT_EQ(run("speedscope", {"--weight", "samples"}, input(0)).status, done);
}

// pprof adds up profiles in this way.
TEST_F(ExportOfPprof, TimesAreTheEarliestAndAllDurations) {
  const auto recorded = [&](const std::string& name, std::uint64_t time, std::uint64_t duration) {
    test::PprofBytes bytes(std::vector<test::PprofType>{{"samples", "count"}});
    bytes.set_time(time, duration);
    bytes.add("work", {1});
    return directory_.write(name, bytes.bytes());
  };
  const std::string late = recorded("late.pb", 1'700'000'000'000'000'005, 30),
                    early = recorded("early.pb", 1'600'000'000'000'000'005, 400);
  ASSERT_EQ(run("pprof", {late, recorded("unknown.pb", 0, 0)}, early).status, done);
  const std::string bytes = test::unpacked(test::content_of(output_));
  const analysis::PprofProfile profile(std::as_bytes(std::span(bytes)));
  EXPECT_EQ(profile.recorded_at(), 1'600'000'000'000'000'005u);
  EXPECT_EQ(profile.duration(), 430u);
}

TEST_F(ExportOfPprof, OtherFormatsHaveTheUnits) {
  const auto text = [&](const std::string& format, const std::string& input) {
    EXPECT_EQ(run(format, {}, input).status, done);
    const std::string content = test::content_of(output_);
    return format == "firefox" ? test::unpacked(content) : content;
  };
  EXPECT_THAT(text("speedscope", cpu()), HasSubstr(R"("unit":"nanoseconds")"));
  EXPECT_THAT(text("firefox", cpu()), HasSubstr(R"("weightType":"tracing-ms")"));
  EXPECT_THAT(text("firefox", cpu()), HasSubstr(R"("interval":0.524288)"));
  EXPECT_THAT(text("speedscope", heap()), HasSubstr(R"("unit":"bytes")"));
  EXPECT_THAT(text("firefox", heap()), HasSubstr(R"("weightType":"bytes")"));
  EXPECT_THAT(run_command("report", {"-q", cpu()}).out, HasSubstr("cpu: 3 samples, 30000000 nanoseconds in all"));
  EXPECT_THAT(run_command("report", {"-q", "--json", heap()}).out, HasSubstr(R"("unit": "bytes")"));
  EXPECT_THAT(run_command("flame", {"-q", cpu()}).out, HasSubstr(R"("nanoseconds":true)"));
  EXPECT_THAT(run_command("flame", {"-q", "-e", "inuse_space", heap()}).out, HasSubstr(R"("countName":"bytes")"));
}

TEST_F(ExportOfPprof, DifferentUnitsAreNotAddedUp) {
  const std::string other =
      directory_.write("other.pb", test::content_of(written({{"cpu", "milliseconds"}}, {5}, {"cpu", "milliseconds"})));
  const Outcome outcome = run_command("fold", {"-q", other, cpu()});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("cpu.pb: its cpu is in nanoseconds, that of"));
}

// Losses and threads on CPUs before the first sample have their own times.
TEST_F(Export, AProfileOfFirefoxBeginsWithTheFirstOfAll) {
  test::SchedRecording in;
  in.comm_at(1, 7, "app").comm_at(1, 8, "app").lost_at(90, 3);
  in.switch_at(100, 0, test::S, 7).switch_at(120, 7, test::S, 8).switch_at(140, 8, test::S, 7);
  in.cpu_clock_at(150, 7, {0x401000}).switch_at(200, 7, test::S, 0);
  ASSERT_EQ(run("firefox", {"--event", "cpu-clock"}, in.write(directory_)).status, done);
  const auto threads = nlohmann::json::parse(test::unpacked(test::content_of(output_)))["threads"];
  ASSERT_EQ(threads.size(), 2u);
  using Times = std::vector<double>;  // milliseconds
  EXPECT_EQ(threads[0]["samples"]["time"], Times({0.00006}));
  EXPECT_EQ(threads[0]["markers"]["startTime"], Times({0.00001, 0.00005}));
  EXPECT_EQ(threads[0]["markers"]["endTime"], Times({0.00003, 0.00011}));
  EXPECT_EQ(threads[1]["name"], "Lost and throttled");
  EXPECT_EQ(threads[1]["markers"]["startTime"], Times({0}));
}

// perf record --no-timestamp makes such samples.
TEST_F(Export, WithoutTimesThereIsNoTrace) {
  test::RecordingBuilder in;
  namespace bit = reader::sample_bit;
  in.event({.sample_type = bit::ip | bit::tid});
  for (int i = 0; i < 2; ++i)
    in.record(reader::RecordType::sample, in.bytes().u64(0x401000).u32(7).u32(7), test::user_mode);
  const std::string input = directory_.write("untimed.data", Bytes(in.file()));
  const auto to = [&](const std::string& format) {
    return run_command("export", {"--to", format, "-o", directory_.path() / format, input});
  };
  const Outcome perfetto = to("perfetto");
  EXPECT_EQ(perfetto.status, input_unusable);
  EXPECT_EQ(perfetto.err, "perfsift: " + input + ": the samples have no times (perf record -T)\n");
  EXPECT_FALSE(std::filesystem::exists(directory_.path() / "perfetto"));
  const Outcome firefox = to("firefox");
  EXPECT_EQ(firefox.status, done);
  EXPECT_THAT(firefox.err, HasSubstr("untimed.data: 2 of 2 samples have no times (perf record -T)"));
  EXPECT_EQ(to("speedscope").err, "");
}

TEST_F(Export, SpeedscopeOpensWithTheLargestThreadOfTheFirstEvent) {
  const auto sample = [](const std::string& thread, const std::string& event, const std::string& period) {
    return thread + " [000] 1.000001: " + period + " " + event + ":\n\t401000 work (/opt/app)\n\n";
  };
  const auto active = [&](const std::string& text) {
    EXPECT_EQ(run("speedscope", {}, directory_.write("in.script", text)).status, done);
    return nlohmann::json::parse(test::content_of(output_))["activeProfileIndex"];
  };
  const std::string small = sample("small 6/6", "cycles", "5"), large = sample("large 7/7", "cycles", "50"),
                    other = sample("other 8/8", "faults", "500");
  EXPECT_EQ(active(small + large), 1);
  EXPECT_EQ(active(large + sample("small 9/9", "cycles", "5")), 0);
  EXPECT_EQ(active(small + large + other), 1);
}

// A thread works for 0.2 s, sleeps for 1 s, and works for 0.2 s.
TEST_F(Export, SpeedscopeKeepsTheTimeBetweenSamples) {
  const auto samples = [](const std::string& event, const std::string& period) {
    std::string text;
    for (const char* time : {"1.100", "1.200", "2.300", "2.400"})
      text += fmt::format("app 6/6 [000] {}000: {} {}:\n\t401000 work (/opt/app)\n\n", time, period, event);
    return text;
  };
  const auto profile = [&](const std::string& text) {
    EXPECT_EQ(run("speedscope", {}, directory_.write("in.script", text)).status, done);
    return nlohmann::json::parse(test::content_of(output_))["profiles"][0];
  };
  const nlohmann::json clock = profile(samples("cpu-clock", "100000000"));
  EXPECT_EQ(clock["samples"], nlohmann::json::parse("[[0],[],[0]]"));
  EXPECT_EQ(clock["weights"], nlohmann::json::parse("[200000000,1000000000,200000000]"));
  EXPECT_EQ(clock["endValue"], 1400000000);
  // Ten samples of 3 would have filled the gap.
  EXPECT_EQ(profile(samples("cycles", "3"))["weights"], nlohmann::json::parse("[6,30,6]"));
}

TEST_F(Export, SpeedscopeHasNoGapBetweenRecordings) {
  const std::string sample = " [000] 1.000000: 5 cycles:\n\t401000 work (/opt/app)\n\n";
  const std::string one = directory_.write("one.script", "app 6/6" + sample);
  const std::string other =
      directory_.write("other.script", "app 6/6 [000] 3601.000000: 5 cycles:\n\t401000 work (/opt/app)\n\n");
  ASSERT_EQ(run("speedscope", {one}, other).status, done);
  const auto file = nlohmann::json::parse(test::content_of(output_));
  EXPECT_EQ(file["profiles"][0]["weights"], nlohmann::json::parse("[10]"));
}

// pprof itself adds up profiles in this way. The recordings are an hour apart.
TEST_F(Export, DurationsOfRecordingsAreAddedUp) {
  constexpr std::uint64_t hour = 3'600'000 * test::millisecond;
  const auto recorded = [&](const std::string& name, std::uint64_t first, std::uint64_t last) {
    return directory_.write(name,
                            Bytes(test::RecordingBuilder().timed_event().sample_at(first).sample_at(last).file()));
  };
  const std::string text = directory_.write("in.script",
                                            "app 7/7 [000] 90.000001: 1 cpu-clock:\n\t401000 f (/opt/app)\n\n"
                                            "app 7/7 [000] 90.000005: 1 cpu-clock:\n\t401000 f (/opt/app)\n\n");
  ASSERT_EQ(run("pprof", {recorded("first.data", 100, 130), text}, recorded("second.data", hour, hour + 500)).status,
            done);
  const std::string bytes = test::unpacked(test::content_of(output_));
  EXPECT_EQ(analysis::PprofProfile(std::as_bytes(std::span(bytes))).duration(), 30u + 4000u + 500u);
}

// With --user-only, a sample with only kernel frames is not in the profile, and its time does not count either.
TEST_F(Export, DurationsAreThoseOfThePartThatIsShown) {
  constexpr std::uint32_t thread = 7;
  const auto kernel_sample = [](std::uint64_t time) {
    return test::RecordingBuilder().bytes().u64(0xffffffff81000000).u32(thread).u32(thread).u64(time);
  };
  const std::string input =
      directory_.write("in.data", Bytes(test::RecordingBuilder()
                                            .timed_event()
                                            .record(reader::RecordType::sample, kernel_sample(50), test::kernel_mode)
                                            .sample_at(100)
                                            .sample_at(130)
                                            .file()));
  const auto duration = [&](const options::Arguments& arguments) {
    EXPECT_EQ(run("pprof", arguments, input).status, done);
    const std::string bytes = test::unpacked(test::content_of(output_));
    return analysis::PprofProfile(std::as_bytes(std::span(bytes))).duration();
  };
  EXPECT_EQ(duration({}), 80u);
  EXPECT_EQ(duration({"--user-only"}), 30u);
  EXPECT_EQ(duration({"--user-only", "--labels", "time"}), 30u);
}

// Samples that are added up while they are read give the same groups as single samples.
TEST_F(Export, SamplesAddedUpAreThoseOneByOne) {
  const auto sums_by_thread_and_cpu = [&](const std::string& labels) {
    EXPECT_EQ(run("pprof", {"--labels", labels}, mixed_).status, done);
    const std::string again = directory_.write("again.pb.gz", test::content_of(output_));
    return run_command("report", {"-q", "--json", "--limit", "0", "--sort", "comm,pid,cpu,event,symbol", again}).out;
  };
  const std::string sums = sums_by_thread_and_cpu("all");
  EXPECT_THAT(sums, HasSubstr("symbol"));
  EXPECT_EQ(sums_by_thread_and_cpu("all,time"), sums);
}

// perf record -F 2000 aims at a sample every half millisecond.
TEST_F(Export, TheIntervalOfFirefoxIsThatOfTheFrequency) {
  ASSERT_EQ(run("firefox", {}, demo_).status, done);
  EXPECT_THAT(test::unpacked(test::content_of(output_)), HasSubstr(R"("interval":0.5,)"));
}

}  // namespace
}  // namespace perfsift::tools::exports
