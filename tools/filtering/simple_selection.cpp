#include "tools/filtering/simple_selection.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "tools/profile/event_selection.h"

namespace perfsift::tools {

namespace po = boost::program_options;

namespace {

// "1,2,3"
std::vector<std::int32_t> numbers_in(const std::string& list, const char* option) {
  std::vector<std::int32_t> numbers;
  std::istringstream in(list);
  for (std::string text; std::getline(in, text, ',');) {
    std::int32_t number = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || at != end)
      throw po::error(fmt::format("{} {}: numbers and commas are expected", option, list));
    numbers.push_back(number);
  }
  return numbers;
}

// Seconds with up to nine digits after the point; what is empty is `otherwise`.
std::uint64_t nanoseconds(std::string_view text, std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  constexpr std::uint64_t second = 1'000'000'000;
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string fraction(text.substr(std::min(point + 1, text.size())));
  fraction.resize(9, '0');
  std::uint64_t seconds = 0, nanos = 0;
  const auto read = [&](std::string_view digits, std::uint64_t& number) {
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || at != digits.data() + digits.size())
      throw po::error(fmt::format("--time: '{}' is no time in seconds", text));
  };
  read(text.substr(0, point), seconds);
  read(fraction, nanos);
  return seconds * second + nanos;
}

bool is_among(const std::vector<std::int32_t>& numbers, std::int32_t number) {
  return numbers.empty() || std::ranges::find(numbers, number) != numbers.end();
}

class SelectionOfThread : public SampleSelection {
 public:
  SelectionOfThread(const SimpleSelection& wanted, const std::vector<bool>& events)
      : wanted_(wanted), events_(events) {}

  bool keeps(const reader::Sample& sample) override {
    return events_[sample.event->index] && is_among(wanted_.pids, sample.pid) && is_among(wanted_.tids, sample.tid) &&
           is_among(wanted_.cpus, sample.cpu) && wanted_.from <= sample.time && sample.time <= wanted_.until;
  }

 private:
  const SimpleSelection& wanted_;
  std::vector<bool> events_;  // by index
};

}  // namespace

void SimpleSelection::add_to(po::options_description& options) {
  const auto list = [](const char* option, std::vector<std::int32_t>& numbers) {
    return po::value<std::string>()->value_name("LIST")->notifier(
        [option, &numbers](const std::string& text) { numbers = numbers_in(text, option); });
  };
  const auto set_time = [this](const std::string& range) {
    const std::size_t comma = range.find(',');
    if (comma == std::string::npos) throw po::error("--time " + range + ": START,STOP is expected");
    from = nanoseconds(std::string_view(range).substr(0, comma), 0);
    until = nanoseconds(std::string_view(range).substr(comma + 1), reader::no_time);
  };
  auto add = options.add_options();
  add("event,e", po::value(&events)->value_name("NAME")->composing(), "only this event; globs and several are fine");
  add("pid", list("--pid", pids), "only these processes");
  add("tid", list("--tid", tids), "only these threads");
  add("cpu", list("--cpu", cpus), "only these CPUs");
  add("time", po::value<std::string>()->value_name("START,STOP")->notifier(set_time),
      "only samples of these seconds; either may be left out");
}

SelectionFactory SimpleSelection::of(const reader::Recording& recording) const {
  const EventSelection selection(events);
  std::vector<std::string> names;
  std::vector<bool> wanted;
  for (const auto& event : recording.events()) {
    names.push_back(event->name);
    wanted.push_back(selection(event->name).has_value());
  }
  if (const std::string wrong = selection.unmatched(names); !wrong.empty()) {
    throw UsageError(fmt::format("--event {}: no such event; there are {}", wrong, fmt::join(names, ", ")));
  }
  return [this, wanted] { return std::make_unique<SelectionOfThread>(*this, wanted); };
}

}  // namespace perfsift::tools
