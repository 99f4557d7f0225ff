// Options whose values are numbers.
//
// ```cpp
// std::optional<std::size_t> limit;
// unsigned jobs = 1;
// options.add_options()("limit", options::whole_number(limit), "rows of each table")(
//     "jobs", options::whole_number(jobs, {.least = 1, .most = 1024}), "threads to use");
// ```
//
// Boost itself reads -5 as 18446744073709551611, and takes nan for a percentage.
#pragma once

#include <charconv>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "options/command_line.h"

namespace perfsift::options {

// The bounds are numbers of the range, too.
template <typename T>
struct NumberRange {
  T least = 0;
  T most = std::numeric_limits<T>::max();
};

// parse() adds the name of the option: "--limit -5: a whole number from 0 on is needed".
struct NumberError : po::error_with_option_name {
  NumberError(std::string text, std::string what_is_wanted)
      : error_with_option_name(what_is_wanted), value(std::move(text)), wanted(std::move(what_is_wanted)) {}

  std::string value, wanted;
};

template <typename T>
class NumberValue : public po::typed_value<T> {
 public:
  // `target` may be null. `kind` is for the error: "a whole number".
  NumberValue(T* target, NumberRange<T> range, const char* kind)
      : po::typed_value<T>(target), range_(range), kind_(kind) {}

  void xparse(boost::any& value, const std::vector<std::string>& words) const override {
    po::validators::check_first_occurrence(value);
    value = number_in(po::validators::get_single_string(words, true));
  }

 protected:
  T number_in(std::string_view text) const;

 private:
  virtual std::string_view digits_of(std::string_view text) const { return text; }

  const NumberRange<T> range_;
  const char* const kind_;
};

template <typename T>
T NumberValue<T>::number_in(std::string_view text) const {
  const std::string_view digits = digits_of(text);
  T number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  if (is_number && number >= range_.least && number <= range_.most) return number;
  const bool bounded = range_.most != std::numeric_limits<T>::max() || error == std::errc::result_out_of_range;
  throw NumberError(std::string(text), bounded
                                           ? fmt::format("{} from {} to {} is needed", kind_, range_.least, range_.most)
                                           : fmt::format("{} from {} on is needed", kind_, range_.least));
}

// 1.5% is 1.5, too.
class PercentageValue : public NumberValue<double> {
 public:
  using NumberValue::NumberValue;

 private:
  std::string_view digits_of(std::string_view text) const override {
    if (text.ends_with('%')) text.remove_suffix(1);
    return text;
  }
};

template <std::integral T>
po::typed_value<T>* whole_number(T& target, NumberRange<std::type_identity_t<T>> range = {}) {
  return (new NumberValue<T>(&target, range, "a whole number"))->value_name("N");
}

// `target` stays empty without the option, and must live until the options are parsed.
template <std::integral T>
po::typed_value<T>* whole_number(std::optional<T>& target, NumberRange<std::type_identity_t<T>> range = {}) {
  return (new NumberValue<T>(nullptr, range, "a whole number"))->value_name("N")->notifier([&target](T number) {
    target = number;
  });
}

inline po::typed_value<double>* number(double& target, NumberRange<double> range) {
  return new NumberValue<double>(&target, range, "a number");
}

inline po::typed_value<double>* number(std::optional<double>& target, NumberRange<double> range) {
  return (new NumberValue<double>(nullptr, range, "a number"))->notifier([&target](double value) { target = value; });
}

inline po::typed_value<double>* percentage(double& target, NumberRange<double> range = {.least = 0, .most = 100}) {
  return (new PercentageValue(&target, range, "a percentage"))->value_name("PERCENT");
}

inline po::typed_value<double>* percentage(std::optional<double>& target) {
  return (new PercentageValue(nullptr, {.least = 0, .most = 100}, "a percentage"))
      ->value_name("PERCENT")
      ->notifier([&target](double value) { target = value; });
}

}  // namespace perfsift::options
