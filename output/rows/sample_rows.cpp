#include "output/rows/sample_rows.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <vector>

#include "analysis/table/sample_groups.h"
#include "analysis/table/stack_node.h"
#include "base/printable_utf8.h"
#include "output/csv.h"
#include "output/json.h"
#include "output/lanes/joined_amounts.h"
#include "output/lanes/written_pieces.h"
#include "output/text_writer.h"

namespace perfsift::output {
namespace {

using analysis::CallTree;
using analysis::SampleRow;

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

std::string_view mode_name(reader::CpuMode mode) {
  constexpr std::string_view names[] = {"unknown", "kernel", "user", "hypervisor", "guest_kernel", "guest_user"};
  const auto number = static_cast<std::size_t>(mode);
  return names[number < std::size(names) ? number : 0];
}

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

std::string json_frame(const analysis::FrameTable& frames, analysis::FrameId frame) {
  const analysis::FrameOrigin& origin = frames.origin(frame);
  Json json = {{"sym", printable_utf8(frames.text(frame))}};
  if (const std::string_view binary = frames.binary_of(frame); !binary.empty()) json["dso"] = printable_utf8(binary);
  if (const std::string_view file = frames.file_of(frame); !file.empty()) json["file"] = printable_utf8(file);
  if (origin.line != 0) json["line"] = origin.line;
  if (origin.inlined) json["inlined"] = true;
  return json.dump();
}

// The fields that identify a thread, as JSON.
std::string json_context(const analysis::SampleContext& context) {
  std::string text;
  if (!context.comm.empty()) text += R"(,"comm":)" + json_string(context.comm);
  if (context.pid >= 0) text += R"(,"pid":)" + std::to_string(context.pid);
  if (context.tid >= 0) text += R"(,"tid":)" + std::to_string(context.tid);
  if (!context.cgroup.empty()) text += R"(,"cgroup":)" + json_string(context.cgroup);
  return text;
}

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
  std::vector<std::string> events;
  for (const std::string& event : source.profile.events()) events.push_back(json_string(event));
  write_rows(source, tree, out, [&](const Row& row, const std::vector<analysis::FrameId>& frames, TextWriter& text) {
    text.text(R"({"event":)" + events[row.event]);
    text.text(json_context(*row.context));
    if (row.cpu >= 0) text.text(R"(,"cpu":)" + std::to_string(row.cpu));
    if (row.time != reader::no_time) text.text(R"(,"time":)" + std::to_string(row.time));
    if (row.mode != reader::CpuMode::unknown) text.format(R"(,"cpumode":"{}")", mode_name(row.mode));
    text.text(R"(,"samples":)" + std::to_string(row.amount.samples));
    text.text(R"(,"period":)" + std::to_string(row.amount.value) + R"(,"stack":[)");
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (i != 0) text.character(',');
      text.text(texts[frames[i]]);
    }
    text.text("]}\n");
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
    if (row.mode != reader::CpuMode::unknown) text.text(mode_name(row.mode));
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
