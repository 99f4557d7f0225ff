#include "output/page/page_data.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/printable_utf8.h"
#include "output/page/columns.h"

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

using Column = LargeVector<std::uint32_t>;
using LongColumn = LargeVector<std::uint64_t>;

// Names are shown as text: their control characters are escaped as everywhere.
Json texts(const std::vector<std::string_view>& names) {
  Json result = Json::array();
  for (const std::string_view name : names) result.push_back(printable_utf8(name));
  return result;
}

// Numbers texts in the order in which they come.
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
  PageDataWriter(const PageContents& contents, unsigned threads)
      : contents_(contents),
        tree_(contents.leaves.tree()),
        profile_(tree_.profile()),
        frames_(profile_.frames()),
        columns_(threads) {}

  std::string write();

 private:
  void describe_page();
  void add_nodes();
  void add_leaves();
  void add_recordings();
  Json rows(const analysis::SampleTable& samples, std::uint64_t unit);
  Json rest(const PageRecording& recording);
  static Json threads(const analysis::SampleTable& samples);
  static Json gaps(const PageRecording& recording, std::uint64_t unit);
  void add_waits(const PageRecording& recording, std::uint64_t unit, Json& to);
  std::string joined() const;

  const PageContents& contents_;
  const CallTree& tree_;
  const Profile& profile_;
  const FrameTable& frames_;
  Texts names_, binaries_, files_;
  Columns columns_;
  Json page_;
};

std::string PageDataWriter::write() {
  describe_page();
  add_nodes();
  add_leaves();
  add_recordings();
  page_["names"] = names_.json();
  page_["binaries"] = binaries_.json();
  page_["files"] = files_.json();
  return joined();
}

void PageDataWriter::describe_page() {
  page_["title"] = printable_utf8(contents_.title);
  page_["command"] = printable_utf8(contents_.command);
  page_["version"] = contents_.version;
  page_["periods"] = contents_.periods;
  page_["events"] = texts({profile_.events().begin(), profile_.events().end()});
}

// Frames are numbered in the order of their first nodes.
void PageDataWriter::add_nodes() {
  constexpr std::uint32_t unknown = ~std::uint32_t{0};
  Column frame_of_node, depths, names, kinds, binaries;
  frame_of_node.reserve(tree_.size());
  depths.reserve(tree_.size());
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
    frame_of_node.push_back(numbers[frame]);
    depths.push_back(tree_.depth(node));
  }
  page_["frames"] = {{"name", columns_.add(names)}, {"binary", columns_.add(binaries)}, {"kind", columns_.add(kinds)}};
  page_["kinds"] = kinds_known.json();
  page_["nodes"] = {{"frame", columns_.add(frame_of_node)}, {"depth", columns_.add(depths)}};
}

void PageDataWriter::add_leaves() {
  Column nodes, files, lines;
  for (LeafId leaf = 0; leaf < contents_.leaves.size(); ++leaf) {
    const analysis::Leaf& place = contents_.leaves[leaf];
    const bool known = place.frame != analysis::Leaf::no_frame;
    nodes.push_back(place.node);
    files.push_back(files_.number(known ? frames_.file_of(place.frame) : std::string_view()));
    lines.push_back(known ? frames_.origin(place.frame).line : 0);
  }
  page_["leaves"] = {
      {"node", columns_.add_differences(nodes)}, {"file", columns_.add(files)}, {"line", columns_.add(lines)}};
}

// Times are counted in the smallest power of ten of nanoseconds that fits into 32 bits.
std::uint64_t time_unit(const analysis::SampleTable& samples) {
  constexpr std::uint64_t most = ~std::uint32_t{0} - 1;
  std::uint64_t unit = 1;
  while ((samples.last_time() - samples.first_time()) / unit > most) unit *= 10;
  return unit;
}

void PageDataWriter::add_recordings() {
  page_["recordings"] = Json::array();
  for (const PageRecording& recording : contents_.recordings) {
    const analysis::SampleTable& samples = recording.samples;
    const std::uint64_t unit = time_unit(samples);
    Json facts = Json::array();
    for (const auto& [label, text] : recording.facts) facts.push_back({label, printable_utf8(text)});
    Json quality = Json::array();
    for (const std::string& sentence : recording.quality) quality.push_back(printable_utf8(sentence));
    page_["recordings"].push_back({{"name", printable_utf8(recording.name)},
                                   {"facts", std::move(facts)},
                                   {"quality", std::move(quality)},
                                   {"first", std::to_string(samples.first_time())},
                                   {"unit", unit},
                                   {"duration", (samples.last_time() - samples.first_time()) / unit},
                                   {"cpus", samples.cpus()},
                                   {"threads", threads(samples)},
                                   {"rows", rows(samples, unit)},
                                   {"rest", rest(recording)},
                                   {"gaps", gaps(recording, unit)}});
    if (recording.waits) add_waits(recording, unit, page_["recordings"].back());
  }
}

Json PageDataWriter::threads(const analysis::SampleTable& samples) {
  Json result = Json::array();
  for (const analysis::SampleTable::Thread& thread : samples.threads()) {
    result.push_back({thread.pid, thread.tid, printable_utf8(thread.comm), thread.begin, thread.timed_end, thread.end});
  }
  return result;
}

Json PageDataWriter::rows(const analysis::SampleTable& samples, std::uint64_t unit) {
  Column times;
  times.reserve(samples.size());
  for (const std::uint64_t time : samples.times) {
    const bool known = time != reader::no_time;
    times.push_back(known ? static_cast<std::uint32_t>((time - samples.first_time()) / unit) : ~std::uint32_t{0});
  }
  return {{"time", columns_.add_differences(times)},
          {"leaf", columns_.add(samples.leaf_ids)},
          {"cpu", columns_.add(samples.cpu_numbers)},
          {"event", columns_.add(samples.events)},
          {"value", columns_.add(samples.values)}};
}

// The amounts of the stacks of a recording.
template <typename Use>
void for_each_stack(const Profile& profile, const PageRecording& recording, Use&& use) {
  for (std::size_t list = recording.first_list; list < recording.end_list; ++list) {
    std::uint32_t stack = profile.first_stack(list);
    const analysis::StackList& stacks = profile.lists()[list];
    use(analysis::LoggedSample::no_stack, EventId{0}, stacks.frameless());
    for (const auto& entry : stacks.entries()) {
      use(stack++, profile.callers(entry.callers).event, entry.amount);
    }
  }
}

// Whether the samples one by one are all that the profile has: each sample is also in the amount of its stack, so equal
// sums are enough.
bool has_all(const analysis::SampleTable& samples, const Profile& profile, const PageRecording& recording) {
  Amount rest;
  for_each_stack(profile, recording, [&](std::uint32_t, EventId, const Amount& amount) { rest += amount; });
  rest -= {.samples = samples.size(), .value = std::reduce(samples.values.begin(), samples.values.end())};
  return rest == Amount();
}

// What the profile has and the samples one by one do not have: folded stacks.
Json PageDataWriter::rest(const PageRecording& recording) {
  const analysis::SampleTable& samples = recording.samples;
  std::map<std::pair<LeafId, EventId>, Amount> amounts;
  if (!has_all(samples, profile_, recording)) {
    for_each_stack(profile_, recording, [&](std::uint32_t stack, EventId event, const Amount& amount) {
      amounts[{contents_.leaves.of_stack(stack), event}] += amount;
    });
    for (std::uint32_t row = 0; row < samples.size(); ++row) {
      amounts[{samples.leaf_ids[row], samples.events[row]}] -= {.samples = 1, .value = samples.values[row]};
    }
    std::erase_if(amounts, [](const auto& one) { return one.second == Amount(); });
  }
  Column leaves, events;
  LongColumn counts, values;
  for (const auto& [place, amount] : amounts) {
    leaves.push_back(place.first);
    events.push_back(place.second);
    counts.push_back(amount.samples);
    values.push_back(amount.value);
  }
  return {{"leaf", columns_.add(leaves)},
          {"event", columns_.add(events)},
          {"samples", columns_.add(counts)},
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
    threads.push_back({thread.pid, thread.tid, printable_utf8(thread.comm)});
  }
  Column thread;
  LongColumn start, length, run_queue;
  for (const PageWaits::Interval& interval : recording.waits->intervals) {
    thread.push_back(interval.thread);
    start.push_back((std::max(interval.start, first) - first) / unit);
    length.push_back(interval.length / unit);
    run_queue.push_back(interval.run_queue / unit);
  }
  to["waitingThreads"] = std::move(threads);
  to["waits"] = {{"thread", columns_.add(thread)},
                 {"start", columns_.add(start)},
                 {"length", columns_.add(length)},
                 {"runQueue", columns_.add(run_queue)}};
}

std::string PageDataWriter::joined() const {
  const std::string description = page_.dump();
  std::string data;
  data.reserve(description.size() + columns_.bytes().size() + 4);
  for (int byte = 0; byte < 4; ++byte) data.push_back(static_cast<char>(description.size() >> (8 * byte)));
  return data += description, data += columns_.bytes();
}

}  // namespace

std::string page_data(const PageContents& contents, unsigned threads) {
  return PageDataWriter(contents, threads).write();
}

}  // namespace perfsift::output
