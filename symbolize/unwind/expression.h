// DWARF expressions, as far as CFI uses them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/byte_reader.h"

namespace perfsift::symbolize {

// The values that an expression can ask for. Each function returns nothing for an unknown value.
class ExpressionContext {
 public:
  virtual ~ExpressionContext() = default;
  virtual std::optional<std::uint64_t> register_value(std::uint64_t number) const = 0;
  virtual std::optional<std::uint64_t> memory(std::uint64_t address, unsigned size) const = 0;
  virtual std::uint64_t load_bias() const = 0;  // from addresses in the file to those in the process
};

// The value on top of the stack at the end; nothing if the expression cannot be followed, or takes more steps than any
// honest one. `initial`, if given, is pushed first: the CFA.
std::optional<std::uint64_t> evaluate(Bytes expression, unsigned address_size, const ExpressionContext& context,
                                      std::optional<std::uint64_t> initial = std::nullopt);

}  // namespace perfsift::symbolize
