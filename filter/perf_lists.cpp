#include "filter/perf_lists.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/number_in.h"

namespace perfsift::filter {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

[[noreturn]] void refuse(std::string_view option, std::string_view argument, std::string_view expected) {
  throw UsageError(fmt::format("{} {}: {}", option, argument, expected));
}

// strlist__parse_list_entry() and strlist__load() in tools/perf/util/strlist.c.
void append_lines(const std::string& path, std::vector<std::string>& names) {
  std::ifstream lines(path);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) names.push_back(line);
  }
  if (!lines.eof()) throw InputError(path + ": cannot read: " + std::strerror(errno));
}

std::string in_set(std::string_view field, const std::vector<std::string>& elements) {
  return fmt::format("{} in {{{}}}", field, fmt::join(elements, ", "));
}

// parse_nsec_time(): seconds with at most nine digits behind the point.
std::string seconds(std::string_view option, std::string_view ranges, std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
  const bool fits = number_in<std::uint64_t>(text.substr(0, point)) &&
                    text.find_first_not_of("0123456789.") == std::string_view::npos && fraction.size() <= 9 &&
                    fraction.find('.') == std::string_view::npos;
  if (!fits) refuse(option, ranges, "expected START,STOP in seconds, as 12.5,13 is one");
  std::string whole(text);
  if (whole.ends_with('.')) whole.pop_back();
  return whole + "s";
}

// perf_time__parse_str()
std::string absolute_range(std::string_view option, std::string_view ranges, std::string_view range) {
  const auto ends = split(range, ',');
  if (ends.size() != 2) refuse(option, ranges, "expected START,STOP in seconds, as 12.5,13 is one");
  const std::string_view start = ends[0];
  const std::string_view stop = ends[1];
  const std::string from = start.empty() ? "" : seconds(option, ranges, start);
  const std::string until = stop.empty() ? "" : seconds(option, ranges, stop);
  if (from.empty() && until.empty()) return "has time";
  if (until.empty()) return "time >= " + from;
  if (from.empty()) return "time <= " + until;
  return fmt::format("time >= {} && time <= {}", from, until);
}

double percent(std::string_view option, std::string_view ranges, std::string_view text) {
  const auto value = text.ends_with('%') ? number_in<double>(text.substr(0, text.size() - 1)) : std::nullopt;
  if (!value) refuse(option, ranges, "expected a share, as 10% is one");
  return *value;
}

// The number without zeros at the end, as a user writes it.
std::string share_text(double percent) {
  std::string text = fmt::format("{:.9f}", percent);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string share_range(std::string_view option, std::string_view ranges, double from, double until) {
  if (from < 0 || until > 100) refuse(option, ranges, "this is not in the recording, which ends at 100%");
  if (until < from) refuse(option, ranges, "a range ends before it begins");
  return fmt::format("time in {}%..{}%", share_text(from), share_text(until));
}

// percent_slash_split(): the n-th slice of that width.
std::string slice(std::string_view option, std::string_view ranges, std::string_view range) {
  const auto parts = split(range, '/');
  const auto n = parts.size() == 2 ? number_in<unsigned>(parts[1]) : std::nullopt;
  if (!n || *n == 0) refuse(option, ranges, "expected SHARE/N, the N-th slice of that width");
  const double width = percent(option, ranges, parts[0]);
  return share_range(option, ranges, width * (*n - 1), width * *n);
}

// percent_dash_split()
std::string dash_range(std::string_view option, std::string_view ranges, std::string_view range) {
  const auto parts = split(range, '-');
  if (parts.size() != 2) refuse(option, ranges, "expected ranges, as 0%-10%,30%-40%");
  return share_range(option, ranges, percent(option, ranges, parts[0]), percent(option, ranges, parts[1]));
}

// perf_time__percent_parse_str()
std::vector<std::string> shares(std::string_view option, std::string_view ranges) {
  std::vector<std::string> all;
  if (ranges.find('/') != std::string_view::npos) {
    for (const std::string_view range : split(ranges, ',')) all.push_back(slice(option, ranges, range));
  } else if (ranges.find('-') != std::string_view::npos) {
    for (const std::string_view range : split(ranges, ',')) all.push_back(dash_range(option, ranges, range));
  } else {
    all.push_back(share_range(option, ranges, 0, percent(option, ranges, ranges)));
  }
  return all;
}

std::string quoted(std::string_view text, std::string_view special) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::vector<std::string> names_in(std::string_view option, std::string_view list) {
  constexpr std::string_view file = "file://";
  std::vector<std::string> names;
  for (const std::string_view element : split(list, ',')) {
    if (element.starts_with(file)) {
      append_lines(std::string(element.substr(file.size())), names);
    } else if (!element.empty()) {
      names.emplace_back(element);
    }
  }
  if (names.empty()) refuse(option, list, "expected names with commas between");
  return names;
}

std::string quoted_name(std::string_view name) { return quoted(name, "\"\\*?"); }

std::string quoted_glob(std::string_view glob) { return quoted(glob, "\"\\"); }

std::vector<std::int32_t> ids_in(std::string_view option, std::string_view list) {
  std::vector<std::int32_t> ids;
  for (const std::string_view text : split(list, ',')) {
    const auto id = number_in<std::int32_t>(text);
    if (!id) refuse(option, list, "expected numbers with commas between");
    ids.push_back(*id);
  }
  return ids;
}

std::string names_expression(std::string_view field, std::string_view option, std::string_view list) {
  std::vector<std::string> quoted;
  for (const std::string& name : names_in(option, list)) quoted.push_back(quoted_name(name));
  return in_set(field, quoted);
}

// machine__resolve() and setup_addrlist(), but that a name like "add" is a name and no address.
std::string symbols_expression(std::string_view option, std::string_view list) {
  std::vector<std::string> symbols;
  std::vector<std::string> addresses;
  for (const std::string& name : names_in(option, list)) {
    const bool is_address = name.starts_with("0x") && number_in<std::uint64_t>(std::string_view(name).substr(2), 16);
    is_address ? addresses.push_back(name) : symbols.push_back(quoted_name(name));
  }
  if (addresses.empty()) return in_set("sym", symbols);
  if (symbols.empty()) return in_set("ip", addresses);
  return in_set("sym", symbols) + " || " + in_set("ip", addresses);
}

std::string ids_expression(std::string_view field, std::string_view option, std::string_view list) {
  std::vector<std::string> ids;
  for (const std::int32_t id : ids_in(option, list)) ids.push_back(std::to_string(id));
  return in_set(field, ids);
}

std::string cpus_expression(std::string_view option, std::string_view list) {
  std::vector<std::string> cpus;
  for (const std::string_view range : split(list, ',')) {
    const auto ends = split(range, '-');
    const auto first = number_in<std::uint32_t>(ends.front());
    const auto last = number_in<std::uint32_t>(ends.back());
    if (!first || !last || ends.size() > 2 || *last < *first) refuse(option, list, "expected CPUs, as 0,2-4");
    cpus.push_back(ends.size() == 1 ? std::to_string(*first) : fmt::format("{}..{}", *first, *last));
  }
  return in_set("cpu", cpus);
}

std::string time_expression(std::string_view option, std::string_view ranges) {
  std::vector<std::string> all;
  if (ranges.find('%') != std::string_view::npos) {
    all = shares(option, ranges);
  } else {
    for (const std::string_view range : split(ranges, ' ')) {
      if (!range.empty()) all.push_back(absolute_range(option, ranges, range));
    }
  }
  if (all.empty()) refuse(option, ranges, "expected START,STOP in seconds, as 12.5,13 is one");
  return fmt::format("{}", fmt::join(all, " || "));
}

}  // namespace perfsift::filter
