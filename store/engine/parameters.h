// The values of a statement's parameters, {name:Type} in its SQL.
//
// Texts are passed in hexadecimal digits, so that any bytes arrive as they are, whatever escapes an engine knows: the
// SQL says unhex({name:String}).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sip_hash.h"

namespace perfsift::store {

class Parameters {
 public:
  void text(std::string_view name, std::string_view value);
  void texts(std::string_view name, std::span<const std::string> values);               // Array(String)
  void texts(std::string_view name, std::span<const std::vector<std::string>> values);  // Array(Array(String))
  void number(std::string_view name, std::uint64_t value);
  void numbers(std::string_view name, std::span<const std::uint64_t> values);  // Array(UInt64)
  // A value as the engine gets it, which another program has written.
  void literal(std::string_view name, std::string_view value) { all_.emplace_back(name, value); }
  // Names and values as the engine gets them.
  const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

// Two digits for each byte.
std::string hex_digits(std::string_view bytes);
// The number as the hexadecimal digits of a UInt128.
std::string hex_digits(const Hash128& id);

}  // namespace perfsift::store
