#include "store/engine/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfsift::store {
namespace {

std::string array_of(std::span<const std::string> values) {
  std::string array = "[";
  for (const std::string& value : values)
    array += fmt::format("{}'{}'", array.size() > 1 ? "," : "", hex_digits(value));
  return array + "]";
}

}  // namespace

std::string hex_digits(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

std::string hex_digits(const Hash128& id) { return fmt::format("{:016x}{:016x}", id.high, id.low); }

void Parameters::text(std::string_view name, std::string_view value) { all_.emplace_back(name, hex_digits(value)); }

void Parameters::texts(std::string_view name, std::span<const std::string> values) {
  all_.emplace_back(name, array_of(values));
}

void Parameters::texts(std::string_view name, std::span<const std::vector<std::string>> values) {
  std::vector<std::string> arrays;
  for (const std::vector<std::string>& each : values) arrays.push_back(array_of(each));
  all_.emplace_back(name, fmt::format("[{}]", fmt::join(arrays, ",")));
}

void Parameters::number(std::string_view name, std::uint64_t value) {
  all_.emplace_back(name, fmt::format("{}", value));
}

void Parameters::numbers(std::string_view name, std::span<const std::uint64_t> values) {
  all_.emplace_back(name, fmt::format("[{}]", fmt::join(values, ",")));
}

}  // namespace perfsift::store
