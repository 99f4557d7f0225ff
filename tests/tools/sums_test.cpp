// The contents of every view add up to the recording: to the numbers of samples and their periods, read from the
// samples themselves. tests/consumers compares exports with the sums of perf.

#include <array>
#include <deque>
#include <future>
#include <map>
#include <optional>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "analysis/annotation/annotation.h"
#include "analysis/report/focus.h"
#include "analysis/report/report.h"
#include "reader/recording.h"
#include "tests/support/full_recording.h"
#include "tests/support/paths.h"
#include "tests/support/sched_recording.h"
#include "tests/support/temporary.h"
#include "tests/support/unpacked.h"
#include "tests/tools/run_command.h"
#include "tools/page/page_reading.h"
#include "tools/view/live_view.h"

namespace perfsift::tools::sums {  // a unity build compiles other tests in the same file
namespace {

using analysis::Amount;
using analysis::Key;
using Json = nlohmann::json;
using Sums = std::map<std::string, Amount>;  // by event

// The samples of a recording. Samples without a period count as their event's period, or as 1.
class Counter : public reader::SampleVisitor {
 public:
  explicit Counter(Sums& sums) : sums_(sums) {}
  void sample(const reader::Sample& sample) override {
    sums_[sample.event->name] += {.samples = 1, .value = sample.period != 0 ? sample.period : 1};
  }

 private:
  Sums& sums_;
};

Sums sums_of(const std::string& path) {
  Sums sums;
  reader::Recording::open(path)->visit_parallel(1, [&](unsigned) { return std::make_unique<Counter>(sums); });
  return sums;
}

Amount total_of(const Sums& sums) {
  Amount total;
  for (const auto& [event, amount] : sums) total += amount;
  return total;
}

Amount amount_of(const Json& json) { return {.samples = json["samples"], .value = json["value"]}; }

Sums sums_of_stacks(const analysis::Profile& profile) {
  Sums sums;
  for (const analysis::StackList& list : profile.lists()) {
    for (const auto& entry : list.entries())
      sums[profile.events()[profile.callers(entry.callers).event]] += entry.amount;
  }
  return sums;
}

// --- the contents of pictures and pages ---

// The numbers of a picture, as output/flame/web/tree.js reads them.
class PictureNumbers {
 public:
  explicit PictureNumbers(std::string text) : text_(std::move(text)) {}
  std::uint64_t next() {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 5) {
      const std::uint64_t digit = digits.find(text_.at(at_++));
      number |= (digit & 31) << shift;
      if (digit < 32) return number;
    }
  }
  Amount next_amount() {
    const std::uint64_t number = next();
    return {.samples = number / 2, .value = number % 2 == 1 ? next() : number / 2};
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

struct PictureSums {
  Amount all, before;
};

PictureSums sums_of_picture(const std::string& picture) {
  const std::string begin = "class=\"perfsift-data\">";
  const std::size_t from = picture.find(begin) + begin.size();
  const Json data = Json::parse(picture.substr(from, picture.find("</script>", from) - from));
  PictureNumbers numbers(data["nodes"].get<std::string>());
  PictureSums sums;
  for (int node = 0; node < data["count"].get<int>(); ++node) {
    numbers.next();  // the depth
    numbers.next();  // the frame
    sums.all += numbers.next_amount();
    if (!data.contains("difference")) continue;
    sums.before += numbers.next_amount();
    numbers.next();  // the colour
  }
  return sums;
}

std::string from_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned word = 0;
  int bits = 0;
  for (const char digit : text.substr(0, text.find('='))) {
    word = word << 6 | static_cast<unsigned>(digits.find(digit));
    if ((bits += 6) < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(word >> bits));
  }
  return bytes;
}

// The data of a page, as output/page/web/columns.js and selection.js read them.
class PageSums {
 public:
  explicit PageSums(std::string data) : data_(std::move(data)) {
    std::size_t size = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
      size |= std::size_t{static_cast<unsigned char>(data_.at(byte))} << (8 * byte);
    description_ = Json::parse(data_.substr(4, size));
    data_.erase(0, 4 + size);
  }
  // bits: the rows that count, the lowest first. Empty: all rows.
  Sums sums(std::size_t number = 0, std::string_view bits = {}) const {
    const Json& recording = description_["recordings"][number];
    const auto events = column(recording["rows"]["event"]), values = column(recording["rows"]["value"]);
    Sums sums;
    for (std::size_t row = 0; row < events.size(); ++row) {
      const bool counts = bits.empty() || (static_cast<unsigned char>(bits[row / 8]) >> row % 8 & 1) != 0;
      if (counts) sums[event(events[row])] += {.samples = 1, .value = values[row]};
    }
    const Json& rest = recording["rest"];
    const auto rest_events = column(rest["event"]), samples = column(rest["samples"]),
               rest_values = column(rest["value"]);
    for (std::size_t i = 0; i < samples.size(); ++i)
      sums[event(rest_events[i])] += {.samples = samples[i], .value = rest_values[i]};
    return sums;
  }
  std::size_t recordings() const { return description_["recordings"].size(); }

 private:
  std::string event(std::uint64_t number) const { return description_["events"][number]; }
  std::vector<std::uint64_t> column(const Json& column) const {
    const std::size_t count = column["count"];
    std::vector<std::uint64_t> numbers(count, column.value("all", std::uint64_t{0}));
    for (unsigned plane = 0; plane < column.value("planes", 0U); ++plane) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto byte = static_cast<unsigned char>(data_.at(column["at"].get<std::size_t>() + plane * count + i));
        numbers[i] |= std::uint64_t{byte} << (8 * plane);
      }
    }
    if (column.contains("large")) {
      const std::vector<std::uint64_t> number = this->column(column["large"]["number"]);
      std::uint32_t at = 0;
      std::size_t i = 0;
      for (const std::uint64_t difference : this->column(column["large"]["place"]))
        numbers[at += static_cast<std::uint32_t>(difference)] = number[i++];
    }
    return numbers;
  }

  std::string data_;
  Json description_;
};

PageSums sums_of_page(const std::string& page) {
  const std::string begin = "<script type=\"text/plain\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return PageSums(test::unpacked(from_base64(std::string_view(page).substr(from, page.find('<', from) - from))));
}

// --- the recordings ---

class SumsOfViews : public testing::Test {
 protected:
  SumsOfViews() {
    add("counters", test::recording_of_counters().file());
    add("compressed", test::compressed_recording().file());
    add("full.swapped", test::full_recording(ByteOrder::swapped).file());
  }
  void add(const std::string& name, Bytes content) { recordings_.push_back(directory_.write(name + ".data", content)); }

  std::string out(std::string_view command, options::Arguments arguments) {
    arguments.insert(arguments.end(), {"--quiet", "--no-cache"});
    const Outcome outcome = run_command(command, arguments);
    EXPECT_EQ(outcome.status, done) << outcome.err;
    return outcome.out;
  }
  Json json(std::string_view command, options::Arguments arguments) {
    arguments.emplace_back("--json");
    return Json::parse(out(command, std::move(arguments)));
  }
  analysis::Profile& profile_of(const std::string& recording, const analysis::StackOptions& stacks) {
    symbolize::Symbolizer symbolizer;
    const analysis::EventSelection all({});
    Progress none(true);
    analysis::Profile& profile = profiles_.emplace_back();
    read_into_profile(recording, profile, {symbolizer, stacks, all, filter::Filter(), 1, none});
    return profile;
  }
  std::string file(const std::string& name) { return directory_.path() / name; }

  test::TemporaryDirectory directory_;
  std::deque<analysis::Profile> profiles_;
  std::vector<std::string> recordings_{test::source_path("testdata/demo.data"),
                                       test::source_path("testdata/oracle/mixed.data")};
};

TEST_F(SumsOfViews, FlameGraphs) {
  for (const std::string& recording : recordings_) {
    const Amount all = total_of(sums_of(recording));
    for (const std::string format : {"svg", "html"}) {
      const Amount shown = sums_of_picture(out("flame", {"-e", "*", "--format", format, recording})).all;
      EXPECT_EQ(shown, all) << recording << ' ' << format;
    }
    EXPECT_EQ(sums_of_picture(out("flame", {"-e", "*", "--reverse", recording})).all, all) << recording;
    EXPECT_EQ(sums_of_picture(out("flame", {"-e", "*", "--weight", "samples", recording})).all.value, all.samples)
        << recording;
  }
}

TEST_F(SumsOfViews, Tables) {
  for (const std::string& recording : recordings_) {
    const Sums all = sums_of(recording);
    for (const std::string keys : {"symbol,dso", "comm", "pid,cpu", "srcline", "time"}) {
      Sums titles, rows;
      const Json table = json("report", {"--sort", keys, recording});
      for (const Json& event : table["events"]) {
        titles[event["event"]] = amount_of(event);
        for (const Json& row : event["rows"]) rows[event["event"]] += amount_of(row["self"]);
      }
      EXPECT_EQ(titles, all) << recording << ' ' << keys;
      EXPECT_EQ(rows, all) << recording << ' ' << keys;
    }
  }
}

TEST_F(SumsOfViews, Trees) {
  for (const std::string& recording : recordings_) {
    const Sums all = sums_of(recording);
    for (const bool reversed : {false, true}) {
      options::Arguments arguments{"--tree", "--min-percent", "0", recording};
      if (reversed) arguments.emplace_back("--reversed");
      Sums titles, roots;
      const Json tree = json("report", arguments);
      for (const Json& event : tree["views"][0]["events"]) {
        titles[event["event"]] = amount_of(event);
        for (const Json& node : event["nodes"]) {
          if (node["parent"].is_null()) roots[event["event"]] += amount_of(node["total"]);
        }
      }
      EXPECT_EQ(titles, all) << recording;
      EXPECT_EQ(roots, all) << recording;
    }
  }
}

// The samples of all functions, added up, are all samples.
TEST_F(SumsOfViews, CallersAndLinesOfFunctions) {
  for (const std::string& recording : recordings_) {
    analysis::StackOptions stacks;
    stacks.frames.detail = analysis::FrameDetail::address;
    const analysis::Profile& profile = profile_of(recording, stacks);
    Sums lines;
    const analysis::Report functions(profile, nullptr, {.keys = {Key::symbol}});
    for (const analysis::ReportTable& table : functions.tables()) {
      for (const analysis::ReportRow& row : table.rows) {
        const std::string function(row.cells.front());
        if (function == analysis::Report::no_stack) {
          lines[std::string(table.event_name)] += row.self;
          continue;
        }
        for (const analysis::Annotation& annotation : analysis::annotate(profile, function)) {
          if (annotation.event != table.event_name) continue;
          Amount own;
          for (const analysis::AnnotatedLine& line : annotation.lines) own += line.inlined ? Amount() : line.amount;
          EXPECT_EQ(own, row.self) << recording << ' ' << function;
          lines[std::string(table.event_name)] += own;
        }
        analysis::Profile callers;
        analysis::focus(profile, function, analysis::FocusSide::callers, callers);
        EXPECT_EQ(sums_of_stacks(callers)[std::string(table.event_name)], row.total) << recording << ' ' << function;
      }
    }
    EXPECT_EQ(lines, sums_of(recording)) << recording;
  }
}

TEST_F(SumsOfViews, Pages) {
  for (const std::string& recording : recordings_) {
    const Sums all = sums_of(recording);
    out("report", {"--html", file("page.html"), recording});
    const std::string page = test::content_of(file("page.html"));
    EXPECT_EQ(sums_of_page(page).sums(), all) << recording;
    out("report", {"--html", file("page.html"), "-j1", recording, recordings_[0]});
    const PageSums two = sums_of_page(test::content_of(file("page.html")));
    ASSERT_EQ(two.recordings(), 2U);
    EXPECT_EQ(two.sums(0), all) << recording;
    EXPECT_EQ(two.sums(1), sums_of(recordings_[0]));
  }
}

// A page of stacks that are cut to the kernel's part has the same samples as the folded stacks.
TEST_F(SumsOfViews, PagesOfPartsOfStacks) {
  for (const std::string& recording : recordings_) {
    for (const std::string part : {"--kernel-only", "--user-only"}) {
      const std::string folded = out("fold", {"-e", "*", "--weight", "samples", part, recording});
      std::istringstream lines(folded);
      std::uint64_t samples = 0;
      for (std::string line; std::getline(lines, line);) samples += std::stoull(line.substr(line.rfind(' ')));
      if (samples == 0) {
        EXPECT_EQ(run_command("report", {"--html", file("none.html"), part, recording}).status, check_failed);
        continue;
      }
      out("report", {"--html", file("page.html"), part, recording});
      const Amount shown = total_of(sums_of_page(test::content_of(file("page.html"))).sums());
      EXPECT_EQ(shown.samples, samples) << recording << ' ' << part;
    }
  }
}

TEST_F(SumsOfViews, BothSidesOfDifferences) {
  const std::string after = recordings_[0];
  const Sums all = sums_of(after);
  for (const std::string expression : {"pid >= 0", "cpumode == user"}) {
    out("filter", {after, "--filter", expression, "-o", file("before.data")});
    const Sums before = sums_of(file("before.data"));
    Sums sides[2], rows[2];
    const Json changes = json("diff", {file("before.data"), after});
    for (const Json& event : changes["events"]) {
      const std::string name = event["event"];
      sides[0][name] = amount_of(event["before"]), sides[1][name] = amount_of(event["after"]);
      for (const Json& row : event["rows"])
        rows[0][name] += amount_of(row["self"]["before"]), rows[1][name] += amount_of(row["self"]["after"]);
    }
    EXPECT_THAT(sides, testing::ElementsAre(before, all));
    EXPECT_THAT(rows, testing::ElementsAre(before, all));
    out("diff", {file("before.data"), after, "-o", file("diff.svg")});
    const PictureSums picture = sums_of_picture(test::content_of(file("diff.svg")));
    EXPECT_EQ(picture.before, total_of(before));
    EXPECT_EQ(picture.all, total_of(all));
    std::istringstream folded(out("diff", {"--folded", "--absolute", file("before.data"), after}));
    std::array<std::uint64_t, 2> of_lines{};
    for (std::string line; std::getline(folded, line);) {
      const std::size_t last = line.rfind(' '), first = line.rfind(' ', last - 1);
      of_lines[0] += std::stoull(line.substr(first)), of_lines[1] += std::stoull(line.substr(last));
    }
    EXPECT_EQ(of_lines[0], total_of(before).value);
    EXPECT_EQ(of_lines[1], total_of(all).value);
  }
}

// The requests that the page of `perfsift view` sends to its server.
class Server {
 public:
  explicit Server(const std::string& recording) {
    options::po::options_description description("Options");
    inputs_.add_to(description);
    options::parse({recording, "--quiet", "--no-cache"}, "", description, ReadingOptions::positional);
    inputs_.prepare();
    reading_.emplace(inputs_, stacks_, "");
    live_.emplace(access_, Viewed{.inputs = inputs_, .reading = *reading_, .stacks = stacks_});
  }
  std::string answer(const std::string& name, const std::map<std::string, std::string>& query = {}) {
    const std::string link = access_.link();
    std::promise<tools::HttpResponse> response;
    live_->answer({.method = "GET",
                   .path = link.substr(link.find('/', std::string("http://").size())) + name,
                   .query = query,
                   .host = "localhost:1",
                   .origin = {},
                   .fetch_site = {},
                   .gone = std::make_shared<analysis::StopFlag>()},
                  [&](tools::HttpResponse got) { response.set_value(std::move(got)); });
    const tools::HttpResponse got = response.get_future().get();
    EXPECT_EQ(got.status, 200U) << name << ": " << got.body;
    return got.body;
  }

 private:
  ProfileCommand inputs_;
  const analysis::StackOptions stacks_;
  const Access access_{1};
  std::optional<PageReading> reading_;
  std::optional<LiveView> live_;
};

TEST_F(SumsOfViews, AnswersOfTheServer) {
  for (const std::string& recording : recordings_) {
    Server server(recording);
    const PageSums page(server.answer("data"));
    EXPECT_EQ(page.sums(), sums_of(recording)) << recording;
    for (const std::string expression : {"pid >= 0", "cpumode == user", "period > 1"}) {
      out("filter", {recording, "--filter", expression, "-o", file("kept.data")});
      const Sums kept = sums_of(file("kept.data"));
      const std::string bits = server.answer("rows", {{"filter", expression}}).substr(4);
      EXPECT_EQ(page.sums(0, bits), kept) << recording << ' ' << expression;
      if (kept.empty()) continue;
      const auto saved = [&](const std::string& format) {
        return server.answer("save", {{"as", format}, {"recording", "0"}, {"filter", expression}, {"unit", "periods"}});
      };
      EXPECT_EQ(sums_of(directory_.write("saved.data", saved("data"))), kept) << recording << ' ' << expression;
      EXPECT_EQ(sums_of_picture(saved("svg")).all, total_of(kept)) << recording << ' ' << expression;
      const std::string pprof = directory_.write("saved.pb.gz", saved("pprof"));
      EXPECT_EQ(total_of(sums_of_stacks(profile_of(pprof, {}))), total_of(kept)) << recording << ' ' << expression;
    }
  }
}

// Thread 7 is off its CPU from 1 to 4 µs, thread 8 from 4 to 9 µs.
TEST_F(SumsOfViews, IntervalsThatAFilterKeeps) {
  test::SchedRecording in;
  in.switch_at(1000, 7, test::S, 8).waking_at(3000, 8, 7).switch_at(4000, 8, test::S, 7);
  in.waking_at(5000, 7, 8).switch_at(9000, 7, test::S, 8);
  Server server(in.write(directory_));
  const std::string one_byte("\1\0\0\0", 4);
  // In the order of their ends: 8 until 1000, 7 until 4000, 8 until 9000, 7 from 9000. The first and the last interval
  // are cut.
  EXPECT_EQ(server.answer("waits", {{"filter", "tid > 0"}}), one_byte + '\xf');
  EXPECT_EQ(server.answer("waits", {{"filter", "tid == 8"}}), one_byte + '\5');
  EXPECT_EQ(server.answer("waits", {{"filter", "blocked > 1500ns"}}), one_byte + '\2');
}

}  // namespace
}  // namespace perfsift::tools::sums
