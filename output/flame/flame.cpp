#include "output/flame/flame.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "base/hash.h"
#include "output/flame/layout.h"
#include "output/flame/margins.h"
#include "output/flame/picture.h"
#include "output/flame/picture_data.h"
#include "output/markup.h"
#include "output/text_writer.h"
#include "output/web/bundles.h"

namespace perfsift::output {
namespace {

// A length with at most two decimals.
std::string pixels(double length) {
  std::string text = fmt::format("{:.2f}", length);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// The nonce for the policy of a page: a script inside a name cannot know the nonce, because it depends on all names
// that are shown. FrameIds are left out: they depend on the threads that read the recording.
std::string nonce_of(const Picture& picture, const FlameOptions& options) {
  const auto mixed = [](std::uint64_t hash, std::string_view text) {
    for (const char c : text) hash = mix(hash ^ static_cast<unsigned char>(c), odd_2);
    return hash;
  };
  std::vector<std::uint64_t> names(picture.frames->size());
  for (analysis::FrameId frame = 0; frame < names.size(); ++frame)
    names[frame] = mixed(odd_1, picture.frames->text(frame));
  std::uint64_t hash = mixed(odd_1, options.title);
  for (const PictureNode& node : picture.nodes) {
    const std::uint64_t name = node.frame == PictureNode::no_frame ? 0 : names[node.frame];
    hash = mix(hash ^ name ^ node.self.value, odd_2 ^ node.depth);
  }
  return fmt::format("{:016x}", mix(hash, odd_3));
}

// Writes a picture as it is seen without scripts, and adds the scripts and the data.
class PictureWriter {
 public:
  PictureWriter(const Picture& picture, const FlameOptions& options, TextWriter& out)
      : picture_(picture),
        options_(options),
        out_(out),
        palette_(options.palette, *picture.frames, options.colours),
        measures_(options),
        head_(options, measures_.frames_width()),
        drawing_(draw(picture, options, measures_)),
        foot_(options, legend_of_colours(), measures_.frames_width()),
        nonce_(options.format == PictureFormat::html ? nonce_of(picture, options) : "") {}

  void write_svg() {
    out_.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    begin_svg();
    write_scripts();
    out_.text("</svg>\n");
  }

  void write_html() {
    out_.text("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    // The policy: nothing is loaded, and nothing is sent.
    out_.format(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{0}'; style-src "
        "'nonce-{0}'; base-uri 'none'; form-action 'none'\">\n",
        nonce_);
    out_.text("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out_.format("<title>{}</title>\n", markup_text(options_.title));
    out_.format("<style nonce=\"{}\">body{{margin:0;background:{}}}{}</style>\n</head>\n<body>\n", nonce_,
                options_.background.empty() ? "#ffffff" : options_.background,
                options_.background.empty() ? "@media(prefers-color-scheme:dark){body{background:#15181c}}" : "");
    begin_svg();
    out_.text("</svg>\n");
    write_scripts();
    out_.text("</body>\n</html>\n");
  }

 private:
  std::string nonce_attribute() const { return nonce_.empty() ? "" : fmt::format(" nonce=\"{}\"", nonce_); }

  std::vector<LegendEntry> legend_of_colours() const {
    if (picture_.is_difference()) return DifferencePalette(1, picture_.negated).legend();
    const std::vector<DrawnFrame> frames = drawn_frames();
    std::vector<LegendEntry> entries = palette_.legend(frames);
    const bool unnamed =
        std::ranges::any_of(frames, [this](const DrawnFrame& drawn) { return is_unnamed_frame(drawn.frame); });
    if (unnamed) entries.push_back({.css_class = "u", .text = "no name known"});
    return entries;
  }

  // All frames of the picture, also those that are too narrow at first.
  std::vector<DrawnFrame> drawn_frames() const {
    constexpr double unused = -1;
    std::vector<double> widths(picture_.frames->size(), unused);
    for (const PictureNode& node : picture_.nodes) {
      if (node.frame != PictureNode::no_frame) widths[node.frame] = 0;
    }
    for (const DrawnNode& drawn : drawing_.nodes) {
      const analysis::FrameId frame = picture_.nodes[drawn.node].frame;
      if (frame != PictureNode::no_frame) widths[frame] += drawn.width;
    }
    std::vector<DrawnFrame> frames;
    for (analysis::FrameId frame = 0; frame < widths.size(); ++frame) {
      if (widths[frame] != unused) frames.push_back({.frame = frame, .width = widths[frame]});
    }
    return frames;
  }

  void begin_svg() {
    const double height = foot_top() + foot_.height;
    out_.format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"perfsift\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" role=\"group\" aria-labelledby=\"perfsift-title\" aria-describedby=\"perfsift-description\" "
        "font-family=\"{2}\" font-size=\"{3}\">\n",
        pixels(measures_.width), pixels(height), markup_text(options_.font), pixels(measures_.font));
    out_.format("<title id=\"perfsift-title\">{}</title>\n<desc id=\"perfsift-description\">{}</desc>\n",
                markup_text(options_.title), markup_text(description()));
    write_style();
    out_.text("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    write_lines("title", Head::first_title, Head::title_line, head_.title);
    if (options_.has_subtitle()) write_lines("subtitle", head_.subtitle_y, Head::subtitle_line, head_.subtitle);
    write_text("status", Measures::pad, head_.status_y, "");
    write_frames();
    write_foot();
  }

  double foot_top() const { return head_.height + measures_.row * drawing_.rows; }

  // The description for screen readers.
  std::string description() const {
    std::string text = fmt::format("{} frames", picture_.nodes.size() - 1);
    if (picture_.kind == PictureKind::lanes) {
      text += " in the order of time, a lane for each thread.";
    } else if (picture_.is_difference()) {
      text += "; the width of a frame is the mean of both sides, and its colour shows what changed.";
    } else {
      text += fmt::format("; the width of a frame is its share of {}.",
                          picture_.kind == PictureKind::columns ? "its event" : options_.unit.name);
    }
    if (options_.reversed) text += " Leaves come first: the frames on a function are its callers.";
    for (const std::string& note : options_.notes) text += ' ' + note;
    return text;
  }

  void write_style() {
    out_.format("<style{}>\n", nonce_attribute());
    out_.text(web::flame_css);
    const bool difference = picture_.is_difference();
    out_.text(difference ? DifferencePalette::light_css() : palette_.light_css());
    const auto write_dark = [&] {
      out_.text(web::dark_css);
      out_.text(difference ? DifferencePalette::dark_css() : palette_.dark_css());
    };
    if (options_.background.empty()) {
      out_.text("\n@media (prefers-color-scheme: dark) {\n");
      write_dark();
      out_.text("\n}");
    } else {
      out_.character('\n');
      if (is_dark(colour_of_css(options_.background))) write_dark();
      out_.format("\n.paper {{ fill: {} }}", options_.background);
    }
    out_.text(
        "\n</style>\n<defs><pattern id=\"perfsift-unnamed\" width=\"6\" height=\"6\" "
        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect class=\"hatch\" width=\"6\" "
        "height=\"6\"/><path class=\"hatch-line\" d=\"M0 0v6\"/></pattern></defs>\n");
  }

  void write_text(std::string_view css_class, double x, double y, std::string_view text) {
    out_.format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", css_class, pixels(x), pixels(y), markup_text(text));
  }

  void write_lines(std::string_view css_class, double y, double line, const std::vector<std::string>& lines) {
    out_.format("<text class=\"{}\" x=\"{}\" y=\"{}\">", css_class, pixels(Measures::pad), pixels(y));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i == 0) {
        out_.text(markup_text(lines[i]));
      } else {
        out_.format("<tspan x=\"{}\" dy=\"{}\">{}</tspan>", pixels(Measures::pad), pixels(line), markup_text(lines[i]));
      }
    }
    out_.text("</text>\n");
  }

  // Must agree with Picture.classes() in picture.js.
  std::string class_of(std::uint32_t node) const {
    const PictureNode& data = picture_.nodes[node];
    if (data.frame == PictureNode::no_frame) return "root";
    if (picture_.is_difference()) return fmt::format("c{}", picture_.changes[node].colour);
    if (is_unnamed(node)) return "u";
    return fmt::format("c{}", palette_.class_of(data.frame));
  }
  bool is_unnamed(std::uint32_t node) const {
    const analysis::FrameId frame = picture_.nodes[node].frame;
    return frame != PictureNode::no_frame && is_unnamed_frame(frame);
  }
  bool is_unnamed_frame(analysis::FrameId frame) const { return picture_.frames->origin(frame).unnamed; }

  double y(const DrawnNode& drawn) const {
    const std::uint32_t row = options_.inverted ? drawn.row : drawing_.rows - 1 - drawn.row;
    return head_.height + measures_.row * row;
  }

  // A path of narrow frames, of one colour. Neighbours become one piece: see drawNarrow() in picture.js.
  struct NarrowPath {
    std::string pieces;
    double left = 0, right = -1, y = -1;  // of the last piece, which is not written yet
  };
  using NarrowPaths = std::map<std::string, NarrowPath>;

  // Narrow frames are one path for each colour: an element each would be slow in every viewer.
  void write_frames() {
    constexpr double narrow = 3;
    NarrowPaths paths;
    for (const DrawnNode* drawn : by_row()) {
      if (drawn->width < narrow) add_narrow(*drawn, paths);
    }
    out_.text("<g class=\"frames\">\n<g class=\"narrow\">\n");
    for (auto& [css_class, path] : paths) {
      finish_piece(path);
      out_.format("<path class=\"{}\" d=\"", css_class);
      out_.text(path.pieces);
      out_.text("\"/>\n");
    }
    out_.text("</g>\n<g class=\"wide labels\">\n");
    for (const DrawnNode& drawn : drawing_.nodes) {
      if (drawn.width >= narrow) write_frame(drawn);
    }
    out_.text("</g>\n</g>\n");
  }

  std::vector<const DrawnNode*> by_row() const {
    std::vector<const DrawnNode*> nodes;
    for (const DrawnNode& drawn : drawing_.nodes) nodes.push_back(&drawn);
    std::ranges::stable_sort(nodes, {}, &DrawnNode::row);
    return nodes;
  }

  void add_narrow(const DrawnNode& drawn, NarrowPaths& paths) const {
    NarrowPath& path = paths[class_of(drawn.node)];
    const double left = Measures::pad + drawn.x, right = left + drawn.width;
    if (path.y == y(drawn) && path.right >= left - 0.02) {
      path.right = right;
      return;
    }
    finish_piece(path);
    path.left = left;
    path.right = right;
    path.y = y(drawn);
  }

  void finish_piece(NarrowPath& path) const {
    if (path.right < path.left) return;
    const double width = path.right - path.left;
    path.pieces += fmt::format("M{} {}h{}v{}h-{}z", pixels(path.left), pixels(path.y), pixels(width),
                               pixels(measures_.row - 1), pixels(width));
  }

  void write_frame(const DrawnNode& drawn) {
    const double x = Measures::pad + drawn.x;
    out_.format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", class_of(drawn.node), pixels(x),
                pixels(y(drawn)), pixels(drawn.width - 0.5), pixels(measures_.row - 1));
    const analysis::FrameId frame = picture_.nodes[drawn.node].frame;
    const std::string_view name = frame == PictureNode::no_frame ? "all" : shown_name(picture_.frames->text(frame));
    const std::string label = fitted(name, drawn.width - 6, measures_.font);
    if (!label.empty()) {
      out_.format("<text{} x=\"{}\" y=\"{}\">{}</text>", is_unnamed(drawn.node) ? " class=\"unnamed\"" : "",
                  pixels(x + 3), pixels(y(drawn) + measures_.baseline), markup_text(label));
    }
    out_.character('\n');
  }

  void write_foot() {
    out_.format("<g class=\"notes\" transform=\"translate(0 {})\">\n", pixels(foot_top()));
    for (const auto& [entry, x, y] : foot_.legend) {
      out_.format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"14\" height=\"11\"/>", entry.css_class,
                  pixels(Measures::pad + x), pixels(y));
      write_text("legend", Measures::pad + x + 19, y + 9, entry.text);
    }
    double line = foot_.notes_y;
    for (const std::string& note : foot_.notes) {
      write_text("note", Measures::pad, line, note);
      line += Foot::note_line;
    }
    out_.text("</g>\n");
  }

  void write_scripts() {
    out_.text("<script type=\"application/json\" class=\"perfsift-data\">");
    write_picture_data(picture_, options_, measures_, palette_, out_);
    out_.format("</script>\n<script{}>//<![CDATA[\n", nonce_attribute());
    out_.text(web::picture_js);
    out_.text("//]]></script>\n");
  }

  const Picture& picture_;
  const FlameOptions& options_;
  TextWriter& out_;
  const Palette palette_;
  const Measures measures_;
  const Head head_;
  const Drawing drawing_;
  const Foot foot_;
  const std::string nonce_;  // of a page
};

void write_picture(const Picture& picture, const FlameOptions& options, OutputFile& file) {
  TextWriter out([&file](std::string_view text) { file.write(text); });
  PictureWriter writer(picture, options, out);
  if (options.format == PictureFormat::html) {
    writer.write_html();
  } else {
    writer.write_svg();
  }
  out.flush();
}

}  // namespace

void write_flame_graph(const FlameGraph& graph, const FlameOptions& options, OutputFile& out) {
  write_picture(picture_of(graph, options), options, out);
}

void write_flame_chart(const analysis::StackTimeline& timeline, const analysis::FrameTable& frames,
                       const FlameOptions& options, OutputFile& out) {
  write_picture(picture_of(timeline, frames), options, out);
}

}  // namespace perfsift::output
