// Times of the day, in the time zone of this process.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace perfsift {

// The first moment after `now` at which a clock shows "HH:MM" or "HH:MM:SS". Nothing: the text is not such a time.
std::optional<std::chrono::system_clock::time_point> next_time_of_day(std::string_view text,
                                                                      std::chrono::system_clock::time_point now);

}  // namespace perfsift
