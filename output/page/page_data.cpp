#include "output/page/page_data.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/printable_utf8.h"
#include "base/shell_word.h"

namespace perfsift::output {
namespace {

using analysis::Amount;
using analysis::CallTree;
using analysis::EventId;
using analysis::FrameId;
using analysis::FrameOrigin;
using analysis::FrameTable;
using analysis::LeafId;
using analysis::Profile;

using Column = UnsetVector<std::uint32_t>;
using LongColumn = LargeVector<std::uint64_t>;

// Names are shown as text, and their control characters are escaped as in all outputs.
Json texts(const std::vector<std::string_view>& names) {
  Json result = Json::array();
  for (const std::string_view name : names) result.push_back(printable_utf8(name));
  return result;
}

Json shell_words(const std::vector<std::string>& words) {
  Json result = Json::array();
  for (const std::string& word : words) result.push_back(shell_word(word));
  return result;
}

// Numbers texts in the order of their first use.
class Texts {
 public:
  std::uint32_t number(std::string_view text) {
    const auto [known, is_new] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return known->second;
  }
  Json json() const { return texts(texts_); }

 private:
  std::vector<std::string_view> texts_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

std::string_view name_of(analysis::FrameKind kind) {
  switch (kind) {
    case analysis::FrameKind::event:
      return "event";
    case analysis::FrameKind::cgroup:
      return "cgroup";
    case analysis::FrameKind::thread:
      return "thread";
    case analysis::FrameKind::user:
      return "user";
    case analysis::FrameKind::kernel:
      return "kernel";
    case analysis::FrameKind::jit:
      return "jit";
    default:
      return "other";
  }
}

class PageDataWriter {
 public:
  PageDataWriter(const PageContents& contents, Columns& columns)
      : contents_(contents),
        tree_(contents.leaves.tree()),
        profile_(tree_.profile()),
        frames_(profile_.frames()),
        columns_(columns) {}

  // Adds the columns, and returns their description.
  Json write();

 private:
  void describe_page();
  void add_nodes();
  void add_leaves();
  void add_recordings();
  Json rows(const analysis::SampleIndex& samples, std::uint64_t unit);
  Json rest(const analysis::SampleIndex& samples);
  static Json threads(const analysis::SampleIndex& samples);
  static Json gaps(const PageRecording& recording, std::uint64_t unit);
  void add_waits(const PageRecording& recording, std::uint64_t unit, Json& to);

  const PageContents& contents_;
  const CallTree& tree_;
  const Profile& profile_;
  const FrameTable& frames_;
  Texts names_, binaries_, files_;
  Columns& columns_;
  Json page_;
};

Json PageDataWriter::write() {
  describe_page();
  add_nodes();
  add_leaves();
  add_recordings();
  page_["names"] = names_.json();
  page_["binaries"] = binaries_.json();
  page_["files"] = files_.json();
  return std::move(page_);
}

void PageDataWriter::describe_page() {
  page_["title"] = printable_utf8(contents_.title);
  page_["command"] = printable_utf8(contents_.command);
  page_["shellNaming"] = shell_words(contents_.naming);
  page_["version"] = contents_.version;
  page_["periods"] = contents_.periods;
  page_["events"] = texts({profile_.events().begin(), profile_.events().end()});
}

// Frames are numbered in the order of their first nodes.
void PageDataWriter::add_nodes() {
  constexpr std::uint32_t unknown = ~std::uint32_t{0};
  Column frame_of_node(tree_.size() - 1), depths(tree_.size() - 1), names, kinds, binaries;
  std::vector<std::uint32_t> numbers(frames_.size(), unknown);
  Texts kinds_known;
  for (CallTree::Node node = 1; node < tree_.size(); ++node) {
    const FrameId frame = tree_.frame(node);
    if (numbers[frame] == unknown) {
      numbers[frame] = static_cast<std::uint32_t>(names.size());
      const FrameOrigin& origin = frames_.origin(frame);
      names.push_back(names_.number(frames_.text(frame)));
      binaries.push_back(binaries_.number(frames_.binary_of(frame)));
      kinds.push_back(kinds_known.number(name_of(origin.kind)) * 2 + (origin.inlined ? 1 : 0));
    }
    frame_of_node[node - 1] = numbers[frame];
    depths[node - 1] = tree_.depth(node);
  }
  page_["frames"] = {{"name", columns_.add(names)}, {"binary", columns_.add(binaries)}, {"kind", columns_.add(kinds)}};
  page_["kinds"] = kinds_known.json();
  page_["nodes"] = {{"frame", columns_.add(frame_of_node)}, {"depth", columns_.add(depths)}};
}

void PageDataWriter::add_leaves() {
  const std::uint32_t size = contents_.leaves.size();
  Column nodes(size), files(size), lines(size);
  constexpr std::uint32_t unknown = ~std::uint32_t{0};
  std::vector<std::uint32_t> numbers(frames_.files().size() + 1, unknown);  // by file; the last number: no file
  for (LeafId leaf = 0; leaf < size; ++leaf) {
    const analysis::Leaf& place = contents_.leaves[leaf];
    const FrameOrigin origin = place.frame != analysis::Leaf::no_frame ? frames_.origin(place.frame) : FrameOrigin();
    const bool has_file = origin.file != FrameOrigin::none;
    std::uint32_t& file = numbers[has_file ? origin.file : numbers.size() - 1];
    if (file == unknown) file = files_.number(has_file ? frames_.files()[origin.file] : std::string_view());
    nodes[leaf] = place.node;
    files[leaf] = file;
    lines[leaf] = origin.line;
  }
  page_["leaves"] = {
      {"node", columns_.add_differences(nodes)}, {"file", columns_.add(files)}, {"line", columns_.add(lines)}};
}

// The unit of times: the smallest power of ten of nanoseconds with which the duration is at most 2^26 units. This is
// finer than a screen can show, and the time between two samples of a thread mostly fits into a byte.
std::uint64_t time_unit(const analysis::SampleIndex& samples) {
  constexpr std::uint64_t most = (std::uint64_t{1} << 26) - 1;
  std::uint64_t unit = 1;
  while ((samples.last_time() - samples.first_time()) / unit > most) unit *= 10;
  return unit;
}

void PageDataWriter::add_recordings() {
  page_["recordings"] = Json::array();
  for (const PageRecording& recording : contents_.recordings) {
    const analysis::SampleIndex& samples = recording.samples;
    const std::uint64_t unit = time_unit(samples);
    Json facts = Json::array();
    for (const auto& [label, text] : recording.facts) facts.push_back({label, printable_utf8(text)});
    Json quality = Json::array();
    for (const std::string& sentence : recording.quality) quality.push_back(printable_utf8(sentence));
    page_["recordings"].push_back({{"name", printable_utf8(recording.name)},
                                   {"facts", std::move(facts)},
                                   {"quality", std::move(quality)},
                                   {"first", std::to_string(samples.first_time())},
                                   {"isReread", recording.is_reread},
                                   {"shellPath", shell_path(recording.name)},
                                   {"shellFilters", shell_words(recording.kept_by)},
                                   {"unit", unit},
                                   {"duration", (samples.last_time() - samples.first_time()) / unit},
                                   {"cpus", samples.cpus()},
                                   {"cgroups", texts({samples.cgroups().begin(), samples.cgroups().end()})},
                                   {"threads", threads(samples)},
                                   {"rows", rows(samples, unit)},
                                   {"rest", rest(samples)},
                                   {"gaps", gaps(recording, unit)}});
    if (recording.waits) add_waits(recording, unit, page_["recordings"].back());
  }
}

Json PageDataWriter::threads(const analysis::SampleIndex& samples) {
  Json result = Json::array();
  for (const analysis::SampleIndex::Thread& thread : samples.threads()) {
    result.push_back({thread.pid, thread.tid, printable_utf8(thread.comm), thread.begin, thread.timed_end, thread.end});
  }
  return result;
}

Json PageDataWriter::rows(const analysis::SampleIndex& samples, std::uint64_t unit) {
  constexpr GzipContent noise = GzipContent::noise;
  const std::uint32_t size = samples.size();
  const auto times = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t* to) {
    for (std::uint32_t row = begin; row < end; ++row) {
      const std::uint64_t time = samples.time(row);
      const bool known = time != reader::no_time;
      *to++ = known ? static_cast<std::uint32_t>((time - samples.first_time()) / unit) : ~std::uint32_t{0};
    }
  };
  const auto leaves = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t* to) {
    for (std::uint32_t row = begin; row < end; ++row) *to++ = samples.leaf(row);
  };
  const auto cpus = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t* to) {
    const std::vector<std::int32_t>& all = samples.cpus();
    std::uint32_t number = 0;
    for (std::uint32_t row = begin; row < end; ++row) {
      const std::int32_t cpu = samples[row].cpu;
      if (all[number] != cpu) number = static_cast<std::uint32_t>(std::ranges::lower_bound(all, cpu) - all.begin());
      *to++ = number;
    }
  };
  const auto cgroups = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t* to) {
    for (std::uint32_t row = begin; row < end; ++row) *to++ = samples.cgroup_of(samples[row].context);
  };
  const auto events = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t* to) {
    for (std::uint32_t row = begin; row < end; ++row) *to++ = samples[row].event;
  };
  const auto values = [&](std::uint32_t begin, std::uint32_t end, std::uint64_t* to) {
    for (std::uint32_t row = begin; row < end; ++row) *to++ = samples[row].value;
  };
  const auto only_event = samples.only_event();
  const auto only_value = samples.only_value();
  return {
      {"time", columns_.add_differences(size, times, noise)},
      {"leaf", columns_.add<std::uint32_t>(size, leaves, noise)},
      {"cpu",
       samples.cpus().size() == 1 ? columns_.add_equal(size, 0) : columns_.add<std::uint32_t>(size, cpus, noise)},
      {"cgroup",
       samples.cgroups().empty() ? columns_.add_equal(size, 0) : columns_.add<std::uint32_t>(size, cgroups, noise)},
      {"event", only_event ? columns_.add_equal(size, *only_event) : columns_.add<std::uint32_t>(size, events, noise)},
      {"value", only_value ? columns_.add_equal(size, *only_value) : columns_.add<std::uint64_t>(size, values, noise)}};
}

// An amount of samples that are in no row. thread, cpu and cgroup: the index in the table plus 1. 0: not known.
struct RestOfStack {
  LeafId leaf = 0;
  EventId event = 0;
  std::uint32_t thread = 0;
  std::uint32_t cpu = 0;
  std::uint32_t cgroup = 0;
  Amount amount = {};

  auto place() const { return std::tuple(leaf, event, thread, cpu, cgroup); }
};

using Rest = LargeVector<RestOfStack>;

Rest sums_of(const analysis::SampleIndex& samples) {
  const std::vector<std::int32_t>& cpus = samples.cpus();
  Rest rest;
  for (const analysis::SumRow& sum : samples.sums()) {
    RestOfStack one{.leaf = samples.leaf(sum), .event = sum.event, .amount = sum.amount};
    if (sum.context != analysis::SumRow::no_context) {
      one.thread = samples.thread_of(sum) + 1;
      one.cpu = static_cast<std::uint32_t>(std::ranges::lower_bound(cpus, sum.cpu) - cpus.begin()) + 1;
      one.cgroup = samples.cgroup_of(sum.context);
    }
    rest.push_back(one);
  }
  return rest;
}

// Adds up amounts at equal places, in order.
void add_up(Rest& rest) {
  std::ranges::sort(rest, {}, &RestOfStack::place);
  std::size_t places = 0;
  for (const RestOfStack& one : rest) {
    if (places > 0 && rest[places - 1].place() == one.place()) {
      rest[places - 1].amount += one.amount;
    } else {
      rest[places++] = one;
    }
  }
  rest.resize(places);
  std::erase_if(rest, [](const RestOfStack& one) { return one.amount == Amount(); });
}

// The samples that are in no row, which come from folded text and pprof profiles.
Json PageDataWriter::rest(const analysis::SampleIndex& samples) {
  Rest rest = sums_of(samples);
  add_up(rest);
  Column leaves, events, threads, cpus, cgroups;
  LongColumn counts, values;
  for (const RestOfStack& one : rest) {
    leaves.push_back(one.leaf);
    events.push_back(one.event);
    threads.push_back(one.thread);
    cpus.push_back(one.cpu);
    cgroups.push_back(one.cgroup);
    counts.push_back(one.amount.samples);
    values.push_back(one.amount.value);
  }
  return {{"leaf", columns_.add(leaves)}, {"event", columns_.add(events)},   {"thread", columns_.add(threads)},
          {"cpu", columns_.add(cpus)},    {"cgroup", columns_.add(cgroups)}, {"samples", columns_.add(counts)},
          {"value", columns_.add(values)}};
}

Json PageDataWriter::gaps(const PageRecording& recording, std::uint64_t unit) {
  const std::uint64_t first = recording.samples.first_time(), last = recording.samples.last_time();
  const auto place = [&](std::uint64_t time) { return (std::clamp(time, first, last) - first) / unit; };
  Json result = Json::array();
  for (const analysis::Gap& gap : recording.gaps) {
    const std::string_view kind = gap.kind == analysis::Gap::Kind::throttled      ? "throttled"
                                  : gap.kind == analysis::Gap::Kind::lost_samples ? "samples lost"
                                                                                  : "records lost";
    result.push_back({kind, gap.cpu, place(gap.from), place(gap.until), gap.count});
  }
  return result;
}

void PageDataWriter::add_waits(const PageRecording& recording, std::uint64_t unit, Json& to) {
  const std::uint64_t first = recording.samples.first_time();
  Json threads = Json::array();
  for (const PageWaits::Thread& thread : recording.waits->threads) {
    threads.push_back({thread.pid, thread.tid, printable_utf8(thread.comm), thread.unknown});
  }
  Column thread, whole;
  LongColumn before, start, length, run_queue, unknown;
  for (const PageWaits::Interval& interval : recording.waits->intervals) {
    thread.push_back(interval.thread);
    whole.push_back(interval.is_whole ? 1 : 0);
    before.push_back(first - std::min(interval.start, first));  // number of nanoseconds before the first sample
    start.push_back((std::max(interval.start, first) - first) / unit);
    length.push_back(interval.length);
    run_queue.push_back(interval.run_queue);
    unknown.push_back(interval.unknown);
  }
  to["waitingThreads"] = std::move(threads);
  to["waits"] = {{"thread", columns_.add(thread)},  {"whole", columns_.add(whole)},
                 {"before", columns_.add(before)},  {"start", columns_.add(start)},
                 {"length", columns_.add(length)},  {"runQueue", columns_.add(run_queue)},
                 {"unknown", columns_.add(unknown)}};
}

}  // namespace

PageData::PageData(const PageContents& contents, unsigned threads) : columns_(threads) {
  const std::string description = PageDataWriter(contents, columns_).write().dump();
  for (int byte = 0; byte < 4; ++byte) description_ += static_cast<char>(description.size() >> (8 * byte));
  description_ += description;
}

std::vector<GzipPart> PageData::parts() const {
  std::vector<GzipPart> parts{{.bytes = description_}};
  parts.insert(parts.end(), columns_.parts().begin(), columns_.parts().end());
  return parts;
}

std::string PageData::bytes() const {
  std::string bytes;
  for (const GzipPart& part : parts()) bytes += part.bytes;
  return bytes;
}

}  // namespace perfsift::output
