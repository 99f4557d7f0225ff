#include "analysis/table/stack_timeline.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "analysis/table/column_stacks.h"
#include "analysis/table/lane_thread.h"

namespace perfsift::analysis {
namespace {

// Adds stacks one after the other.
class TimelineBuilder {
 public:
  explicit TimelineBuilder(LargeVector<StackTimeline::Node>& nodes) : nodes_(nodes) { open(StackTimeline::no_frame); }

  void begin_lane(FrameId name) {
    close(1);
    open(name);
    base_ = path_.size();
  }

  // Ends all frames of the lane.
  void add_gap(const Amount& amount) {
    if (amount == Amount()) return;
    close(base_);
    open(StackTimeline::no_frame);
    nodes_.back().self = amount;
  }

  void add(std::span<const FrameId> frames, const Amount& amount) {
    if (frames.empty()) return add_gap(amount);
    std::size_t common = 0;
    while (common < frames.size() && base_ + common < path_.size() &&
           nodes_[path_[base_ + common]].frame == frames[common]) {
      ++common;
    }
    if (common < frames.size() || !is_in_own_time(base_ + common)) {
      close(base_ + common);
      for (const FrameId frame : frames.subspan(common)) open(frame);
      // The time of a node itself comes before its children. Time after a child becomes a child without a frame.
      if (path_.back() + 1 != nodes_.size()) open(StackTimeline::no_frame);
    }
    nodes_.back().self += amount;
  }

 private:
  void open(FrameId frame) {
    path_.push_back(nodes_.size());
    nodes_.push_back({.frame = frame, .depth = static_cast<std::uint32_t>(path_.size() - 1)});
  }
  // Whether the last node is a child without a frame at this depth.
  bool is_in_own_time(std::size_t depth) const {
    return path_.size() == depth + 1 && path_[depth] + 1 == nodes_.size() &&
           nodes_[path_[depth]].frame == StackTimeline::no_frame;
  }
  void close(std::size_t depth) { path_.resize(std::min(path_.size(), depth)); }

  LargeVector<StackTimeline::Node>& nodes_;
  std::vector<std::size_t> path_;  // the nodes that the next stack may share
  std::size_t base_ = 1;           // the depth of the first frames of stacks
};

using Lanes = std::map<LaneThread, std::vector<const SampleRow*>>;

Lanes lanes_of(const SampleTable& table, std::uint64_t& untimed) {
  Lanes lanes;
  for (const SampleRow& sample : table.samples()) {
    const SampleContext& context = table.context(sample.context);
    if (sample.time == reader::no_time) {
      ++untimed;
    } else {
      lanes[LaneThread(context, sample.cpu)].push_back(&sample);
    }
  }
  return lanes;
}

// The lower quartile of the distances between samples of a thread. Most samples of a busy thread have at most this
// distance, and a thread that sleeps between its samples makes no difference.
std::uint64_t usual_distance(const Lanes& lanes) {
  std::vector<std::uint64_t> distances;
  for (const auto& [thread, samples] : lanes) {
    for (std::size_t i = 1; i < samples.size(); ++i) {
      const std::uint64_t distance = samples[i]->time - samples[i - 1]->time;
      if (distance != 0) distances.push_back(distance);
    }
  }
  if (distances.empty()) return 1'000'000;  // single samples: a visible width
  const auto quartile = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 4);
  std::ranges::nth_element(distances, quartile);
  return *quartile;
}

// The threads with the most samples come first.
std::vector<const Lanes::value_type*> busiest_first(const Lanes& lanes) {
  std::vector<const Lanes::value_type*> ordered;
  for (const auto& lane : lanes) ordered.push_back(&lane);
  std::ranges::stable_sort(ordered, std::greater(), [](const Lanes::value_type* lane) { return lane->second.size(); });
  return ordered;
}

// The width of columns. It is a power of two that limits the columns with samples to a number that a picture can show
// and a viewer can load. 0 if each sample has a place of its own.
class Columns {
 public:
  Columns(const Lanes& lanes, std::uint64_t from, std::uint64_t until) : from_(from) {
    constexpr std::size_t most_pieces = 16'384, fewest_columns = 2048;
    std::size_t samples = 0;
    for (const auto& [thread, of_thread] : lanes) samples += of_thread.size();
    if (samples <= most_pieces) return;
    const std::uint64_t length = until - from;
    bits_ = static_cast<unsigned>(std::bit_width(length / most_pieces));
    while (length >> bits_ > fewest_columns && pieces(lanes) > most_pieces) ++bits_;
  }

  std::uint64_t width() const { return bits_ == 0 ? 0 : std::uint64_t{1} << bits_; }
  bool are_one(const SampleRow& one, const SampleRow& other) const {
    return bits_ != 0 && column(one) == column(other);
  }

 private:
  std::uint64_t column(const SampleRow& sample) const { return (sample.time - from_) >> bits_; }
  std::size_t pieces(const Lanes& lanes) const {
    std::size_t count = 0;
    for (const auto& [thread, samples] : lanes) {
      count += 1;
      for (std::size_t i = 1; i < samples.size(); ++i) count += column(*samples[i]) != column(*samples[i - 1]) ? 1 : 0;
    }
    return count;
  }

  std::uint64_t from_;
  unsigned bits_ = 0;
};

// The latest name of a thread, and its number.
FrameId lane_name(const LaneThread& thread, const std::string& comm, Profile& profile) {
  const std::string name = thread.name(comm);
  const std::string text = thread.tid < 0 ? name : fmt::format("{} ({})", name, thread.tid);
  return profile.frames().intern(foldable(text), {.kind = FrameKind::thread});
}

}  // namespace

StackTimeline timeline_of_threads(const SampleTable& table, Profile& profile) {
  StackTimeline timeline{.has_lanes = true};
  TimelineBuilder builder(timeline.nodes);
  const Lanes lanes = lanes_of(table, timeline.untimed);
  if (lanes.empty()) return timeline;
  const std::uint64_t usual = usual_distance(lanes), longest = usual + usual / 2;
  std::uint64_t first = reader::no_time, last = 0;
  for (const auto& [thread, samples] : lanes) {
    first = std::min(first, samples.front()->time);
    last = std::max(last, samples.back()->time);
  }
  timeline.from = first - std::min(first, longest);

  const Columns columns(lanes, timeline.from, last);
  timeline.column = columns.width();
  ColumnStacks shown(profile);
  for (const Lanes::value_type* lane : busiest_first(lanes)) {
    const std::vector<const SampleRow*>& samples = lane->second;
    builder.begin_lane(lane_name(lane->first, table.context(samples.back()->context).comm, profile));
    shown.begin_lane();
    std::uint64_t until = timeline.from;  // the end of the sample before
    for (std::size_t i = 0; i < samples.size();) {
      Amount sum;
      std::uint64_t gap = 0;
      const SampleRow& first_of_column = *samples[i];
      do {
        const SampleRow& sample = *samples[i];
        const std::uint64_t begin = std::max(until, sample.time - std::min(sample.time, longest));
        gap += begin - until;
        sum += {.samples = 1, .value = sample.time - begin};
        shown.add(sample.stack, sample.time - begin);
        until = sample.time;
      } while (++i < samples.size() && columns.are_one(*samples[i], first_of_column));
      builder.add_gap({.samples = 0, .value = gap});
      builder.add(shown.take(), sum);
    }
    builder.add_gap({.samples = 0, .value = last - until});
  }
  return timeline;
}

StackTimeline timeline_of_stacks(const Profile& profile) {
  StackTimeline timeline;
  TimelineBuilder builder(timeline.nodes);
  std::vector<FrameId> frames;
  for (const StackList& list : profile.lists()) {
    builder.add_gap(list.frameless());
    for (const StackList::Entry& entry : list.entries()) {
      profile.get_frames(entry, frames);
      builder.add(frames, entry.amount);
    }
  }
  return timeline;
}

}  // namespace perfsift::analysis
