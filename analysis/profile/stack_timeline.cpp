#include "analysis/profile/stack_timeline.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

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
      // The time of a node itself comes before its children; later time is a child without a frame.
      if (path_.back() + 1 != nodes_.size()) open(StackTimeline::no_frame);
    }
    nodes_.back().self += amount;
  }

 private:
  void open(FrameId frame) {
    path_.push_back(nodes_.size());
    nodes_.push_back({.frame = frame, .depth = static_cast<std::uint32_t>(path_.size() - 1)});
  }
  // Whether the last node is such a child, at this depth.
  bool is_in_own_time(std::size_t depth) const {
    return path_.size() == depth + 1 && path_[depth] + 1 == nodes_.size() &&
           nodes_[path_[depth]].frame == StackTimeline::no_frame;
  }
  void close(std::size_t depth) { path_.resize(std::min(path_.size(), depth)); }

  LargeVector<StackTimeline::Node>& nodes_;
  std::vector<std::size_t> path_;  // the nodes that the next stack may share
  std::size_t base_ = 1;           // the depth of the first frames of stacks
};

using ThreadNumbers = std::pair<std::int32_t, std::int32_t>;  // pid, tid
using Lanes = std::map<ThreadNumbers, std::vector<const LoggedSample*>>;

Lanes lanes_of(const SampleLog& log, std::uint64_t& untimed) {
  Lanes lanes;
  for (const LoggedSample& sample : log.samples()) {
    const SampleContext& context = log.contexts()[sample.context];
    if (sample.time == reader::no_time) {
      ++untimed;
    } else {
      lanes[{context.pid, context.tid}].push_back(&sample);
    }
  }
  return lanes;
}

// The lower quartile of the distances between samples of a thread: most of a busy thread's samples are that close, and
// a thread that sleeps between its samples makes no difference.
std::uint64_t usual_distance(const Lanes& lanes) {
  std::vector<std::uint64_t> distances;
  for (const auto& [thread, samples] : lanes) {
    for (std::size_t i = 1; i < samples.size(); ++i) {
      const std::uint64_t distance = samples[i]->time - samples[i - 1]->time;
      if (distance != 0) distances.push_back(distance);
    }
  }
  if (distances.empty()) return 1'000'000;  // single samples: a width that can be seen
  const auto quartile = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 4);
  std::ranges::nth_element(distances, quartile);
  return *quartile;
}

// The frames of the stacks of a profile, by number, without those of threads and control groups.
class StackFrames {
 public:
  explicit StackFrames(const Profile& profile) : profile_(profile), entries_(profile.stacks()) {}
  // Valid until the next call.
  std::span<const FrameId> of(std::uint32_t stack) {
    frames_.clear();
    if (stack >= entries_.size()) return frames_;
    profile_.get_frames(*entries_[stack], frames_);
    std::erase_if(frames_, [this](FrameId frame) {
      const FrameKind kind = profile_.frames().origin(frame).kind;
      return kind == FrameKind::thread || kind == FrameKind::cgroup;
    });
    return frames_;
  }

 private:
  const Profile& profile_;
  const std::vector<const StackList::Entry*> entries_;
  std::vector<FrameId> frames_;
};

// The last name of a thread, and its number.
FrameId lane_name(const SampleContext& thread, Profile& profile) {
  const std::string text = thread.tid < 0 ? thread.comm : fmt::format("{} ({})", thread.comm, thread.tid);
  return profile.frames().intern(foldable(text), {.kind = FrameKind::thread});
}

}  // namespace

StackTimeline timeline_of_threads(const SampleLog& log, Profile& profile) {
  StackTimeline timeline{.has_lanes = true};
  TimelineBuilder builder(timeline.nodes);
  const Lanes lanes = lanes_of(log, timeline.untimed);
  if (lanes.empty()) return timeline;
  const std::uint64_t usual = usual_distance(lanes), longest = usual + usual / 2;
  std::uint64_t first = reader::no_time, last = 0;
  for (const auto& [thread, samples] : lanes) {
    first = std::min(first, samples.front()->time);
    last = std::max(last, samples.back()->time);
  }
  timeline.from = first - std::min(first, longest);

  StackFrames frames(profile);
  for (const auto& [thread, samples] : lanes) {
    builder.begin_lane(lane_name(log.contexts()[samples.back()->context], profile));
    std::uint64_t until = timeline.from;  // of the sample before
    for (const LoggedSample* sample : samples) {
      const std::uint64_t from = std::max(until, sample->time - std::min(sample->time, longest));
      builder.add_gap({.samples = 0, .value = from - until});
      builder.add(frames.of(sample->stack), {.samples = 1, .value = sample->time - from});
      until = sample->time;
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
