// The rows of a report, worked out by hand, and compared with sums over all stacks.

#include "analysis/report/report.h"

#include <map>
#include <random>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/table/table_builder.h"

namespace perfsift::analysis {
namespace {

using testing::ElementsAre;

// "a|b self total", with self and total as value/samples.
std::vector<std::string> lines(const ReportTable& table) {
  std::vector<std::string> lines;
  for (const ReportRow& row : table.rows) {
    lines.push_back(fmt::format("{} {}/{} {}/{}{}", fmt::join(row.cells, "|"), row.self.value, row.self.samples,
                                row.total.value, row.total.samples, row.inlined ? " inlined" : ""));
  }
  return lines;
}

class ReportRows : public ::testing::Test {
 protected:
  FrameId thread(std::string_view comm) { return profile_.frames().intern(comm, {.kind = FrameKind::thread}); }
  FrameId function(std::string_view name, std::string_view dso = "/bin/app", std::uint32_t line = 0) {
    FrameOrigin origin{.kind = FrameKind::user, .line = line};
    origin.binary = profile_.frames().binary({.path = std::string(dso), .build_id = {}});
    if (line != 0) origin.file = profile_.frames().file("/src/a.c");
    return profile_.frames().intern(name, origin);
  }
  FrameId inlined(std::string_view name) {
    return profile_.frames().intern(name, {.kind = FrameKind::user, .inlined = true});
  }
  // Adds a stack, and returns its number.
  std::uint32_t add(const std::vector<FrameId>& frames, std::uint64_t value, std::string_view event = "cycles") {
    list_.add(profile_.event(event), frames, {.samples = 1, .value = value});
    return static_cast<std::uint32_t>(list_.entries().size() - 1);
  }
  void row(std::uint32_t stack, std::uint64_t value, const SampleContext& context, std::int32_t cpu,
           std::uint64_t time = 0) {
    const SampleRow sample{.time = time, .value = value, .stack = stack, .context = rows_.context(context), .cpu = cpu};
    rows_.append({&sample, 1});
  }
  std::vector<std::string> rows(const Keys& keys, RowOrder order = RowOrder::self) {
    return lines(Report(profile_, nullptr, {.keys = keys, .order = order}).tables().front());
  }
  // The rows of the table. Nothing may be added later.
  std::vector<std::string> rows_of_table(const Keys& keys) {
    if (!table_) table_ = std::move(rows_).seal();
    return lines(Report(profile_, &*table_, {.keys = keys}).tables().front());
  }

  Profile profile_;
  StackList& list_ = profile_.new_list();
  TableBuilder rows_;
  std::optional<SampleTable> table_;
};

TEST_F(ReportRows, RecursionCountsOnce) {
  add({thread("app"), function("a"), function("b"), function("b")}, 5);
  add({thread("app"), function("a")}, 2);
  EXPECT_THAT(rows({Key::symbol}), ElementsAre("b 5/1 5/1", "a 2/1 7/2"));
  EXPECT_THAT(rows({Key::symbol}, RowOrder::total), ElementsAre("a 2/1 7/2", "b 5/1 5/1"));
}

TEST_F(ReportRows, LinesOfAFunctionAreOneRowUnlessAskedFor) {
  add({function("a", "/bin/app", 3), function("b", "/bin/app", 8)}, 5);
  add({function("a", "/bin/app", 4), function("b", "/bin/app", 9)}, 1);
  EXPECT_THAT(rows({Key::symbol, Key::dso}), ElementsAre("b|app 6/2 6/2", "a|app 0/0 6/2"));
  EXPECT_THAT(rows({Key::srcline}),
              ElementsAre("/src/a.c:8 5/1 5/1", "/src/a.c:9 1/1 1/1", "/src/a.c:3 0/0 5/1", "/src/a.c:4 0/0 1/1"));
  EXPECT_THAT(rows({Key::srcfile}), ElementsAre("/src/a.c 6/2 6/2"));
}

TEST_F(ReportRows, AFunctionOfAnotherThreadIsAnotherRow) {
  add({thread("x"), function("a")}, 5);
  add({thread("y"), function("a")}, 3);
  EXPECT_THAT(rows({Key::comm, Key::symbol}), ElementsAre("x|a 5/1 5/1", "y|a 3/1 3/1"));
  EXPECT_THAT(rows({Key::dso}), ElementsAre("app 8/2 8/2"));
  EXPECT_THAT(rows({Key::comm}), ElementsAre("x 5/1 5/1", "y 3/1 3/1"));
}

TEST_F(ReportRows, SamplesWithoutAFunctionHaveARow) {
  add({thread("x")}, 5);
  add({thread("x"), function("a")}, 3);
  list_.add_frameless({.samples = 2, .value = 9});
  EXPECT_THAT(rows({Key::symbol, Key::dso}), ElementsAre("[no stack]|[unknown] 14/3 14/3", "a|app 3/1 3/1"));
  EXPECT_THAT(rows({Key::comm}), ElementsAre("[unknown] 9/2 9/2", "x 8/2 8/2"));
}

TEST_F(ReportRows, InlinedMeansInlinedInAllSamples) {
  add({function("a"), inlined("b")}, 3);
  add({function("a"), inlined("c")}, 2);
  add({function("a"), function("c")}, 2);
  EXPECT_THAT(rows({Key::symbol}), ElementsAre("c 4/2 4/2", "b 3/1 3/1 inlined", "a 0/0 7/3"));
}

TEST_F(ReportRows, EventsAreTablesInTheOrderOfTheirNames) {
  add({function("a")}, 3, "page-faults");
  add({function("a")}, 2, "cycles");
  const Report report(profile_, nullptr, {.keys = {Key::event, Key::symbol}});
  ASSERT_EQ(report.tables().size(), 2u);
  EXPECT_THAT(lines(report.tables()[0]), ElementsAre("cycles|a 2/1 2/1"));
  EXPECT_THAT(lines(report.tables()[1]), ElementsAre("page-faults|a 3/1 3/1"));
  EXPECT_EQ(report.tables()[1].event_name, "page-faults");
  EXPECT_EQ(report.tables()[1].all, (Amount{.samples = 1, .value = 3}));
}

TEST_F(ReportRows, TheTableHasThreadsAndCpus) {
  const std::uint32_t a = add({thread("x"), function("a")}, 0), b = add({thread("x"), function("b")}, 0);
  row(a, 1, {.pid = 7, .tid = 8, .comm = "x"}, 0);
  row(a, 2, {.pid = 7, .tid = 9, .comm = "x"}, 1);
  row(b, 4, {.pid = 7, .tid = 9, .comm = "x"}, 1);
  row(SampleRow::no_stack, 8, {.pid = 7, .tid = 9, .comm = "x", .cgroup = "/g"}, -1);
  EXPECT_THAT(rows_of_table({Key::pid}), ElementsAre("9:x 14/3 14/3", "8:x 1/1 1/1"));
  EXPECT_THAT(rows_of_table({Key::tgid}), ElementsAre("7:x 15/4 15/4"));
  EXPECT_THAT(rows_of_table({Key::cpu}), ElementsAre("[unknown] 8/1 8/1", "1 6/2 6/2", "0 1/1 1/1"));
  EXPECT_THAT(rows_of_table({Key::cpu, Key::symbol}),
              ElementsAre("[unknown]|[no stack] 8/1 8/1", "1|b 4/1 4/1", "1|a 2/1 2/1", "0|a 1/1 1/1"));
  EXPECT_THAT(rows_of_table({Key::cgroup}), ElementsAre("/g 8/1 8/1", "[unknown] 7/3 7/3"));
}

TEST_F(ReportRows, AProcessHasTheNameThatTheTableGives) {
  row(add({function("a")}, 0), 1, {.pid = 7, .tid = 8, .comm = "x"}, 0);
  rows_.name_process(7, "leader");
  EXPECT_THAT(rows_of_table({Key::tgid}), ElementsAre("7:leader 1/1 1/1"));
}

TEST_F(ReportRows, SumsWithoutAContextAreOfTheThreadOfTheirStack) {
  const std::uint32_t a = add({thread("x"), function("a")}, 0);
  row(a, 1, {.pid = 7, .tid = 8, .comm = "y"}, 3);
  rows_.append({.amount = {.samples = 2, .value = 6}, .stack = a, .event = profile_.event("cycles")});
  EXPECT_THAT(rows_of_table({Key::comm}), ElementsAre("x 6/2 6/2", "y 1/1 1/1"));
  EXPECT_THAT(rows_of_table({Key::cpu}), ElementsAre("[unknown] 6/2 6/2", "3 1/1 1/1"));
}

TEST_F(ReportRows, TheTableHasTimes) {
  const std::uint32_t a = add({function("a")}, 0);
  row(a, 1, {}, 0, 199'999'999);
  row(a, 2, {}, 0, 200'000'000);
  row(a, 4, {}, 0, 299'999'999);
  row(a, 8, {}, 0, reader::no_time);
  EXPECT_THAT(rows_of_table({Key::time}), ElementsAre("[unknown] 8/1 8/1", "0.200000 6/2 6/2", "0.100000 1/1 1/1"));
}

// A second way to the same amounts: the set of functions of each stack.
TEST_F(ReportRows, RandomStacksAddUp) {
  std::mt19937 random(7);
  std::map<std::string, Amount> self, total;
  Amount all;
  for (int i = 0; i < 2000; ++i) {
    std::vector<FrameId> frames{thread("app")};
    std::set<std::string> names;
    std::string name;
    for (std::size_t depth = 1 + random() % 6; depth != 0; --depth) {
      name = std::string(1, static_cast<char>('a' + random() % 5));
      names.insert(name);
      frames.push_back(function(name, "/bin/app", 1 + random() % 3));
    }
    const Amount amount{.samples = 1, .value = random() % 100};
    add(frames, amount.value);
    self[name] += amount;
    for (const std::string& each : names) total[each] += amount;
    all += amount;
  }
  const Report report(profile_, nullptr, {.keys = {Key::symbol}});
  const ReportTable& table = report.tables().front();
  ASSERT_EQ(table.rows.size(), total.size());
  EXPECT_EQ(table.all, all);
  Amount sum;
  for (const ReportRow& row : table.rows) {
    EXPECT_EQ(row.self, self[std::string(row.cells.front())]);
    EXPECT_EQ(row.total, total[std::string(row.cells.front())]);
    sum += row.self;
  }
  EXPECT_EQ(sum, all);
}

}  // namespace
}  // namespace perfsift::analysis
