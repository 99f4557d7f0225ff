// JSON whose members stay in the order they were added in.
#pragma once

#include <nlohmann/json.hpp>

namespace perfsift::output {

using Json = nlohmann::ordered_json;

}  // namespace perfsift::output
