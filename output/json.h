// JSON whose members stay in the order they were added in.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/printable_utf8.h"

namespace perfsift::output {

using Json = nlohmann::ordered_json;

// A name from a recording as a JSON string, in quotes: see printable_utf8().
inline std::string json_string(std::string_view name) { return Json(printable_utf8(name)).dump(); }

}  // namespace perfsift::output
