#include "output/speedscope/speedscope.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/samples/stack_options.h"
#include "base/error.h"
#include "output/json.h"
#include "output/lanes/frame_numbers.h"
#include "output/lanes/thread_lanes.h"
#include "output/lanes/written_pieces.h"
#include "output/speedscope/lane_clock.h"
#include "output/text_writer.h"

namespace perfsift::output {
namespace {

using analysis::CallTree;

// speedscope takes a sample without frames for time in which the thread did nothing, and for no cost.
constexpr CallTree::Node idle = ~CallTree::Node{0};

struct Entry {
  CallTree::Node node = CallTree::root;
  std::uint64_t weight = 0;
};

struct LaneEntries {
  const Lane* lane = nullptr;
  std::vector<Entry> entries;
  std::uint64_t total = 0;  // of samples
  std::uint64_t end = 0;    // with the time between samples
};

// Weights are above 0: speedscope leaves out others.
LaneEntries entries_of(const Lane& lane, const ExportSource& source) {
  LaneEntries all{.lane = &lane, .entries = {}, .total = 0, .end = 0};
  const auto add = [&](CallTree::Node node, std::uint64_t weight) {
    all.end += weight;
    if (!all.entries.empty() && all.entries.back().node == node) {
      all.entries.back().weight += weight;
    } else if (weight != 0) {
      all.entries.push_back({.node = node, .weight = weight});
    }
  };
  LaneClock clock(lane, source);
  for (const LaneSample& sample : lane.samples) {
    if (sample.amount.value == 0) continue;
    add(idle, clock.gap_before(sample));
    add(sample.node, sample.amount.value);
    all.total += sample.amount.value;
  }
  return all;
}

// Gives one number to all frames with the same name and place, because speedscope adds up by frame: build ids and
// folders of binaries, which distinguish frames in a profile, are not in the file.
class ShownFrames {
 public:
  explicit ShownFrames(const CallTree& tree) : numbers_(tree) {
    const analysis::FrameTable& table = tree.profile().frames();
    std::map<std::tuple<std::string_view, std::string_view, std::uint32_t>, std::uint32_t> known;
    for (const analysis::FrameId frame : numbers_.frames()) {
      const std::tuple shown(table.text(frame), table.file_of(frame), table.origin(frame).line);
      const auto [first, is_new] = known.try_emplace(shown, static_cast<std::uint32_t>(frames_.size()));
      if (is_new) frames_.push_back(frame);
      shown_.push_back(first->second);
    }
  }

  // The number behind the frames, for samples without frames.
  std::uint32_t no_stack() const { return static_cast<std::uint32_t>(frames_.size()); }

  // The frames by number.
  const std::vector<analysis::FrameId>& frames() const { return frames_; }
  std::uint32_t operator[](analysis::FrameId frame) const { return shown_[numbers_[frame]]; }

 private:
  const FrameNumbers numbers_;
  std::vector<std::uint32_t> shown_;  // by the number in numbers_
  std::vector<analysis::FrameId> frames_;
};

void write_frames(const analysis::FrameTable& table, const ShownFrames& numbers, bool has_no_stack, TextWriter& text) {
  text.text(R"("shared":{"frames":[)");
  bool first = true;
  for (const analysis::FrameId frame : numbers.frames()) {
    text.text(first ? "\n" : ",\n");
    first = false;
    text.text(R"({"name":)" + json_string(table.text(frame)));
    if (const std::string_view file = table.file_of(frame); !file.empty()) text.text(R"(,"file":)" + json_string(file));
    if (const std::uint32_t line = table.origin(frame).line; line != 0) text.text(R"(,"line":)" + std::to_string(line));
    text.character('}');
  }
  if (has_no_stack) {
    text.text(first ? "\n" : ",\n");
    text.text(R"({"name":)" + json_string(analysis::no_stack_frame) + '}');
  }
  text.text("]},\n");
}

// The units of speedscope have the names that they have in pprof.
std::string_view unit_of(std::string_view unit) {
  constexpr std::array<std::string_view, 5> known{"nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"};
  return std::ranges::find(known, unit) == known.end() ? "none" : unit;
}

// speedscope opens with it: the thread with the largest total. Totals of different events cannot be compared, so it is
// one of the first event.
std::size_t first_shown(const std::vector<LaneEntries>& lanes) {
  const auto largest = std::ranges::max_element(lanes, {}, [&](const LaneEntries& lane) {
    return std::pair(lane.lane->event == lanes.front().lane->event, lane.total);
  });
  return static_cast<std::size_t>(largest - lanes.begin());
}

// A part of a file that one thread writes.
struct Piece {
  const LaneEntries* lane = nullptr;
  std::size_t begin = 0, end = 0;
};

std::vector<Piece> pieces_of(const std::vector<LaneEntries>& lanes) {
  constexpr std::size_t piece_size = 4096;
  std::vector<Piece> pieces;
  for (const LaneEntries& lane : lanes) {
    for (std::size_t at = 0; at < lane.entries.size(); at += piece_size)
      pieces.push_back({.lane = &lane, .begin = at, .end = std::min(at + piece_size, lane.entries.size())});
  }
  return pieces;
}

class PieceWriter {
 public:
  PieceWriter(const ExportSource& source, const CallTree& tree, const ShownFrames& numbers)
      : source_(source), tree_(tree), numbers_(numbers) {}

  void write(const Piece& piece, bool last_piece, TextWriter& text) {
    if (piece.begin == 0) start_lane(*piece.lane, text);
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      if (i != 0) text.character(',');
      write_stack(piece.lane->entries[i].node, text);
    }
    if (piece.end == piece.lane->entries.size()) end_lane(*piece.lane, last_piece, text);
  }

 private:
  void start_lane(const LaneEntries& lane, TextWriter& text) const {
    text.text(R"({"type":"sampled","name":)" + json_string(lane.lane->name(source_)));
    text.format(R"(,"unit":"{}")", unit_of(source_.unit(lane.lane->event)));
    text.text(R"(,"startValue":0,"endValue":)");
    text.decimal(lane.end);
    text.text(",\n\"samples\":[");
  }

  static void end_lane(const LaneEntries& lane, bool last, TextWriter& text) {
    text.text("],\n\"weights\":[");
    for (std::size_t i = 0; i < lane.entries.size(); ++i) {
      if (i != 0) text.character(',');
      text.decimal(lane.entries[i].weight);
    }
    text.text(last ? "]}\n" : "]},\n");
  }

  // Root first.
  void write_stack(CallTree::Node node, TextWriter& text) {
    path_.clear();
    if (node == CallTree::root) path_.push_back(numbers_.no_stack());
    if (node == idle) node = CallTree::root;
    for (; node != CallTree::root; node = tree_.parent(node)) path_.push_back(numbers_[tree_.frame(node)]);
    text.character('[');
    for (std::size_t i = path_.size(); i-- > 0;) {
      text.decimal(path_[i]);
      if (i != 0) text.character(',');
    }
    text.character(']');
  }

  const ExportSource& source_;
  const CallTree& tree_;
  const ShownFrames& numbers_;
  std::vector<std::uint32_t> path_;
};

}  // namespace

void write_speedscope(const ExportSource& source, OutputFile& out) {
  const CallTree tree(source.profile, {.event_frames = false}, source.threads);
  const ShownFrames numbers(tree);
  const std::vector<Lane> threads = thread_lanes(source, tree);
  std::vector<LaneEntries> lanes;
  for (const Lane& lane : threads) lanes.push_back(entries_of(lane, source));
  std::erase_if(lanes, [](const LaneEntries& lane) { return lane.entries.empty(); });
  if (lanes.empty())
    throw InputError(source.title + ": the values of all samples are 0 (--weight samples counts them)");
  const bool has_no_stack = std::ranges::any_of(lanes, [](const LaneEntries& lane) {
    return std::ranges::count(lane.entries, CallTree::root, &Entry::node) != 0;
  });
  const std::vector<Piece> pieces = pieces_of(lanes);

  TextWriter start;
  start.text(R"({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"perfsift","name":)");
  start.text(json_string(source.title) + R"(,"activeProfileIndex":)");
  start.decimal(first_shown(lanes));
  start.text(",\n");
  write_frames(source.profile.frames(), numbers, has_no_stack, start);
  start.text("\"profiles\":[\n");
  out.write(start.view());
  write_pieces(source.threads, pieces.size(), out, [&](std::size_t number, TextWriter& text) {
    PieceWriter(source, tree, numbers).write(pieces[number], number + 1 == pieces.size(), text);
  });
  out.write("]}\n");
}

}  // namespace perfsift::output
