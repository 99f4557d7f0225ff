#include "output/report/tree_text.h"

#include <algorithm>
#include <string_view>

#include "analysis/report/report.h"
#include "base/counted.h"
#include "base/path.h"
#include "base/printable.h"
#include "base/printable_utf8.h"
#include "output/columns.h"
#include "output/csv.h"
#include "output/report/report_table.h"

namespace perfsift::output {
namespace {

using analysis::Amount;
using analysis::EventTree;
using analysis::FrameId;
using analysis::percent_of;
using analysis::TreeLine;

constexpr std::size_t share_width = 7;

// The pieces of which lines of a tree are drawn.
struct Pieces {
  std::string_view child, last_child, open, closed;
};
constexpr Pieces unicode_pieces = {.child = "├─ ", .last_child = "└─ ", .open = "│  ", .closed = "   "};
constexpr Pieces ascii_pieces = {.child = "|- ", .last_child = "`- ", .open = "|  ", .closed = "   "};

class EventTreeText {
 public:
  EventTreeText(const TreeView& view, const EventTree& event, const TerminalStyle& style, TextWriter& out)
      : view_(view), event_(event), style_(style), pieces_(style.unicode ? unicode_pieces : ascii_pieces), out_(out) {}

  void write() {
    out_.format("{} of {}: {}, {} in all\n", view_.title, printable(event_.event),
                counted(event_.all.samples, "sample"), event_.all.value);
    out_.right("total", share_width);
    if (!view_.to_callers) out_.right("self", share_width + 2);
    out_.text("  function\n");
    const std::vector<TreeLine>& lines = event_.lines;
    for (std::uint32_t i = 0; i < lines.size(); ++i) {
      // The left-out nodes below complete nodes.
      const std::uint32_t parent = lines[i].parent;
      while (!path_.empty() && (parent == TreeLine::no_parent || path_.back().line != parent)) close();
      line(i);
    }
    while (!path_.empty()) close();
    if (event_.left_out != 0) left_out(event_.left_out, event_.of_left_out, "(");
  }

 private:
  // A node whose children are being written.
  struct Open {
    std::uint32_t line = 0;
    std::string indent;  // the indent of its children
  };

  // Whether a node continues its parent's line, because it has all samples of the parent. Stacks are deep, and
  // terminals are narrow.
  bool continues_parent(const TreeLine& line) const {
    if (line.parent == TreeLine::no_parent) return false;
    const TreeLine& parent = event_.lines[line.parent];
    return parent.shown == 1 && parent.total == line.total;
  }

  void line(std::uint32_t number) {
    const TreeLine& line = event_.lines[number];
    const std::string outer = path_.empty() ? std::string() : path_.back().indent;
    std::string text = outer, indent = outer;
    if (line.parent != TreeLine::no_parent && !continues_parent(line)) {
      text += line.last ? pieces_.last_child : pieces_.child;
      indent += line.last ? pieces_.closed : pieces_.open;
    }
    shares(line);
    write_fitting(text + text_of(view_.tree.frame(line.node)));
    path_.push_back({.line = number, .indent = std::move(indent)});
  }

  std::string text_of(FrameId frame) const {
    std::string text = printable_utf8(view_.frames.text(frame));
    if (view_.frames.origin(frame).inlined) text += " (inlined)";
    return text;
  }

  void shares(const TreeLine& line) {
    share(percent_of(line.total, event_.all), share_width);
    if (!view_.to_callers) share(percent_of(line.self, event_.all), share_width + 2);
    out_.spaces(2);
  }

  // The width includes the spaces behind the shares.
  std::size_t width_of_shares() const { return share_width + 2 + (view_.to_callers ? 0 : share_width + 2); }

  void share(double percent, std::size_t width) {
    const std::string text = percent_text(percent);
    const std::string_view colour = style_.colour ? colour_of_share(percent) : std::string_view();
    out_.spaces(width - std::min(width, text.size()));
    out_.text(colour);
    out_.text(text);
    if (!colour.empty()) out_.text(end_of_colour);
  }

  void close() {
    const TreeLine& line = event_.lines[path_.back().line];
    if (line.left_out != 0)
      left_out(line.left_out, line.of_left_out, path_.back().indent + std::string(pieces_.last_child) + "(");
    path_.pop_back();
  }

  void left_out(std::uint32_t nodes, const Amount& amount, const std::string& before) {
    share(percent_of(amount, event_.all), share_width);
    out_.spaces(width_of_shares() - share_width);
    write_fitting(before + fmt::format("{} more)", nodes));
  }

  void write_fitting(const std::string& text) {
    const std::size_t before = width_of_shares();
    const bool fits = !style_.is_terminal() || before + width_of(text) <= style_.columns;
    out_.text(fits ? text
                   : cut_to(text, style_.columns - std::min(style_.columns, before), CutEnd::end, style_.unicode));
    out_.character('\n');
  }

  const TreeView& view_;
  const EventTree& event_;
  const TerminalStyle& style_;
  const Pieces& pieces_;
  TextWriter& out_;
  std::vector<Open> path_;
};

Json node_json(const TreeView& view, const EventTree& event, const TreeLine& line) {
  const FrameId frame = view.tree.frame(line.node);
  Json node{{"parent", line.parent == TreeLine::no_parent ? Json() : Json(line.parent)},
            {"symbol", view.frames.text(frame)},
            {"dso", base_name(view.frames.binary_of(frame))},
            {"inlined", view.frames.origin(frame).inlined},
            {"total", amount_json(line.total, event.all)},
            {"left_out", line.left_out}};
  if (!view.to_callers) node["self"] = amount_json(line.self, event.all);
  return node;
}

void write_csv_amount(const Amount& amount, const Amount& all, TextWriter& out) {
  out.format("{:.6f},{},{},", percent_of(amount, all), amount.value, amount.samples);
}

}  // namespace

void write_tree_text(const TreeView& view, const TerminalStyle& style, TextWriter& out) {
  for (const EventTree& event : view.events) {
    if (&event != &view.events.front()) out.character('\n');
    EventTreeText(view, event, style, out).write();
  }
}

Json tree_json(const TreeView& view) {
  Json events = Json::array();
  for (const EventTree& event : view.events) {
    Json nodes = Json::array();
    for (const TreeLine& line : event.lines) nodes.push_back(node_json(view, event, line));
    events.push_back({{"event", event.event},
                      {"samples", event.all.samples},
                      {"value", event.all.value},
                      {"nodes", std::move(nodes)},
                      {"left_out", event.left_out}});
  }
  return {{"view", view.title}, {"min_percent", view.limits.min_percent}, {"events", std::move(events)}};
}

void write_tree_csv(const std::vector<TreeView>& views, TextWriter& out) {
  out.text(
      "view,event,node,parent,depth,self_percent,self_value,self_samples,total_percent,total_value,total_samples,");
  out.text("inlined,symbol,dso\r\n");
  for (const TreeView& view : views) {
    for (const EventTree& event : view.events) {
      for (std::size_t i = 0; i < event.lines.size(); ++i) {
        const TreeLine& line = event.lines[i];
        const FrameId frame = view.tree.frame(line.node);
        out.format("{},{},{},", csv_name(printable(view.title)), csv_name(printable(event.event)), i);
        if (line.parent != TreeLine::no_parent) out.decimal(line.parent);
        out.format(",{},", line.depth);
        if (view.to_callers) {
          out.text(",,,");
        } else {
          write_csv_amount(line.self, event.all, out);
        }
        write_csv_amount(line.total, event.all, out);
        out.format("{},{},{}\r\n", view.frames.origin(frame).inlined ? "yes" : "no",
                   csv_name(printable(view.frames.text(frame))),
                   csv_name(printable(base_name(view.frames.binary_of(frame)))));
      }
    }
  }
}

}  // namespace perfsift::output
