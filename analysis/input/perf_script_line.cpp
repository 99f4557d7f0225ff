#include "analysis/input/perf_script_line.h"

#include <algorithm>

#include "analysis/input/text_scan.h"
#include "base/number_in.h"

namespace perfsift::analysis {
namespace {

bool is_not_space(char c) { return !is_space(c); }

std::optional<std::uint64_t> address_of(std::string_view token) {
  if (!std::all_of(token.begin(), token.end(), is_hex)) return std::nullopt;
  return number_in<std::uint64_t>(token, 16);
}

// "1237.520770" or, with --ns, "1237.520770123", in nanoseconds.
std::optional<std::uint64_t> nanoseconds(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == npos) return std::nullopt;
  const std::string_view digits = text.substr(point + 1);
  const auto seconds = number_in<std::uint64_t>(text.substr(0, point));
  const auto fraction = number_in<std::uint64_t>(digits);
  std::uint64_t time = 0;
  if (!seconds || !fraction || (digits.size() != 6 && digits.size() != 9)) return std::nullopt;
  if (__builtin_mul_overflow(*seconds, 1'000'000'000, &time)) return std::nullopt;
  if (__builtin_add_overflow(time, digits.size() == 6 ? *fraction * 1000 : *fraction, &time)) return std::nullopt;
  return time;
}

// A part of a line, with its position.
struct Token {
  std::string_view text;
  std::size_t start = 0;
  std::size_t end = 0;
};

// The first token that ends with a colon and for which `wanted(token without the colon)` is true.
template <typename Wanted>
std::optional<Token> find_labelled(std::string_view line, Wanted wanted) {
  for (std::size_t start = skip(line, 0, is_space); start < line.size();) {
    const std::size_t end = skip(line, start, is_not_space);
    const std::string_view text = line.substr(start, end - start - 1);
    if (line[end - 1] == ':' && !text.empty() && wanted(text)) return Token{text, start, end};
    start = skip(line, end, is_space);
  }
  return std::nullopt;
}

Token last_token(std::string_view text) {
  const std::size_t end = skip_back(text, text.size(), is_space);
  const std::size_t start = skip_back(text, end, is_not_space);
  return {text.substr(start, end - start), start, end};
}

// perf pads a period to ten columns and a thread id to five, and no thread id has ten digits.
bool has_width_of_period(std::string_view text, const Token& token) {
  return token.end - skip_back(text, token.start, is_space) > 10;
}

bool take_cpu(const Token& token, ScriptHeader& header) {
  const std::string_view text = token.text;
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return false;
  header.cpu = number_in<std::uint32_t>(text.substr(1, text.size() - 2));
  return header.cpu.has_value();
}

bool take_ids(const Token& token, ScriptHeader& header) {
  const std::size_t slash = token.text.find('/');
  const auto first = number_in<std::int32_t>(token.text.substr(0, slash));
  if (!first) return false;
  if (slash == npos) return header.tid = first, true;
  const auto second = number_in<std::int32_t>(token.text.substr(slash + 1));
  if (!second) return false;
  header.pid = first;
  header.tid = second;
  return true;
}

// -F misc: K, U, H, G, g and letters of other records. Only after a number; otherwise the text is part of a name.
bool is_misc(std::string_view text, const Token& token) {
  const auto is_mode = [](char c) { return std::string_view("KUHGgMESp").find(c) != npos; };
  if (token.text.empty() || !std::all_of(token.text.begin(), token.text.end(), is_mode)) return false;
  ScriptHeader before;
  const Token previous = last_token(text.substr(0, token.start));
  return take_cpu(previous, before) || take_ids(previous, before);
}

// "comm pid/tid [cpu] misc", and the period if it may be here. Read from the right, because the name may look like
// anything, but the other fields have a fixed shape.
void read_identity(std::string_view text, bool may_hold_period, ScriptHeader& header) {
  Token token = last_token(text);
  const auto next = [&] {
    text = text.substr(0, token.start);
    token = last_token(text);
  };
  if (may_hold_period && has_width_of_period(text, token)) {
    header.period = number_in<std::uint64_t>(token.text);
    if (header.period) next();
  }
  if (is_misc(text, token)) next();
  if (take_cpu(token, header)) next();
  if (take_ids(token, header)) next();
  header.comm = trimmed(text);
}

// The position of the opening parenthesis that the last byte closes.
std::size_t partner_of_last_parenthesis(std::string_view text) {
  if (!text.ends_with(')')) return npos;
  std::size_t depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && --depth == 0) return at;
  }
  return npos;
}

// The position of the dso's opening parenthesis. Names and paths may contain parentheses and spaces too. The best sign
// for the end of the name is an offset, then the pairing of parentheses, then the beginnings of paths.
std::size_t start_of_dso(std::string_view text) {
  for (std::size_t at = text.find("+0x"); at != npos; at = text.find("+0x", at + 1)) {
    const std::size_t end = skip(text, at + 3, is_hex);
    if (end > at + 3 && text.substr(end).starts_with(" (")) return end + 1;
  }
  if (text.starts_with("[unknown] (")) return std::string_view("[unknown] ").size();
  const std::size_t pair = partner_of_last_parenthesis(text);
  if (pair == 0 || (pair != npos && text[pair - 1] == ' ')) return pair;
  const std::size_t open = std::min(text.find(" (/"), text.find(" (["));
  return open == npos ? npos : open + 1;
}

void read_symbol(std::string_view text, ScriptFrame& frame) {
  const std::size_t digits = skip_back(text, text.size(), is_hex);
  if (digits < text.size() && text.substr(0, digits).ends_with("+0x")) {
    frame.offset = number_in<std::uint64_t>(text.substr(digits), 16);
    if (frame.offset) text = text.substr(0, digits - 3);
  }
  if (text != "[unknown]") frame.symbol = text;
}

// "symbol+0x1f (dso)" with any part missing, "symbol (inlined)".
ScriptFrame read_frame(std::uint64_t address, std::string_view text) {
  ScriptFrame frame{.address = address};
  text = trimmed(text);
  const std::size_t open = start_of_dso(text);
  const std::size_t close = text.rfind(')');
  if (open != npos && close != npos && close > open) {
    const std::string_view dso = text.substr(open + 1, close - open - 1);
    frame.inlined = dso == "inlined";
    if (!frame.inlined && dso != "[unknown]") frame.dso = dso;
    text = trimmed(text.substr(0, open));
  }
  read_symbol(text, frame);
  return frame;
}

// The address of the frame of a sample without a callchain, which comes after other text. The frame's address fills
// seventeen columns and is the last such address with text after it: a data address comes before the frame's address, a
// physical address after it.
std::optional<Token> find_address(std::string_view text) {
  std::optional<Token> best;
  for (std::size_t start = skip(text, 0, is_space); start < text.size();) {
    const std::size_t end = skip(text, start, is_not_space);
    const Token token{text.substr(start, end - start), start, end};
    const std::size_t next = skip(text, end, is_space);
    const std::size_t columns = end - skip_back(text, start, is_space);
    if (columns >= 17 && address_of(token.text) && (next < text.size() || !best)) best = token;
    start = next;
  }
  return best;
}

void read_frame_of_header(std::string_view text, ScriptHeader& header) {
  header.after_event = trimmed(text);
  text = text.substr(0, text.find(" => "));  // the target of a branch
  const auto address = find_address(text);
  header.trace = trimmed(text.substr(0, address ? address->start : npos));
  if (address) header.frame = read_frame(*address_of(address->text), text.substr(address->end));
}

// Reads the text after the time: "period event: …", in which either may be missing. A number alone is a period, unless
// it has the width of an address.
void read_event(std::string_view text, ScriptHeader& header) {
  const std::size_t start = skip(text, 0, is_space);
  const std::size_t digits_end = skip(text, start, is_digit);
  std::size_t name = start;
  if (digits_end > start && (digits_end == text.size() || is_space(text[digits_end]))) {
    name = skip(text, digits_end, is_space);
  }
  const std::size_t name_end = skip(text, name, is_not_space);
  const bool has_event = name_end - name >= 2 && text[name_end - 1] == ':';
  if (name > start && (has_event || (name == text.size() && digits_end < 17))) {
    header.period = number_in<std::uint64_t>(text.substr(start, digits_end - start));
    text = text.substr(name);
    name = 0;
  }
  if (has_event) {
    const std::size_t end = skip(text, name, is_not_space);
    header.event = text.substr(name, end - name - 1);
    text = text.substr(end);
  }
  read_frame_of_header(text, header);
}

void read_untimed(std::string_view line, ScriptHeader& header) {
  if (const auto event = find_labelled(line, [](std::string_view) { return true; })) {
    read_identity(line.substr(0, event->start), true, header);
    header.event = event->text;
    read_frame_of_header(line.substr(event->end), header);
  } else {
    const auto address = find_address(line);
    const std::size_t end = address ? address->start : line.size();
    read_identity(line.substr(0, end), true, header);
    if (address) header.frame = read_frame(*address_of(address->text), line.substr(address->end));
  }
}

}  // namespace

std::optional<ScriptHeader> parse_script_header(std::string_view line) {
  ScriptHeader header;
  if (const auto time = find_labelled(line, [](std::string_view t) { return nanoseconds(t).has_value(); })) {
    header.time = nanoseconds(time->text);
    header.certain = true;
    read_identity(line.substr(0, time->start), false, header);
    const std::string_view rest = line.substr(time->end);
    header.record = trimmed(rest).starts_with("PERF_RECORD_");
    if (!header.record) read_event(rest, header);
    return header;
  }
  header.record = line.find(" PERF_RECORD_") != npos;
  read_untimed(line, header);
  if (header.comm.empty() && header.event.empty() && !header.tid && !header.cpu) return std::nullopt;
  header.certain = header.record || header.frame || (header.tid && (header.cpu || !header.event.empty()));
  return header;
}

std::optional<ScriptFrame> parse_script_frame(std::string_view line) {
  const std::size_t start = skip(line, 0, is_space);
  const std::size_t end = skip(line, start, is_not_space);
  const auto address = address_of(line.substr(start, end - start));
  if (!address) return std::nullopt;
  return read_frame(*address, line.substr(end));
}

}  // namespace perfsift::analysis
