#include "output/rows/sample_rows.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/table/sample_groups.h"
#include "analysis/table/stack_node.h"
#include "base/printable_utf8.h"
#include "output/csv.h"
#include "output/lanes/joined_amounts.h"
#include "output/lanes/written_pieces.h"
#include "output/rows/sample_object.h"
#include "output/text_writer.h"

namespace perfsift::output {
namespace {

using analysis::CallTree;
using analysis::SampleRow;
using filter::Fact;

// A sample, or a sum.
struct Row {
  std::uint64_t time = reader::no_time;
  CallTree::Node node = CallTree::root;
  analysis::EventId event = 0;
  const analysis::SampleContext* context = nullptr;
  std::int32_t cpu = -1;
  reader::CpuMode mode = reader::CpuMode::unknown;
  analysis::Amount amount;
};

// All rows of the source by number.
class Rows {
 public:
  Rows(const ExportSource& source, const CallTree& tree) : source_(source), tree_(tree) {
    for (const analysis::SumRow& sum : source.table.sums()) sums_.push_back(row_of(sum, reader::no_time, sum.amount));
    join_equal(sums_, [](const Row& row) { return std::tuple(row.node, row.event, row.cpu, row.mode, *row.context); });
  }

  std::size_t size() const { return source_.table.samples().size() + sums_.size(); }
  Row operator[](std::size_t i) const {
    const auto samples = source_.table.samples();
    if (i >= samples.size()) return sums_[i - samples.size()];
    return row_of(samples[i], samples[i].time, {.samples = 1, .value = samples[i].value});
  }

 private:
  template <typename TableRow>
  Row row_of(const TableRow& row, std::uint64_t time, const analysis::Amount& amount) const {
    return {.time = time,
            .node = analysis::node_of_stack(tree_, row.stack),
            .event = row.event,
            .context = &source_.table.context(row.context),
            .cpu = row.cpu,
            .mode = static_cast<reader::CpuMode>(row.mode),
            .amount = amount};
  }
  const ExportSource& source_;
  const CallTree& tree_;
  std::vector<Row> sums_;
};

// Writes rows of a format in pieces. `make_line`: (row, frames root first, text).
template <typename MakeLine>
void write_rows(const ExportSource& source, const CallTree& tree, OutputFile& out, const MakeLine& make_line) {
  constexpr std::size_t piece_size = 2048;
  const Rows rows(source, tree);
  write_pieces(source.threads, (rows.size() + piece_size - 1) / piece_size, out,
               [&](std::size_t piece, TextWriter& text) {
                 std::vector<analysis::FrameId> frames;
                 const std::size_t end = std::min((piece + 1) * piece_size, rows.size());
                 for (std::size_t i = piece * piece_size; i < end; ++i) {
                   const Row row = rows[i];
                   frames.clear();
                   for (CallTree::Node node = row.node; node != CallTree::root; node = tree.parent(node))
                     frames.push_back(tree.frame(node));
                   make_line(row, frames, text);
                 }
               });
}

// The texts of all frames, made once.
std::vector<std::string> texts_of(const analysis::FrameTable& frames,
                                  const std::function<std::string(analysis::FrameId)>& text_of) {
  std::vector<std::string> texts;
  texts.reserve(frames.size());
  for (analysis::FrameId frame = 0; frame < frames.size(); ++frame) texts.push_back(text_of(frame));
  return texts;
}

// The facts of a frame of the profile. The text of a frame without a name is that of its binary, and no fact.
class FrameFacts : public filter::Facts {
 public:
  FrameFacts(const analysis::FrameTable& frames, analysis::FrameId frame) : frames_(frames), frame_(frame) {}

  std::optional<filter::Number> number(Fact fact) override {
    const std::uint32_t line = frames_.origin(frame_).line;
    return fact == Fact::srcline && line != 0 ? std::optional(filter::Number::of(line)) : std::nullopt;
  }
  std::optional<std::string_view> text(Fact fact) override {
    if (fact == Fact::sym && !frames_.origin(frame_).unnamed) return frames_.text(frame_);
    if (fact == Fact::dso) return filter::if_any(frames_.binary_of(frame_));
    return fact == Fact::srcfile ? filter::if_any(frames_.file_of(frame_)) : std::nullopt;
  }

 private:
  const analysis::FrameTable& frames_;
  const analysis::FrameId frame_;
};

std::string json_frame(const analysis::FrameTable& frames, analysis::FrameId frame) {
  FrameFacts facts(frames, frame);
  return frame_object(facts, frames.origin(frame).inlined);
}

// The facts of a row. Its code is the innermost function of the stack: inlined calls do not count, as in expressions.
class RowFacts : public filter::Facts {
 public:
  // `frames`: the innermost first.
  RowFacts(const Row& row, const analysis::Profile& profile, std::span<const analysis::FrameId> frames)
      : row_(row), profile_(profile) {
    const auto is_function = [&](analysis::FrameId frame) { return !profile.frames().origin(frame).inlined; };
    const auto code = std::ranges::find_if(frames, is_function);
    if (code != frames.end()) code_.emplace(profile.frames(), *code);
  }

  std::optional<filter::Number> number(Fact fact) override {
    switch (fact) {
      case Fact::pid:
        return if_known(row_.context->pid);
      case Fact::tid:
        return if_known(row_.context->tid);
      case Fact::cpu:
        return if_known(row_.cpu);
      case Fact::time:
        return row_.time != reader::no_time ? std::optional(filter::Number::of(row_.time)) : std::nullopt;
      case Fact::period:
        return filter::Number::of(row_.amount.value);
      case Fact::cpumode:
        return filter::Number::of(static_cast<std::uint64_t>(row_.mode));
      default:
        return std::nullopt;
    }
  }
  std::optional<std::string_view> text(Fact fact) override {
    if (fact == Fact::event) return profile_.events()[row_.event];
    if (fact == Fact::comm) return filter::if_any(row_.context->comm);
    if (fact == Fact::cgroup) return filter::if_any(row_.context->cgroup);
    return code_ ? code_->text(fact) : std::nullopt;
  }

 private:
  static std::optional<filter::Number> if_known(std::int32_t id) {
    return id >= 0 ? std::optional(filter::Number::of_signed(id)) : std::nullopt;
  }

  const Row& row_;
  const analysis::Profile& profile_;
  std::optional<FrameFacts> code_;
};

// A field of CSV, which is always in quotes.
std::string csv_field(std::string_view text) {
  return '"' + std::string(formula_guard(text)) + csv_inside_quotes(printable_utf8(text)) + '"';
}

void add_number(TextWriter& text, std::int64_t number) {
  if (number >= 0) text.signed_decimal(number);
  text.character(',');
}

}  // namespace

void write_jsonl(const ExportSource& source, OutputFile& out) {
  const CallTree tree(source.profile, {.event_frames = false}, source.threads);
  const analysis::FrameTable& table = source.profile.frames();
  const auto texts = texts_of(table, [&](analysis::FrameId frame) { return json_frame(table, frame); });
  write_rows(source, tree, out, [&](const Row& row, const std::vector<analysis::FrameId>& frames, TextWriter& text) {
    std::vector<std::string_view> stack;
    stack.reserve(frames.size());
    for (const analysis::FrameId frame : frames) stack.push_back(texts[frame]);
    RowFacts facts(row, source.profile, frames);
    write_sample_object(facts, {.samples = row.amount.samples, .stack = stack}, text);
  });
}

void write_csv(const ExportSource& source, OutputFile& out) {
  const CallTree tree(source.profile, {.event_frames = false}, source.threads);
  const analysis::FrameTable& table = source.profile.frames();
  // Quotes are doubled in the texts; the whole stack is in quotes.
  const auto texts =
      texts_of(table, [&](analysis::FrameId frame) { return csv_inside_quotes(printable_utf8(table.text(frame))); });
  out.write("time,event,comm,pid,tid,cgroup,cpu,cpumode,samples,period,stack\r\n");
  write_rows(source, tree, out, [&](const Row& row, const std::vector<analysis::FrameId>& frames, TextWriter& text) {
    const analysis::SampleContext& context = *row.context;
    if (row.time != reader::no_time) text.decimal(row.time);
    text.text("," + csv_field(source.profile.events()[row.event]) + "," + csv_field(context.comm) + ",");
    add_number(text, context.pid);
    add_number(text, context.tid);
    text.text(csv_field(context.cgroup) + ",");
    add_number(text, row.cpu);
    if (row.mode != reader::CpuMode::unknown) text.text(cpu_mode_name(row.mode));
    text.format(",{},{},\"", row.amount.samples, row.amount.value);
    if (!frames.empty()) text.text(formula_guard(texts[frames.back()]));
    for (std::size_t i = frames.size(); i-- > 0;) {
      text.text(texts[frames[i]]);
      if (i != 0) text.character(';');
    }
    text.text("\"\r\n");
  });
}

}  // namespace perfsift::output
