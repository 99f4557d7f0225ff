#include "tools/store/age_options.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <optional>

#include "base/duration.h"
#include "base/error.h"
#include "base/printable.h"
#include "store/recording_rows.h"
#include "tools/record/size_options.h"

namespace perfsift::tools {
namespace {

constexpr std::uint64_t seconds_of_day = 86'400;

// The time that is so long ago, in seconds since 1970.
std::uint32_t time_before(const std::string& age) {
  const auto time = parse_duration(age, time_units_with_names());
  if (!time) throw UsageError(printable("--older-than " + age + ": a time such as 7d or 12h is needed"));
  const auto now = static_cast<std::uint64_t>(std::time(nullptr));
  return static_cast<std::uint32_t>(now - std::min(now, *time / one_second));
}

}  // namespace

void AgeOptions::add_to(options::po::options_description& options) {
  auto add = options.add_options();
  add("older-than", options::po::value(&older_than)->value_name("AGE"),
      "remove, roll-up: recordings that are older: 30d, 12h (roll-up: 7d)");
  add("to", options::po::value(&to)->value_name("TIME"), "roll-up: the time of a row of samples: 10m (usual), 1h, 1d");
}

// As times in addresses, to ten seconds.
void AgeOptions::choose_old(store::Selection& selection) const {
  if (older_than.empty()) return;
  const std::uint32_t before = time_before(older_than) / store::seconds_of_row * store::seconds_of_row;
  selection.to = std::min(selection.to.value_or(before), before);
}

store::RollUpOptions AgeOptions::roll_up() const {
  const auto time = parse_duration(to, time_units_with_names());
  const std::uint64_t seconds = time.value_or(0) / one_second;
  if (!time || *time % one_second != 0 || seconds <= store::seconds_of_row || seconds % store::seconds_of_row != 0 ||
      seconds_of_day % seconds != 0)
    throw UsageError(
        printable("--to " + to + ": a time such as 10m or 1d is needed: a part of a day, of tens of seconds"));
  return {.seconds = static_cast<std::uint32_t>(seconds),
          .before = time_before(older_than.empty() ? "7d" : older_than)};
}

}  // namespace perfsift::tools
