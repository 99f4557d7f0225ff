// A function of the recorded kernel, and how a user of the library names such functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace perfsift::reader {

struct KernelFunction {
  std::string name;
  std::uint64_t address = 0;  // where the function begins
};
using KernelFunctionResolver = std::function<std::optional<KernelFunction>(std::uint64_t address)>;

}  // namespace perfsift::reader
