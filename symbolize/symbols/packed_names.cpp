#include "symbolize/symbols/packed_names.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/text_scanner.h"

namespace perfsift::symbolize {

namespace {

constexpr std::string_view first_line = "perfsift-names\t1";

bool is_escaped(char c) { return c == '%' || static_cast<unsigned char>(c) < ' ' || c == 0x7f; }

std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (is_escaped(c))
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      text += c;
  }
  return text;
}

std::string unescaped(std::string_view text) {
  std::string name;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string_view digits = text.substr(at + 1, 2);
    const auto byte = text[at] == '%' && digits.size() == 2 ? take_hex(digits) : std::nullopt;
    const bool is_byte = byte && digits.empty();
    name += is_byte ? static_cast<char>(*byte) : text[at];
    if (is_byte) at += 2;
  }
  return name;
}

// Removes the next word of a line.
std::string_view take_word(std::string_view& line) {
  const std::size_t end = line.find('\t');
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return word;
}

std::optional<std::uint64_t> take_number(std::string_view& line) {
  std::string_view word = take_word(line);
  const auto number = take_hex(word);
  return word.empty() ? number : std::nullopt;
}

// A table whose frames were read from the same text.
class PackedNames : public SymbolTable {
 public:
  explicit PackedNames(std::string_view text) {
    while (!text.empty()) read_line(take_line(text));
    finish();
  }

  void append_source_frames_at(std::uint64_t offset, std::uint64_t /*time*/,
                               std::vector<SourceFrame>& frames) const override {
    const auto found = frames_.find(offset);
    if (found != frames_.end()) frames.insert(frames.end(), found->second.begin(), found->second.end());
  }

 private:
  void read_line(std::string_view line) {
    const std::string_view kind = take_word(line);
    if (kind == "missing") return set_missing(reason_of(line));
    if (kind == "S") return read_symbol(line);
    if (kind == "F") return read_frame(line);
    const auto number = take_number(line);
    if (!number) return;
    if (kind == "A") at_ = *number;
    if (kind == "mangled") set_mangled(*number != 0);
    if (kind == "entry") set_entry(*number);
  }

  void read_symbol(std::string_view line) {
    const auto start = take_number(line), end = take_number(line), binding = take_number(line);
    if (!start || !end || !binding || *end < *start || *binding > static_cast<std::uint64_t>(Binding::weak)) return;
    add({.start = *start, .end = *end, .name = text_of(line), .binding = static_cast<Binding>(*binding)});
  }

  void read_frame(std::string_view line) {
    const auto inlined = take_number(line), mangled = take_number(line), row = take_number(line),
               column = take_number(line);
    if (!at_ || !inlined || !mangled || !row || !column) return;
    const std::string_view file = text_of(take_word(line));
    frames_[*at_].push_back(
        {.name = text_of(line),
         .mangled = *mangled != 0,
         .inlined = *inlined != 0,
         .place = {
             .file = file, .line = static_cast<std::uint32_t>(*row), .column = static_cast<std::uint32_t>(*column)}});
  }

  // Equal texts are stored once: names of functions come again and again.
  std::string_view text_of(std::string_view word) {
    const auto known = texts_.find(word);
    if (known != texts_.end()) return known->second;
    const std::string_view text = own(unescaped(word));
    return texts_.try_emplace(std::string(word), text).first->second;
  }

  std::optional<std::uint64_t> at_;
  std::map<std::uint64_t, std::vector<SourceFrame>> frames_;
  std::map<std::string, std::string_view, std::less<>> texts_;  // by word
};

void append_frames(const SymbolFile& names, std::uint64_t offset, std::string& text) {
  std::vector<SourceFrame> frames;
  names.append_source_frames(offset, frames);
  if (frames.empty()) return;
  text += fmt::format("A\t{:x}\n", offset);
  for (const SourceFrame& frame : frames)
    text += fmt::format("F\t{:d}\t{:d}\t{:x}\t{:x}\t{}\t{}\n", frame.inlined, frame.mangled, frame.place.line,
                        frame.place.column, escaped(frame.place.file), escaped(frame.name));
}

}  // namespace

std::string packed_names(const SymbolFile& names, const std::set<std::uint64_t>& offsets) {
  std::string text = fmt::format("{}\nmangled\t{:d}\n", first_line, names.mangled());
  if (names.entry()) text += fmt::format("entry\t{:x}\n", *names.entry());
  text += fmt::format("missing\t{}\n", describe(names.why_missing()));
  const Symbol* last = nullptr;
  for (const std::uint64_t offset : offsets) {
    if (const Symbol* const symbol = names.find(offset); symbol != nullptr && symbol != last) {
      text += fmt::format("S\t{:x}\t{:x}\t{:x}\t{}\n", symbol->start, symbol->end,
                          static_cast<unsigned>(symbol->binding), escaped(symbol->name));
      last = symbol;
    }
    append_frames(names, offset, text);
  }
  return text;
}

std::unique_ptr<SymbolTable> read_packed_names(std::string_view text) {
  if (take_line(text) != first_line) return nullptr;
  return std::make_unique<PackedNames>(text);
}

}  // namespace perfsift::symbolize
