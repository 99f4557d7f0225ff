#include "analysis/input/stackcollapse_perf.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/path.h"
#include "base/printable.h"

namespace perfsift::analysis {
namespace {

// More distinct lines than any real recording has. A text crafted to have more only loses the benefit of the cache.
constexpr std::size_t most_known_lines = 1'000'000;

struct SampleHeader {
  std::string_view comm;
  std::string_view first;   // the number after the name
  std::string_view second;  // the number after a slash, if there is one
};

struct EventField {
  std::string_view period;  // empty when not printed
  std::string_view name;
};

struct StackLine {
  std::string_view address;
  std::string_view function;
  std::string_view module;
};

// The name (at least two bytes, of any value) is as short as the rest of the pattern allows: white space, a number,
// optionally slashes and another number, white space.
std::optional<SampleHeader> match_header(std::string_view line) {
  if (line.empty() || is_space(line[0])) return std::nullopt;
  for (std::size_t at = 2; at < line.size(); ++at) {
    if (!is_space(line[at])) continue;
    const std::size_t first = skip(line, at, is_space);
    const std::size_t first_end = skip(line, first, is_digit);
    const std::size_t second = skip(line, first_end, [](char c) { return c == '/'; });
    const std::size_t second_end = skip(line, second, is_digit);
    if (first_end > first && second_end < line.size() && is_space(line[second_end])) {
      return SampleHeader{line.substr(0, at), line.substr(first, first_end - first),
                          line.substr(second, second_end - second)};
    }
    at = first - 1;
  }
  return std::nullopt;
}

// ": PERIOD EVENT:" or ": EVENT:", then only white space. A line with another end (a tracepoint with its fields) has no
// event.
std::optional<EventField> match_event(std::string_view line) {
  const std::size_t end = skip_back(line, line.size(), is_space);
  const std::size_t name = skip_back(line, end, [](char c) { return !is_space(c); });
  if (end - name < 2 || line[end - 1] != ':') return std::nullopt;
  const std::size_t period_end = skip_back(line, name, is_space);
  const std::size_t period = skip_back(line, period_end, is_digit);
  const std::size_t colon = skip_back(line, period, is_space);
  if (period_end == name || colon == 0 || line[colon - 1] != ':') return std::nullopt;
  return EventField{line.substr(period, period_end - period), line.substr(name, end - 1 - name)};
}

// White space, a word, white space, the function, " (module)". The parts are greedy from the left, but give back
// characters that the next part needs: the module opens at the last " (" before the last ")", and a word directly
// before the module gives its last letter to the function.
std::optional<StackLine> match_stack_line(std::string_view line) {
  const std::size_t address = skip(line, 0, is_space);
  const std::size_t address_end = skip(line, address, is_word);
  const std::size_t close = line.rfind(')');
  if (address_end == address || close == npos || close < 2) return std::nullopt;
  const std::size_t open = line.rfind(" (", close - 2);
  if (open == npos || open < address + 2) return std::nullopt;
  const std::size_t function = std::min(skip(line, address_end, is_space), open - 1);
  return StackLine{line.substr(address, std::min(address_end, function) - address),
                   line.substr(function, open - function), line.substr(open + 2, close - open - 2)};
}

std::string_view without_offset(std::string_view function) {
  const std::size_t digits = skip_back(function, function.size(), is_hex);
  const bool has_offset = digits < function.size() && function.substr(0, digits).ends_with("+0x");
  return has_offset ? function.substr(0, digits - 3) : function;
}

// Drops empty fields at the end, as Perl's split does.
std::vector<std::string_view> split_calls(std::string_view function) {
  std::vector<std::string_view> calls;
  for (std::size_t start = 0; start <= function.size();) {
    const std::size_t arrow = std::min(function.find("->", start), function.size());
    calls.push_back(function.substr(start, arrow - start));
    start = arrow + 2;
  }
  while (!calls.empty() && calls.back().empty()) calls.pop_back();
  return calls;
}

// ".(" followed by ").": a Go method such as net/http.(*Client).Do.
bool looks_like_go_method(std::string_view function) {
  const std::size_t open = function.find(".(");
  const std::size_t close = function.rfind(").");
  return open != npos && close != npos && close >= open + 2;
}

std::size_t start_of_arguments(std::string_view function) {
  std::size_t at = function.find('(');
  while (at != npos && function.substr(at).starts_with("(anonymous namespace)")) at = function.find('(', at + 1);
  return at;
}

void tidy(std::string& function, bool java) {
  std::replace(function.begin(), function.end(), ';', ':');
  if (!looks_like_go_method(function)) function.resize(std::min(start_of_arguments(function), function.size()));
  std::erase_if(function, [](char c) { return c == '"' || c == '\''; });
  if (java && function.starts_with('L') && function.find('/') != npos) function.erase(0, 1);
}

bool is_perf_map(std::string_view module) {
  constexpr std::string_view prefix = "/tmp/perf-";
  for (std::size_t at = module.find(prefix); at != npos; at = module.find(prefix, at + 1)) {
    const std::size_t pid = at + prefix.size();
    const std::size_t pid_end = skip(module, pid, is_digit);
    if (pid_end > pid && module.substr(pid_end).starts_with(".map")) return true;
  }
  return false;
}

bool is_kernel(std::string_view module) {
  return (module.starts_with('[') || module.ends_with("vmlinux")) && module.find("unknown") == npos;
}

std::string without_brackets(std::string_view text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('[', at), text.size());
    const std::size_t close = text.find(']', open);
    kept += text.substr(at, close == npos ? npos : open - at);
    at = close == npos ? text.size() : close + 1;
  }
  return kept;
}

}  // namespace

PerlNumber::PerlNumber(std::string_view digits) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), integer_);
  if (error != std::errc::result_out_of_range) return;
  exact_ = false;
  real_ = std::strtod(std::string(digits).c_str(), nullptr);
}

PerlNumber& PerlNumber::operator+=(const PerlNumber& other) {
  std::uint64_t sum = 0;
  if (exact_ && other.exact_ && !__builtin_add_overflow(integer_, other.integer_, &sum)) {
    integer_ = sum;
  } else {
    real_ = as_double() + other.as_double();
    exact_ = false;
  }
  return *this;
}

std::string PerlNumber::text() const {
  if (exact_) return fmt::format("{}", integer_);
  return std::isinf(real_) ? "Inf" : fmt::format("{:.15g}", real_);
}

StackcollapsePerf::StackcollapsePerf(StackcollapseOptions options, Notice notice)
    : options_(std::move(options)), notice_(std::move(notice)) {}

// The kinds of lines are tried in the script's order. A source line is taken with any contents.
void StackcollapsePerf::line(std::string_view line) {
  if (!waiting_.empty()) return take_source_line(line);
  if (line.starts_with('#')) return;
  if (line.empty()) return end_sample();
  if (!start_sample(line) && !add_stack_line(line)) notify("Unrecognized line: ", line);
}

bool StackcollapsePerf::start_sample(std::string_view line) {
  const auto header = match_header(line);
  if (!header) return false;

  std::string_view period;
  if (const auto event = match_event(line)) {
    period = event->period;
    if (options_.event_filter.empty()) {
      options_.event_filter = event->name;
      event_defaulted_ = true;
    } else if (event->name != options_.event_filter) {
      // The sample before stays the current sample: it also gets these stack lines, if no empty line ended it.
      if (event_defaulted_ && !std::exchange(event_notice_given_, true)) {
        notify("Filtering for events of type: ", event->name);
      }
      return true;
    }
  }
  period_ = PerlNumber(period.empty() || period == "0" ? "1" : period);

  // "0" is false in Perl, so the idle task's 0/0 counts as a lone thread id.
  const bool both = !header->second.empty() && header->second != "0";
  const std::string_view pid = both ? header->first : "?";
  const std::string_view tid = both ? header->second : header->first;
  process_ = header->comm;
  if (options_.tid) {
    process_ += fmt::format("-{}/{}", pid, tid);
  } else if (options_.pid) {
    process_ += fmt::format("-{}", pid);
  }
  std::replace(process_.begin(), process_.end(), ' ', '_');
  java_ = process_.starts_with("java");
  return true;
}

bool StackcollapsePerf::add_stack_line(std::string_view line) {
  auto& known = known_lines_[java_ ? 1 : 0];
  if (const auto found = known.find(line); found != known.end() && !process_.empty()) {
    stack_ += found->second;
    return true;
  }
  const auto match = match_stack_line(line);
  if (!match) return false;
  if (process_.empty()) return true;

  std::vector<Part> parts = parts_of(match->address, match->function, match->module);
  if (options_.srcline) {
    waiting_ = std::move(parts);
    settle_source_lines();
    return true;
  }
  Names names;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) push_leaf_first(part->text, names);
  stack_ += names;
  if (known.size() >= most_known_lines) known.clear();
  known.emplace(line, std::move(names));
  return true;
}

void StackcollapsePerf::end_sample() {
  if (process_.empty()) return;
  ++samples_;
  push_leaf_first(process_, stack_);
  std::reverse(stack_.begin(), stack_.end());
  counts_[stack_] += period_;
  stack_.clear();
  process_.clear();
  java_ = false;
}

void StackcollapsePerf::take_source_line(std::string_view line) {
  const std::string cleared = without_brackets(line);
  if (const auto place = trimmed(cleared); !place.empty()) waiting_[next_waiting_].text.append(":").append(place);
  ++next_waiting_;
  settle_source_lines();
}

// Skips functions that take no source line; the last function completes the stack line.
void StackcollapsePerf::settle_source_lines() {
  while (next_waiting_ < waiting_.size() && !waiting_[next_waiting_].takes_source_line) ++next_waiting_;
  if (next_waiting_ < waiting_.size()) return;
  for (auto part = waiting_.rbegin(); part != waiting_.rend(); ++part) push_leaf_first(part->text, stack_);
  waiting_.clear();
  next_waiting_ = 0;
}

std::vector<StackcollapsePerf::Part> StackcollapsePerf::parts_of(std::string_view address, std::string_view function,
                                                                 std::string_view module) const {
  std::vector<Part> parts;
  function = without_offset(function);
  if (function.starts_with('(')) return parts;  // the script means process names by this
  bool unknown = false;                         // once true, true for the rest of the line
  for (const std::string_view call : split_calls(function)) {
    std::string text(call);
    if (call == "[unknown]") {
      unknown = unknown || module == "[unknown]";
      const std::string_view file = module == "[unknown]" ? "unknown" : base_name(module);
      text = options_.addrs ? fmt::format("[{} <{}>]", file, address) : fmt::format("[{}]", file);
    }
    tidy(text, java_);
    parts.push_back({annotated(std::move(text), !parts.empty(), module), !unknown});
  }
  return parts;
}

std::string StackcollapsePerf::annotated(std::string function, bool inlined, std::string_view module) const {
  const auto add_once = [&](const char* mark) {
    if (function.find(mark) == npos) function += mark;
  };
  if (inlined) {
    add_once("_[i]");
  } else if (options_.kernel && is_kernel(module)) {
    function += "_[k]";
  } else if (options_.jit && is_perf_map(module)) {
    add_once("_[j]");
  }
  return function;
}

// A process name or a source line may contain semicolons; the folded text then has more names.
void StackcollapsePerf::push_leaf_first(std::string_view text, Names& names) {
  while (true) {
    const std::size_t start = text.rfind(';') + 1;  // npos + 1 is 0
    const std::string_view name = text.substr(start);
    const auto known = name_ids_.find(name);
    names.push_back(known != name_ids_.end() ? known->second : add_name(name));
    if (start == 0) return;
    text = text.substr(0, start - 1);
  }
}

// Names that look alike when printed share one id. stackcollapse-perf.pl prints control characters unescaped.
StackcollapsePerf::NameId StackcollapsePerf::add_name(std::string_view name) {
  const auto [known, is_new] = name_ids_.try_emplace(printable(name), static_cast<NameId>(names_.size()));
  if (is_new) names_.push_back(&known->first);
  const NameId id = known->second;
  name_ids_.try_emplace(std::string(name), id);
  return id;
}

// Compares the folded texts without building them. The first different names decide: a name that is not the last is
// followed by a semicolon, and names contain none, so the texts differ within the name or its semicolon.
bool StackcollapsePerf::before(const Names& a, const Names& b) const {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_a == a.end() || in_b == b.end()) return a.size() < b.size();
  const std::string& name_a = *names_[*in_a];
  const std::string& name_b = *names_[*in_b];
  const std::size_t common = std::min(name_a.size(), name_b.size());
  if (const int order = name_a.compare(0, common, name_b, 0, common); order != 0) return order < 0;
  if (name_a.size() == common) return in_a + 1 == a.end() || ';' < static_cast<unsigned char>(name_b[common]);
  return in_b + 1 != b.end() && static_cast<unsigned char>(name_a[common]) < ';';
}

void StackcollapsePerf::write(const std::function<void(std::string_view line)>& write_line) const {
  std::vector<const std::pair<const Names, PerlNumber>*> sorted;
  sorted.reserve(counts_.size());
  for (const auto& entry : counts_) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [&](const auto* a, const auto* b) { return before(a->first, b->first); });

  std::string text;
  for (const auto* entry : sorted) {
    text.clear();
    for (const NameId name : entry->first) text.append(*names_[name]).append(1, ';');
    text.back() = ' ';
    text += entry->second.text();
    write_line(text);
  }
}

void StackcollapsePerf::notify(std::string_view what, std::string_view which) const {
  if (notice_) notice_(fmt::format("{}{}", what, which));
}

}  // namespace perfsift::analysis
