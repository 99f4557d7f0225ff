#pragma once
#include <memory>
#include <optional>
#include <string>
#include "base/byte_reader.h"
namespace perfsift::reader {
class TracepointFormats {
 public:
  static std::unique_ptr<TracepointFormats> parse(Bytes) { return nullptr; }
  std::optional<std::string> name(int) const { return std::nullopt; }
};
}
