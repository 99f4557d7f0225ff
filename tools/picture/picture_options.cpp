#include "tools/picture/picture_options.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/number_in.h"
#include "base/printable.h"
#include "options/number_option.h"
#include "tools/picture/output_ending.h"
#include "tools/picture/palette_map.h"

namespace perfsift::tools {
namespace {

constexpr std::string_view picture_endings[] = {".svg", ".html", ".htm"};  // see picture_named()

using output::LeastWidth;
using output::PictureFormat;

bool is_colour(std::string_view text) {
  return text.size() == 7 && text[0] == '#' &&
         std::ranges::all_of(text.substr(1), [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
}

// The tints that flamegraph.pl names.
std::string background_colour(const std::string& name) {
  if (name == "yellow") return "#f8f0d8";
  if (name == "blue") return "#e4e9f4";
  if (name == "green") return "#e2f1e2";
  if (name == "grey") return "#f0f0f0";
  if (name.empty() || is_colour(name)) return name;
  throw UsageError("--background " + name + ": there are #rrggbb, yellow, blue, green and grey");
}

LeastWidth least_width(std::string text) {
  if (text.empty()) return {};
  const std::string given = text;
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  const double number = number_in<double>(text).value_or(-1);
  if (!(number >= 0) || number > (percent ? 100 : 10'000)) {
    throw UsageError("--min-width " + given + ": neither pixels, like 0.5, nor a share, like 0.1%");
  }
  return percent ? LeastWidth{.pixels = 0, .share = number / 100} : LeastWidth{.pixels = number, .share = 0};
}

}  // namespace

std::optional<PictureFormat> picture_named(std::string_view output) {
  if (output.ends_with(".svg")) return PictureFormat::svg;
  if (output.ends_with(".html") || output.ends_with(".htm")) return PictureFormat::html;
  return std::nullopt;
}

void PictureOptions::add_to(options::po::options_description& options) {
  namespace po = options::po;
  auto add = options.add_options();
  add("output,o", po::value(&output_)->value_name("FILE"), "where to write: NAME.svg or NAME.html (standard output)");
  add("format", po::value(&format_)->value_name("svg|html"), "the format, regardless of the name of the output (svg)");
  add("palette", po::value(&palette_)->value_name("NAME"),
      "colours: kind, safe, dso, chain, hot, mem, io, wakeup, or one hue: red, orange, … (kind)");
  add("palette-map", po::value(&palette_map_)->value_name("FILE"),
      "colours of single functions: lines FUNCTION->rgb(R,G,B)");
  add_look_to(options);
}

void PictureOptions::add_look_to(options::po::options_description& options) {
  namespace po = options::po;
  auto add = options.add_options();
  add("title", po::value(&title_)->value_name("TEXT"), "the title of the picture");
  add("subtitle", po::value<std::string>()->value_name("TEXT")->notifier([this](const std::string& text) {
    options_.subtitle = text;
  }),
      "the line below the title (the input and its samples)");
  add("note", po::value(&options_.notes)->value_name("TEXT")->composing(), "a line at the foot; may be repeated");
  add("width", options::number(options_.width, {.least = 100, .most = 100'000})->value_name("PIXELS"),
      "the width of the picture (the width of the window)");
  add("min-width", po::value(&least_width_)->value_name("PIXELS|PERCENT%"),
      "leave out narrower frames until you zoom in (0.25)");
  add("frame-height", options::number(options_.frame_height, {.least = 2, .most = 200})->value_name("PIXELS"),
      "the height of a frame (17)");
  add("font", po::value(&options_.font)->value_name("NAMES"), "the font of names, or a list of fonts");
  add("font-size", options::number(options_.font_size, {.least = 1, .most = 150})->value_name("PIXELS"),
      "the size of the names (12)");
  add("background", po::value(&options_.background)->value_name("COLOUR"),
      "#rrggbb, yellow, blue, green or grey (light or dark, as the viewer prefers)");
  add("inverted", po::bool_switch(&options_.inverted), "draw the root at the top: an icicle graph");
  add("search", po::value(&options_.search)->value_name("REGEX"), "the initial search");
  add("name-type", po::value(&options_.name_type)->value_name("TEXT"), "the word before names in descriptions");
  add("count-name",
      po::value<std::string>()->value_name("TEXT")->notifier([this](const std::string& text) { count_name_ = text; }),
      "the name of the unit (samples, or the event)");
  add("factor", options::number(options_.factor, {.least = 1e-15, .most = 1e15})->value_name("NUMBER"),
      "multiply the amounts that are shown");
}

bool PictureOptions::has_look() const {
  return options_ != output::FlameOptions() || has_title() || has_count_name() || !least_width_.empty();
}

void PictureOptions::check() {
  options_.format = format();
  options_.least_width = least_width(least_width_);
  options_.background = background_colour(options_.background);
  options_.title = title_;
  options_.unit.name = count_name_.value_or("");
  const auto palette = output::palette_named(palette_);
  if (!palette) {
    throw UsageError(fmt::format("--palette {}: there are {}", palette_, fmt::join(output::palette_names(), ", ")));
  }
  options_.palette = *palette;
  if (options_.font.find_first_of("<>&\"(){};\\") != std::string::npos)
    throw UsageError(printable("--font " + options_.font + ": not the name of a font"));
  if (!palette_map_.empty()) options_.colours = palette_map(palette_map_);
}

PictureFormat PictureOptions::format() const {
  if (format_ == "html") return PictureFormat::html;
  if (format_ == "svg") return PictureFormat::svg;
  if (!format_.empty()) throw UsageError("--format " + format_ + ": there are svg and html");
  check_ending(output_, picture_endings, "--format svg and --format html write");
  return picture_named(output_).value_or(PictureFormat::svg);
}

void PictureOptions::note_files(output::RunFiles& files) const {
  if (!palette_map_.empty()) files.reads(palette_map_);
  files.writes(output_);
}

}  // namespace perfsift::tools
