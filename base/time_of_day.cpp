#include "base/time_of_day.h"

#include <array>
#include <ctime>

#include "base/number_in.h"

namespace perfsift {
namespace {

struct TimeOfDay {
  int hour = 0, minute = 0, second = 0;
};

// Takes two digits from the beginning of the text.
std::optional<int> take_two_digits(std::string_view& text) {
  if (text.size() < 2) return std::nullopt;
  const auto number = number_in<std::uint8_t>(text.substr(0, 2));
  text.remove_prefix(2);
  return number;
}

std::optional<TimeOfDay> parse(std::string_view text) {
  std::array<int, 3> parts{};
  std::size_t count = 0;
  for (; count < parts.size(); ++count) {
    if (count != 0 && !text.starts_with(':')) break;
    if (count != 0) text.remove_prefix(1);
    const auto number = take_two_digits(text);
    if (!number) return std::nullopt;
    parts[count] = *number;
  }
  const bool is_time = count >= 2 && text.empty() && parts[0] < 24 && parts[1] < 60 && parts[2] < 60;
  return is_time ? std::optional(TimeOfDay{.hour = parts[0], .minute = parts[1], .second = parts[2]}) : std::nullopt;
}

}  // namespace

std::optional<std::chrono::system_clock::time_point> next_time_of_day(std::string_view text,
                                                                      std::chrono::system_clock::time_point now) {
  using Clock = std::chrono::system_clock;
  const auto wanted = parse(text);
  if (!wanted) return std::nullopt;
  const std::time_t seconds = Clock::to_time_t(now);
  std::tm day{};
  localtime_r(&seconds, &day);
  day.tm_hour = wanted->hour, day.tm_min = wanted->minute, day.tm_sec = wanted->second;
  const auto moment = [](std::tm time) {  // a copy: mktime() changes it
    time.tm_isdst = -1;
    return Clock::from_time_t(std::mktime(&time));
  };
  if (moment(day) > now) return moment(day);
  ++day.tm_mday;  // mktime() knows the lengths of months
  return moment(day);
}

}  // namespace perfsift
