#include "output/flame/picture_data.h"

#include <vector>

#include "output/markup.h"

namespace perfsift::output {
namespace {

using analysis::Amount;
using analysis::FrameId;
using analysis::FrameOrigin;
using analysis::FrameTable;

constexpr std::string_view picture_kinds[] = {"graph", "columns", "lanes"};  // by PictureKind

// Appends numbers as numbers() of tree.js reads them.
class NumberColumn {
 public:
  explicit NumberColumn(TextWriter& out) : out_(out) {}

  void add(std::uint64_t number) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (; number >= 32; number >>= 5) out_.character(digits[32 + number % 32]);
    out_.character(digits[number]);
  }
  // Most values equal the number of samples, or are 0.
  void add(const Amount& amount) {
    const bool own_value = amount.value != amount.samples;
    add(amount.samples * 2 + (own_value ? 1 : 0));
    if (own_value) add(amount.value);
  }

 private:
  TextWriter& out_;
};

// Numbers things in the order of their first use, from 1. 0 stands for none.
class Numbers {
 public:
  explicit Numbers(std::size_t size) : numbers_(size) {}
  std::uint32_t of(std::uint32_t thing) {
    if (thing >= numbers_.size()) return 0;
    std::uint32_t& number = numbers_[thing];
    if (number == 0) {
      used_.push_back(thing);
      number = static_cast<std::uint32_t>(used_.size());
    }
    return number;
  }
  const std::vector<std::uint32_t>& used() const { return used_; }

 private:
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> used_;
};

class DataWriter {
 public:
  DataWriter(const Picture& picture, const Palette& palette, TextWriter& out)
      : picture_(picture),
        table_(*picture.frames),
        palette_(palette),
        out_(out),
        frames_(table_.size()),
        binaries_(table_.binaries().size()),
        files_(table_.files().size()) {}

  void write_nodes() {
    out_.format(",\"count\":{},\"nodes\":\"", picture_.nodes.size());
    NumberColumn column(out_);
    std::uint32_t next_depth = 0;  // of a child of the node before
    for (std::size_t node = 0; node < picture_.nodes.size(); ++node) {
      const PictureNode& data = picture_.nodes[node];
      column.add(next_depth - data.depth);
      next_depth = data.depth + 1;
      column.add(frames_.of(data.frame));
      column.add(data.self);
      if (picture_.is_difference()) {
        column.add(picture_.changes[node].self_before);
        column.add(std::uint64_t{picture_.changes[node].colour});
      }
      out_.text({});  // hands on what is enough for the file
    }
    out_.character('"');
  }

  // [text, class, kind, binary, file, line], without zeros at the end.
  void write_frames() {
    out_.text(",\n\"frames\":[[\"\"]");
    for (const FrameId frame : frames_.used()) {
      const FrameOrigin& origin = table_.origin(frame);
      const unsigned kind =
          static_cast<unsigned>(origin.kind) + (origin.inlined ? 8u : 0u) + (origin.unnamed ? 16u : 0u);
      const std::uint32_t numbers[] = {palette_.class_of(frame), kind, binaries_.of(origin.binary),
                                       files_.of(origin.file), origin.line};
      out_.text(",\n[");
      out_.text(json_text(shown_name(table_.text(frame))));
      std::size_t count = std::size(numbers);
      while (count > 0 && numbers[count - 1] == 0) --count;
      for (const std::uint32_t number : std::span(numbers).first(count)) {
        out_.character(',');
        out_.decimal(number);
      }
      out_.character(']');
    }
    out_.character(']');
    write_texts("binaries", binaries_, [&](std::uint32_t i) { return std::string_view(table_.binaries()[i].path); });
    write_texts("files", files_, [&](std::uint32_t i) { return std::string_view(table_.files()[i]); });
  }

 private:
  template <typename TextOf>
  void write_texts(std::string_view name, const Numbers& numbers, TextOf&& text_of) {
    out_.format(",\n\"{}\":[", name);
    bool first = true;
    for (const std::uint32_t thing : numbers.used()) {
      if (!first) out_.character(',');
      first = false;
      out_.text(json_text(text_of(thing)));
    }
    out_.character(']');
  }

  const Picture& picture_;
  const FrameTable& table_;
  const Palette& palette_;
  TextWriter& out_;
  Numbers frames_, binaries_, files_;
};

void write_texts(const std::vector<std::string>& texts, TextWriter& out) {
  out.character('[');
  bool first = true;
  for (const std::string& text : texts) {
    if (!first) out.character(',');
    first = false;
    out.text(json_text(text));
  }
  out.character(']');
}

// The units of the columns, from left to right.
void write_units(const Picture& picture, const FlameOptions& options, TextWriter& out) {
  out.text(",\"units\":[");
  for (std::size_t column = 1; column < picture.nodes.size(); column = picture.nodes[column].end) {
    const auto own = options.units.find(picture.frames->text(picture.nodes[column].frame));
    const AmountUnit& unit = own != options.units.end() ? own->second : options.unit;
    out.format("{}{{\"name\":{},\"nanoseconds\":{}}}", column == 1 ? "" : ",", json_text(unit.name), unit.nanoseconds);
  }
  out.character(']');
}

void write_settings(const Picture& picture, const FlameOptions& options, const Measures& measures, TextWriter& out) {
  out.format("{{\"kind\":\"{}\",\"inverted\":{},\"width\":{},\"minWidth\":{},\"minShare\":{}",
             picture_kinds[static_cast<std::size_t>(picture.kind)], options.inverted, options.width,
             options.least_width.pixels, options.least_width.share);
  out.format(",\"rowHeight\":{},\"baseline\":{},\"fontSize\":{}", measures.row, measures.baseline, measures.font);
  out.format(",\"countName\":{},\"nanoseconds\":{},\"factor\":{},\"nameType\":{},\"search\":{},\"reversed\":{}",
             json_text(options.unit.name), options.unit.nanoseconds, options.factor, json_text(options.name_type),
             json_text(options.search), options.reversed);
  if (picture.kind == PictureKind::columns) write_units(picture, options, out);
  out.format(",\"title\":{},\"subtitle\":{},\"notes\":", json_text(options.title),
             json_text(options.subtitle.value_or("")));
  write_texts(options.notes, out);
  if (picture.is_difference()) {
    const unsigned insignificant = DifferencePalette::insignificant;
    out.format(",\"difference\":{{\"scale\":{},\"shares\":{},\"insignificant\":{}}}", picture.scale_before,
               picture.of_shares, insignificant);
  }
}

}  // namespace

void write_picture_data(const Picture& picture, const FlameOptions& options, const Measures& measures,
                        const Palette& palette, TextWriter& out) {
  write_settings(picture, options, measures, out);
  DataWriter data(picture, palette, out);
  data.write_nodes();
  data.write_frames();
  out.character('}');
}

}  // namespace perfsift::output
