// Bodies of requests and answers, compressed by zstd.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perfsift::store::clickhouse {

std::string compressed(std::string_view text);
// Nothing if the bytes are damaged or incomplete, or if they expand to more than `most` bytes.
std::optional<std::string> expanded(std::string_view bytes, std::size_t most);

}  // namespace perfsift::store::clickhouse
