#include "reader/tracepoint/print/format.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "reader/tracepoint/field_content.h"
#include "reader/tracepoint/print/byte_texts.h"
#include "reader/tracepoint/print/parser.h"
#include "reader/tracepoint/print/tokens.h"

namespace perfsift::reader::print {

namespace {

// The kernel formats into a buffer of two pages (TRACE_SEQ_BUFFER_SIZE) of at most 64 KiB each.
constexpr std::size_t longest = 1 << 17;
constexpr int widest = 1 << 12;
constexpr int most_bytes = 64;  // of %*ph: hex_string()

// The letters after %p that matter; the kernel skips other letters (pointer() in lib/vsprintf.c). Nothing for an
// unknown extension, or one that refers to memory outside the raw data.
std::optional<std::string> known_extension(std::string_view letters) {
  if (letters.empty()) return std::string{};
  const auto with_one_of = [&](std::string_view base, std::string_view options) {
    const bool has = letters.size() > base.size() && options.find(letters[base.size()]) != std::string_view::npos;
    return std::string(letters.substr(0, base.size() + (has ? 1 : 0)));
  };
  switch (letters[0]) {
    case 'K':
    case 'x':
    case 's':
      return std::string(letters.substr(0, 1));
    case 'S':
      if (letters.size() > 1) return std::nullopt;  // %pSR, %pSb
      return std::string(letters);
    case 'f':
    case 'F':
      if (letters.starts_with("fw")) return std::nullopt;
      return std::string(letters.substr(0, 1));
    case 'M':
      return with_one_of("M", "FR");
    case 'm':
      return with_one_of("m", "R");
    case 'U':
      return with_one_of("U", "bBlL");
    case 'h':
      return with_one_of("h", "CDN");
    case 'b':
      return with_one_of("b", "l");
    case 'a':
      return std::string("a");
    case 'I':
    case 'i':
      break;
    default:
      return std::nullopt;
  }
  const auto family = letters.substr(0, 2);
  if (family.ends_with('4')) return with_one_of(family, "hnbl");
  if (family.ends_with('6')) return with_one_of(family, "c");
  if (!family.ends_with('S')) return std::nullopt;
  const auto options = letters.substr(2, letters.substr(2).find_first_not_of("pfschnbl"));
  if (options.find_first_of("fs") != std::string_view::npos) return std::nullopt;
  return std::string(family) + std::string(options);
}

bool takes_memory(std::string_view extension) {
  return !extension.empty() && std::string_view("IiMmUhba").find(extension[0]) != std::string_view::npos;
}

}  // namespace

// Splits the text into pieces.
class Format::Reader {
 public:
  Reader(Format& format, const std::string& text, unsigned long_size)
      : format_(format), in_(text), long_size_(static_cast<std::uint8_t>(long_size)) {}

  bool read() {
    Piece piece;
    while (!in_.done()) {
      const char c = in_.next();
      if (c != '%' || in_.accept("%")) {
        piece.before += c;
        continue;
      }
      if (!read_conversion(piece)) return false;
      format_.pieces_.push_back(std::exchange(piece, {}));
    }
    format_.pieces_.push_back(piece);
    return next_argument_ == format_.arguments_.size();
  }

 private:
  bool read_conversion(Piece& piece) {
    piece.flags = in_.take("-+ #0");
    if (!read_number(piece.width, piece.width_argument)) return false;
    if (in_.accept(".")) {
      piece.precision = 0;
      if (!read_number(piece.precision, piece.precision_argument)) return false;
    }
    piece.size = read_size();
    piece.conversion = in_.next();
    if (piece.conversion == 'i') piece.conversion = 'd';
    const auto argument = take_argument();
    if (!argument) return false;
    piece.argument = *argument;
    const Type& type = format_.arguments_[*argument].type;
    switch (piece.conversion) {
      case 'd':
      case 'u':
      case 'x':
      case 'X':
      case 'o':
      case 'c':
        return type.is_scalar();
      case 's':
        return !type.is_scalar() || type.size == long_size_;
      case 'p':
        return read_extension(piece) &&
               (takes_memory(piece.extension) ? type.kind == Type::Kind::memory : type.is_scalar());
      default:
        return false;
    }
  }

  // A number, or an asterisk that stands for an argument.
  bool read_number(int& number, std::optional<std::size_t>& argument) {
    if (in_.accept("*")) {
      argument = take_argument();
      return argument && format_.arguments_[*argument].type.is_scalar();
    }
    const auto digits = in_.take(Scanner::digits);
    if (digits.size() > 4) return false;
    if (!digits.empty()) number = std::stoi(std::string(digits));
    return number <= widest;
  }

  std::uint8_t read_size() {
    if (in_.accept("hh")) return 1;
    if (in_.accept("h")) return 2;
    for (const std::string_view eight : {"ll", "L", "q", "j"})
      if (in_.accept(eight)) return 8;
    for (const std::string_view as_long : {"l", "z", "Z", "t"})
      if (in_.accept(as_long)) return long_size_;
    return 4;
  }

  bool read_extension(Piece& piece) {
    std::string letters;
    while (std::isalnum(static_cast<unsigned char>(in_.peek())) != 0) letters += in_.next();
    auto known = known_extension(letters);
    if (known) piece.extension = std::move(*known);
    return known.has_value();
  }

  std::optional<std::size_t> take_argument() {
    return next_argument_ < format_.arguments_.size() ? std::optional(next_argument_++) : std::nullopt;
  }

  Format& format_;
  Scanner in_;
  std::uint8_t long_size_;
  std::size_t next_argument_ = 0;
};

// Prints one sample.
class Format::Writer {
 public:
  Writer(const Format& format, const Sample& sample) : format_(format), sample_(sample), evaluation_(sample) {}

  std::optional<std::string> write() {
    for (const Piece& piece : format_.pieces_) {
      out_ += piece.before;
      if (piece.conversion != '\0') write(piece);
      if (!evaluation_.ok() || out_.size() > longest) return std::nullopt;
    }
    return std::move(out_);
  }

 private:
  struct Layout {
    bool left = false, zeros = false, plus = false, blank = false, prefixed = false;
    int width = 0;
    int precision = -1;
  };

  void write(const Piece& piece) {
    const Expression& argument = format_.arguments_[piece.argument];
    const Layout layout = layout_of(piece);
    switch (piece.conversion) {
      case 's':
        return pad(evaluation_.text(argument).substr(0, limit(layout.precision)), layout);
      case 'c':
        return pad(character(evaluation_.number(argument)), layout);
      case 'p':
        return write_pointer(piece, argument, layout);
      default:
        return pad(number(evaluation_.number(argument), piece, layout), layout);
    }
  }

  static std::size_t limit(int precision) {
    return precision < 0 ? std::string::npos : static_cast<std::size_t>(precision);
  }

  // A NUL prints as nothing.
  static std::string character(std::uint64_t value) {
    const auto c = static_cast<char>(value & 0xff);
    return c == '\0' ? std::string{} : std::string(1, c);
  }

  Layout layout_of(const Piece& piece) {
    const auto has = [&](char flag) { return piece.flags.find(flag) != std::string::npos; };
    Layout layout{.left = has('-'), .zeros = has('0'), .plus = has('+'), .blank = has(' '), .prefixed = has('#')};
    layout.width = piece.width_argument ? number_at(*piece.width_argument) : std::max(piece.width, 0);
    layout.precision = piece.precision_argument ? number_at(*piece.precision_argument) : piece.precision;
    if (layout.width < 0) layout.left = true, layout.width = -layout.width;
    if (layout.left) layout.zeros = false;
    return layout;
  }

  // A width or precision.
  int number_at(std::size_t argument) {
    const auto value = static_cast<std::int64_t>(converted(evaluation_.number(format_.arguments_[argument]), int_type));
    return static_cast<int>(std::clamp<std::int64_t>(value, -widest, widest));
  }

  void pad(std::string_view text, const Layout& layout) {
    const auto width = static_cast<std::size_t>(layout.width);
    const std::size_t blanks = width > text.size() ? width - text.size() : 0;
    if (!layout.left) out_.append(blanks, ' ');
    out_ += text;
    if (layout.left) out_.append(blanks, ' ');
  }

  // Prints a number as printf() does, but without padding.
  static std::string number(std::uint64_t value, const Piece& piece, const Layout& layout) {
    const Type type{.size = piece.size, .is_signed = piece.conversion == 'd'};
    value = converted(value, type);
    const bool negative = type.is_signed && static_cast<std::int64_t>(value) < 0;
    if (negative) value = 0 - value;

    std::string sign = negative ? "-" : "";
    if (type.is_signed && !negative) sign = layout.plus ? "+" : layout.blank ? " " : "";
    std::string digits = digits_of(value, piece.conversion);
    if (value == 0 && layout.precision == 0) digits.clear();
    if (layout.prefixed && value != 0 && piece.conversion == 'x') sign = "0x";
    if (layout.prefixed && value != 0 && piece.conversion == 'X') sign = "0X";
    const auto least = static_cast<std::size_t>(std::max(layout.precision, 0));
    if (digits.size() < least) digits.insert(0, least - digits.size(), '0');
    if (layout.prefixed && piece.conversion == 'o' && !digits.starts_with('0')) digits.insert(0, "0");

    const std::size_t size = sign.size() + digits.size();
    const auto width = static_cast<std::size_t>(layout.width);
    if (layout.zeros && layout.precision < 0 && size < width) digits.insert(0, width - size, '0');
    return sign + digits;
  }

  static std::string digits_of(std::uint64_t value, char conversion) {
    switch (conversion) {
      case 'x':
        return fmt::format("{:x}", value);
      case 'X':
        return fmt::format("{:X}", value);
      case 'o':
        return fmt::format("{:o}", value);
      default:
        return fmt::format("{}", value);
    }
  }

  void write_pointer(const Piece& piece, const Expression& argument, const Layout& layout) {
    if (!takes_memory(piece.extension))
      return pad(address(evaluation_.number(argument), argument.type, piece.extension), layout);
    const Bytes bytes = evaluation_.memory(argument);
    if (!evaluation_.ok()) return;
    const auto text = of_memory(bytes, piece.extension, layout.width);
    if (!text) return evaluation_.fail();
    out_ += *text;
  }

  std::string address(std::uint64_t value, const Type& type, std::string_view style) const {
    const std::uint64_t address = bits_of(value, type);
    if (style.empty() || style == "K") return address == 0 ? "(nil)" : fmt::format("0x{:x}", address);
    if (style == "x") return fmt::format("{:0{}x}", address, 2 * sample_.long_size);
    const auto function = sample_.kernel.function(address);
    if (!function) return fmt::format("0x{:x}", address);
    const bool with_offset = style == "S" || style == "F";
    return with_offset ? fmt::format("{}+0x{:x}", function->name, address - function->address) : function->name;
  }

  // The width of %*ph counts bytes, the width of %*pb bits.
  std::optional<std::string> of_memory(Bytes bytes, std::string_view style, int width) const {
    switch (style[0]) {
      case 'M':
      case 'm':
        return mac_address(bytes, style);
      case 'U':
        return uuid(bytes, style);
      case 'h':
        return hex_string(bytes, style, width);
      case 'b':
        return bitmap(bytes, style, static_cast<std::size_t>(width));
      case 'a':
        return physical_address(bytes);
      default:
        return ip_address(bytes, style, sample_.order);
    }
  }

  static std::string hex_string(Bytes bytes, std::string_view style, int width) {
    const auto count = std::min<std::size_t>(static_cast<std::size_t>(std::min(width, most_bytes)), bytes.size());
    const auto* const separator = style == "hC" ? ":" : style == "hD" ? "-" : style == "hN" ? "" : " ";
    return bytes_in_hex(bytes.first(count), separator);
  }

  std::optional<std::string> bitmap(Bytes bytes, std::string_view style, std::size_t bits) const {
    if (bits > bytes.size() * 8) return std::nullopt;
    if (style == "bl") return ranges_of_bits(bytes, sample_.order, sample_.long_size, bits);
    if (bits % (8U * sample_.long_size) != 0) return std::nullopt;
    return bits_in_hex(bytes.first(bits / 8), sample_.order, sample_.long_size);
  }

  std::optional<std::string> physical_address(Bytes bytes) const {
    const auto value = field_number(bytes, false, sample_.order);
    if (!value || bytes.size() < 4) return std::nullopt;
    return fmt::format("0x{:0{}x}", *value, 2 * bytes.size());
  }

  const Format& format_;
  const Sample& sample_;
  Evaluation evaluation_;
  std::string out_;
};

std::optional<Format> Format::parse(std::string_view text, const std::vector<TracepointField>& fields,
                                    unsigned long_size) {
  Scanner in(text);
  std::string literal;
  in.skip_blanks();
  if (in.peek() != '"') return std::nullopt;
  for (; in.accept("\""); in.skip_blanks()) {
    const auto part = quoted(in, '"');
    if (!part) return std::nullopt;
    literal += *part;
  }
  // The kernel does not escape quotes inside the text: the rest is then no list of arguments.
  if (!in.accept(",") && !in.done()) return std::nullopt;
  auto arguments = parse_arguments(in.rest(), fields, long_size);
  if (!arguments) return std::nullopt;
  Format format;
  format.arguments_ = std::move(*arguments);
  return Reader(format, literal, long_size).read() ? std::optional(std::move(format)) : std::nullopt;
}

std::optional<std::string> Format::print(const Sample& sample) const { return Writer(*this, sample).write(); }

}  // namespace perfsift::reader::print
