// Hostile names: no output contains their control characters or lets them start a line.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/dwarf_program.h"
#include "tests/support/paths.h"
#include "tests/support/recording_builder.h"
#include "tests/support/sched_recording.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::hostile_names {  // a unity build compiles other tests in the same file
namespace {

using reader::RecordType;
using test::BytesBuilder;
using test::RecordingBuilder;
using testing::HasSubstr;
namespace bit = reader::sample_bit;

// Contains a window title, a line break, and the introducer of control sequences (as UTF-8 and as a byte).
const std::string evil = "e\x1b]0;x\x07\nFAKE\xc2\x9b\x9b\x7f";
const std::string shown = R"(\x07\nFAKE\xc2\x9b\x9b\x7f)";  // behind the characters that a folded stack replaces

// 15 bytes, which is the kernel's limit.
const std::string evil_comm = "e\x1b[7m\nFAKE\xc2\x9b\x9b";
const std::string shown_comm = R"(e\x1b[7m\nFAKE\xc2\x9b\x9b)";

constexpr std::uint64_t jitted = 0x7f0000000000, app = 0x400000;

BytesBuilder mapping(std::uint64_t start, const std::string& name) {
  return std::move(BytesBuilder().u32(7).u32(7).u64(start).u64(0x1000).u64(0).padded(name));
}

void text_feature(RecordingBuilder& in, reader::Feature feature, const std::string& text) {
  in.feature(feature, BytesBuilder().u32(static_cast<std::uint32_t>(text.size() + 8 - text.size() % 8)).padded(text));
}

std::vector<std::byte> recording() {
  RecordingBuilder in;
  const std::uint64_t type = bit::ip | bit::tid | bit::time | bit::callchain;
  in.event({.sample_type = type, .flags = test::sample_id_all}, {1});
  BytesBuilder descriptions;
  descriptions.u32(1).u32(64).u32(1).u32(64).zeros(16).u64(type).zeros(32).u32(1);
  const std::string event = evil + std::string(8 - evil.size() % 8, '\0');
  in.feature(reader::Feature::event_description,
             descriptions.u32(static_cast<std::uint32_t>(event.size())).text(event).u64(1));
  text_feature(in, reader::Feature::hostname, evil);
  in.feature(reader::Feature::command_line,
             BytesBuilder().u32(1).u32(static_cast<std::uint32_t>(event.size())).text(event));
  in.comm_at(1, 7, evil_comm);
  in.record_at(2, RecordType::mmap, mapping(jitted, "//anon"), test::user_mode);
  in.record_at(3, RecordType::mmap, mapping(app, "/opt/" + evil), test::user_mode);
  for (const std::uint64_t ip : {jitted + 8, app + 8}) {
    in.record(RecordType::sample,
              in.bytes().u64(ip).u32(7).u32(7).u64(10).u64(2).u64(reader::callchain_context::user).u64(ip),
              test::user_mode);
  }
  return in.file();
}

// Expects no control characters except those in `allowed`.
void expect_clean(std::string text, std::string_view allowed = "\n") {
  constexpr std::string_view ours = "…";
  for (std::size_t at; (at = text.find(ours)) != std::string::npos;) text.erase(at, ours.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool c1 = c >= 0x80 && c <= 0x9f;  // no other text here is beyond ASCII
    const bool control = c < 0x20 || c == 0x7f || c1;
    EXPECT_FALSE(control && allowed.find(text[i]) == std::string_view::npos) << "byte " << i << " of\n" << text;
  }
  EXPECT_FALSE(text.starts_with("FAKE") || text.find("\nFAKE") != std::string::npos) << text;
}

class HostileNames : public testing::Test {
 protected:
  HostileNames() : input_(directory_.write("perf.data", Bytes(recording()))) {
    directory_.write("symfs/tmp/perf-7.map", "7f0000000000 100 f\x1b[1m\xc2\x9b\n");
  }

  Outcome run(std::string_view command, options::Arguments arguments) {
    arguments.insert(arguments.end(), {"--symfs", directory_.path() / "symfs", input_});
    Outcome outcome = run_command(command, arguments);
    expect_clean(outcome.out, command == "script" ? "\n\t" : "\n");
    expect_clean(outcome.err);
    return outcome;
  }

  test::TemporaryDirectory directory_;
  const std::string input_;
};

TEST_F(HostileNames, Fold) {
  EXPECT_EQ(run("fold", {}).out,
            shown_comm + R"(;[e\x1b]0:x)" + shown + "] 1\n" + shown_comm + R"(;f\x1b[1m\xc2\x9b 1)" + "\n");
}

TEST_F(HostileNames, FoldUnresolved) {
  EXPECT_THAT(run("fold", {"--unresolved"}).err, HasSubstr(R"(/opt/e\x1b]0;x)" + shown + "\n"));
}

TEST_F(HostileNames, FoldForFlamegraph) {
  EXPECT_THAT(run("fold", {"--compat", "flamegraph"}).out, HasSubstr(R"(;f\x1b[1m\xc2\x9b 1)"));
}

TEST_F(HostileNames, Flame) {
  for (const char* format : {"svg", "html"}) {
    const std::string out = run("flame", {"--format", format}).out;
    EXPECT_THAT(out, HasSubstr(R"(["f\\x1b[1m\\xc2\\x9b")"));
    EXPECT_THAT(out, HasSubstr(R"(>f\x1b[1m\xc2\x9b</text>)"));
  }
}

TEST_F(HostileNames, Script) {
  const std::string out = run("script", {"--header", "-I", "--show-task-events", "--show-mmap-events"}).out;
  EXPECT_THAT(out, HasSubstr("\n" + shown_comm + " "));
  EXPECT_THAT(out, HasSubstr(R"(# hostname : e\x1b]0;x)" + shown + "\n"));
  EXPECT_THAT(out, HasSubstr(R"(# cmdline : e\x1b]0;x)" + shown + " \n"));
  EXPECT_THAT(out, HasSubstr(R"(# event : name = e\x1b]0;x)" + shown + ", "));
  EXPECT_THAT(out, HasSubstr("PERF_RECORD_COMM: " + shown_comm + ":7/7\n"));
  EXPECT_THAT(out, HasSubstr(R"(]: x /opt/e\x1b]0;x)" + shown + "\n"));
}

TEST_F(HostileNames, ExportedTexts) {
  for (const std::string format : {"speedscope", "callgrind", "jsonl", "csv", "folded"}) {
    const Outcome outcome = run_command("export", {"--to", format, "--symfs", directory_.path() / "symfs", input_});
    expect_clean(outcome.out, format == "csv" ? "\r\n" : "\n");
    EXPECT_THAT(outcome.out, HasSubstr(R"(\x1b)")) << format;
  }
  EXPECT_THAT(run("export", {"--to", "folded"}).out, HasSubstr(shown_comm + ";"));
}

// Bytes that are not UTF-8, and U+202E, which reverses the rest of a line.
TEST_F(HostileNames, TablesAreText) {
  const std::string odd = directory_.write("odd.folded", "main\xff;\xe2\x80\xae;odd 3\n");
  for (const Outcome& outcome : {run_command("report", {"-q", odd}), run_command("report", {"-q", "--tree", odd}),
                                 run_command("diff", {"-q", odd, odd})}) {
    EXPECT_THAT(outcome.out, HasSubstr(R"(main\xff)"));
    EXPECT_THAT(outcome.out, HasSubstr(R"(\xe2\x80\xae)"));
  }
}

// Both formats are UTF-8. The byte before the end of the name begins a character whose other bytes are missing.
TEST_F(HostileNames, ExportedTextsAreUtf8) {
  const std::string odd = directory_.write("odd.folded", "main\xff;m\xc3\xbcll;f\xc3 3\n");
  for (const std::string format : {"csv", "callgrind", "jsonl"}) {
    const std::string out = run_command("export", {"--to", format, odd}).out;
    EXPECT_NO_THROW(static_cast<void>(nlohmann::json(out).dump())) << format;  // throws if the text is not UTF-8
    EXPECT_THAT(out, HasSubstr("m\xc3\xbcll")) << format;
    EXPECT_THAT(out, HasSubstr(R"(xff)")) << format;
  }
  EXPECT_EQ(run_command("export", {"--to", "folded", odd}).out, "main\xff;m\xc3\xbcll;f\xc3 3\n");
}

TEST_F(HostileNames, TablesForProgramsAreUtf8) {
  const std::string odd = directory_.write("odd.folded", "main\xff;m\xc3\xbcll;f\xc3 3\n");
  for (const Outcome& outcome : {run_command("report", {"--csv", odd}), run_command("report", {"--csv", "--tree", odd}),
                                 run_command("report", {"--json", odd}), run_command("diff", {"--csv", odd, odd})}) {
    EXPECT_NO_THROW(static_cast<void>(nlohmann::json(outcome.out).dump())) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("main"));
  }
  EXPECT_THAT(run_command("report", {"--csv", odd}).out, HasSubstr(R"(,f\xc3)"));
}

// The names of a profile are as hostile as those of a recording.
TEST_F(HostileNames, ExportedProfile) {
  const std::string profile = directory_.path() / "out.pb.gz";
  run("export", {"--to", "pprof", "-o", profile});
  const Outcome outcome = run_command("fold", {profile});
  EXPECT_THAT(outcome.out, HasSubstr(shown_comm + R"(;f\x1b[1m\xc2\x9b 1)"));
  expect_clean(outcome.out);
}

// Names are in comments and functions of a stored profile, and in its messages.
TEST_F(HostileNames, StoredRuns) {
  const std::string stored = directory_.path() / ("stored" + evil + ".pb.gz");
  run("merge", {"-o", stored});
  const Outcome outcome = run_command("fold", {stored});
  EXPECT_THAT(outcome.out, HasSubstr(R"(f\x1b[1m\xc2\x9b 1)"));
  expect_clean(outcome.out);
  run("merge", {stored, "-o", directory_.path() / "again.pb.gz"});
}

// The message contains the command, and the command's own output.
TEST_F(HostileNames, Bench) {
  const Outcome outcome = run_command("bench", {"-o", directory_.path() / "out.pb.gz", "--", evil});
  EXPECT_NE(outcome.status, done);
  expect_clean(outcome.out);
  expect_clean(outcome.err);
}

TEST_F(HostileNames, Info) {
  const std::string out = run("info", {"--processes", "--header", "--quality", "--events"}).out;
  EXPECT_THAT(out, HasSubstr(R"(hostname: e\x1b]0;x)" + shown));
  EXPECT_THAT(out, HasSubstr(shown_comm));
}

// Names are in the compressed data of the page. tests/browser/page.py tests the visible texts.
TEST_F(HostileNames, View) {
  const std::string page = directory_.path() / ("page" + evil);
  run("view", {"--save", page});
  std::ifstream in(page);
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(content, HasSubstr("<title>perf.data</title>"));
  for (const char c : content) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
}

TEST_F(HostileNames, EventsInMessages) {
  for (const std::string_view command : {"fold", "flame", "script"}) {
    const Outcome outcome = run(command, {"--event", "nothing"});
    EXPECT_EQ(outcome.status, wrong_usage);
    EXPECT_THAT(outcome.err, HasSubstr(R"(e\x1b]0;x)" + shown));
  }
}

TEST_F(HostileNames, FilesInMessages) {
  const std::string path = directory_.write(evil, Bytes(recording()));
  const std::string cut = directory_.write("cut" + evil, std::string_view("PERFILE2"));
  for (const std::string_view command : {"fold", "flame", "script", "info", "filter", "offcpu", "report", "view"}) {
    for (const std::string& file : {path, cut, path + "missing"}) {
      options::Arguments arguments{file};
      if (command == "view") arguments.insert(arguments.end(), {"--save", path + ".html"});
      if (command == "filter") arguments.insert(arguments.end(), {"-o", path + ".out"});
      const Outcome outcome = run_command(command, arguments);
      expect_clean(outcome.out, "\n\t");
      expect_clean(outcome.err);
    }
  }
  const Outcome written = run_command("filter", {path, "-o", path + ".out"});
  EXPECT_THAT(written.out, HasSubstr("x" + shown + ".out ("));
  expect_clean(run_command("fold", {path, "-o", path}).err);
  EXPECT_THAT(run_command("filter", {path, "--json", "--dry-run"}).out, HasSubstr(R"(]0;x\u0007\nFAKE)"));
}

TEST_F(HostileNames, Report) {
  EXPECT_THAT(run("report", {"--sort", "comm,symbol,dso"}).out, HasSubstr(shown_comm + "  [e"));
  EXPECT_THAT(run("report", {"--sort", "pid"}).out, HasSubstr("7:" + shown_comm));
  EXPECT_THAT(run("report", {"--tree"}).out, HasSubstr(R"(f\x1b[1m\xc2\x9b)"));
  EXPECT_THAT(run("report", {"--callers", R"(f\x1b[1m\xc2\x9b)"}).out,
              HasSubstr(R"(callers of f\x1b[1m\xc2\x9b of e)"));
  EXPECT_THAT(run("report", {"--annotate", R"(f\x1b[1m\xc2\x9b)"}).out, HasSubstr("code made at run time"));
  EXPECT_THAT(run("report", {"--callees", "\x1b[7m"}).err, HasSubstr(R"(--callees \x1b[7m: no stack)"));
  for (const char* format : {"--json", "--csv"}) {
    for (const char* view : {"--sort=comm,pid,symbol,dso", "--tree"}) {
      expect_clean(run_command("report", {format, view, "--symfs", directory_.path() / "symfs", input_}).out, "\r\n");
    }
  }
}

// A recording of memory accesses in the same program.
std::vector<std::byte> memory_recording() {
  RecordingBuilder in;
  in.event({.sample_type = bit::ip | bit::tid | bit::time | bit::addr, .flags = test::sample_id_all}, {1});
  in.comm_at(1, 7, evil_comm);
  in.record_at(2, RecordType::mmap, mapping(jitted, "//anon"), test::user_mode);
  in.record_at(3, RecordType::mmap, mapping(app, "/opt/" + evil), test::user_mode);
  for (const std::uint64_t ip : {jitted + 8, app + 8}) {
    in.record(RecordType::sample, in.bytes().u64(ip).u32(7).u32(7).u64(10).u64(app + 16), test::user_mode);
    in.record(RecordType::sample, in.bytes().u64(ip).u32(7).u32(8).u64(10).u64(app + 24), test::user_mode);
  }
  return in.file();
}

TEST_F(HostileNames, MemoryAccesses) {
  const std::string file = directory_.write("memory.data", Bytes(memory_recording()));
  const auto shown_of = [&](auto command, options::Arguments arguments) {
    arguments.insert(arguments.end(), {"--symfs", directory_.path() / "symfs", file});
    const Outcome outcome = run_command(command, arguments);
    expect_clean(outcome.out, "\r\n");
    expect_clean(outcome.err);
    return outcome.out;
  };
  EXPECT_THAT(shown_of("mem", {}), HasSubstr("  [e\\x1b]0;x" + shown + "]"));
  for (const options::Arguments& form : std::vector<options::Arguments>{
           {"--sort", "comm,symbol,dso,pid,variable,dso_daddr"}, {"--raw"}, {"--folded", "-"}, {"--raw", "--csv"}}) {
    EXPECT_THAT(shown_of("mem", form), HasSubstr(R"(\x1b)")) << form.back();
  }
  EXPECT_THAT(shown_of("mem", {"--json"}), HasSubstr(R"(\u001b)"));
  EXPECT_THAT(shown_of("mem", {"--raw", "--json"}), HasSubstr(R"(\u001b)"));
  EXPECT_THAT(shown_of("c2c", {}), HasSubstr("thread 7:" + shown_comm));
  EXPECT_THAT(shown_of("c2c", {"--json"}), HasSubstr(R"(\u001b)"));
  EXPECT_THAT(shown_of("c2c", {"--csv"}), HasSubstr("7:" + shown_comm));
}

TEST_F(HostileNames, Check) {
  for (const char* format : {"", "--json"}) {
    options::Arguments arguments{input_, "--undecided", "fail", "--min-samples", "1", "--allow", "unnamed"};
    if (*format != '\0') arguments.emplace_back(format);
    const std::string out = run("check", arguments).out;
    EXPECT_THAT(out, HasSubstr(*format == '\0' ? shown : R"(\\x07\\nFAKE)")) << out;
  }
}

TEST_F(HostileNames, CheckForCi) {
  const std::string budget =
      directory_.write("budget", std::string_view("total(=~ \"FAKE\") < 0.1%\nnever =~ \"FAKE\"\n"));
  const std::string to = directory_.path() / "out";
  for (const std::string& option : std::vector<std::string>{
           "--markdown=" + to, "--junit=" + to, "--sarif=" + to, "--annotations=github:" + to,
           "--annotations=azure:" + to, "--annotations=teamcity:" + to, "--annotations=gitlab:" + to}) {
    run("check",
        {input_, "--undecided", "fail", "--min-samples", "1", "--allow", "unnamed", "--budget", budget, option});
    const std::string out = test::content_of(to);
    EXPECT_THAT(out, HasSubstr("FAKE")) << option;
    expect_clean(out);
  }
}

TEST_F(HostileNames, Diff) {
  for (const char* view : {"--sort=comm,symbol,dso", "--folded", "--json", "--csv"}) {
    const Outcome outcome =
        run_command("diff", {view, "--symfs", directory_.path() / "symfs", "--before", input_, "--after", input_});
    EXPECT_EQ(outcome.status, done);
    EXPECT_THAT(outcome.out, HasSubstr("FAKE"));
    expect_clean(outcome.out, "\r\n");
    expect_clean(outcome.err);
  }
  expect_clean(run_command("diff", {input_, directory_.path() / evil}).err);
}

class HostileNamesOffCpu : public testing::Test {
 protected:
  Outcome run(const options::Arguments& arguments) {
    options::Arguments all = arguments;
    all.push_back(input_);
    Outcome outcome = run_command("offcpu", all);
    expect_clean(outcome.out);
    expect_clean(outcome.err);
    return outcome;
  }

  test::TemporaryDirectory directory_;
  const std::string input_ = test::SchedRecording()
                                 .comm_at(1, 7, evil_comm)
                                 .comm_at(2, 8, evil_comm)
                                 .switch_at(10'000'000, 7, test::S, 8)
                                 .waking_at(20'000'000, 8, 7)
                                 .switch_at(30'000'000, 8, test::S, 7)
                                 .write(directory_);
};

TEST_F(HostileNamesOffCpu, EveryOutput) {
  EXPECT_THAT(run({}).out, HasSubstr(shown_comm + "[7]"));
  EXPECT_THAT(run({"--csv", "-"}).out, HasSubstr("," + shown_comm + ","));
  EXPECT_THAT(run({"-o", "-", "--waker"}).out, HasSubstr(shown_comm + ";"));
  EXPECT_THAT(run({"--spikes-over", "1ms"}).out, HasSubstr(shown_comm + "[8]"));
  EXPECT_THAT(run({"--timehist"}).out, HasSubstr(R"(e\x1b[7m\nFAKE)"));
  run({"--live"});
}

// JSON escapes control characters by itself, and contains the recorded name.
TEST_F(HostileNamesOffCpu, Json) {
  EXPECT_THAT(run_command("offcpu", {"--json", input_}).out, HasSubstr(R"("e\u001b[7m\nFAKE)"));
}

TEST(HostileTexts, OfPerfScript) {
  test::TemporaryDirectory directory;
  const std::string text = "e\x1b[7m 7 1.000000: 1 cpu-clock: \n\t401000 f\x1b[1m\xc2\x9b+0x10 (/opt/a\x1b[m)\n\n";
  const std::string path = directory.write("script.txt", std::string_view(text));
  EXPECT_EQ(run_command("fold", {path}).out, R"(e\x1b[7m;f\x1b[1m\xc2\x9b 1)"
                                             "\n");
  EXPECT_EQ(run_command("fold", {path, "--compat", "flamegraph"}).out, R"(e\x1b[7m;f\x1b[1m\xc2\x9b 1)"
                                                                       "\n");
}

TEST(HostileTexts, Folded) {
  test::TemporaryDirectory directory;
  const std::string path = directory.write("folded", std::string_view("a;b\x1b[1m 3\nnothing\x1b[2J\n"));
  const Outcome outcome = run_command("fold", {path});
  EXPECT_EQ(outcome.out, R"(a;b\x1b[1m 3)"
                         "\n");
  EXPECT_THAT(outcome.err, HasSubstr(R"(nothing\x1b[2J)"));
  expect_clean(outcome.err);
}

TEST(HostileTexts, NamesOfPrograms) {
  test::TemporaryDirectory directory;
  std::vector<std::byte> elf = test::dwarf_program(5).elf();
  const std::string name = "innermost", evil_name = "in\x1b[31mst";
  std::string_view bytes(reinterpret_cast<const char*>(elf.data()), elf.size());
  for (std::size_t at = 0; (at = bytes.find(name, at)) != std::string_view::npos; ++at) {
    std::ranges::transform(evil_name, elf.begin() + static_cast<std::ptrdiff_t>(at),
                           [](char c) { return std::byte(c); });
  }
  const std::string program = directory.write("program", Bytes(elf));
  EXPECT_EQ(run_command("symbolize", {"-e", program, "-f", "1014", "--no-cache"}).out, R"(in\x1b[31mst)"
                                                                                       "\n/src/a.c:30\n");
}

TEST(HostileTexts, Expressions) {
  const Outcome outcome = run_command("explain", {"comm == \"a\x1b[1m\""});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr(R"(a\x1b[1m)"));
  expect_clean(outcome.out);
}

TEST(HostileTexts, Budgets) {
  test::TemporaryDirectory directory;
  const std::string budget = directory.write("a\x1b[1mb", std::string_view("self(\"a\x1b[1m\") < 3%\nlost \x1b[1m\n"));
  const Outcome wrong = run_command("explain", {"--budget", budget});
  EXPECT_EQ(wrong.status, wrong_usage);
  expect_clean(wrong.err);
  directory.write("a\x1b[1mb", std::string_view("self(\"a\x1b[1m\") < 3%\n"));
  const Outcome outcome = run_command("explain", {"--budget", budget});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr(R"(a\x1b[1m)"));
  expect_clean(outcome.out);
}

TEST(HostileTexts, NamesOfDlfilters) {
  test::TemporaryDirectory directory;
  directory.write("a\x1b[1m.so", std::string_view("no module"));
  const Outcome outcome = run_command("dlfilter", {"list", directory.path()});
  EXPECT_THAT(outcome.out, HasSubstr(R"(a\x1b[1m.so)"));
  expect_clean(outcome.out);
}

}  // namespace
}  // namespace perfsift::tools::hostile_names
