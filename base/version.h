// The version of perfsift.
#pragma once

namespace perfsift {

// The text of --version: "1.0.0".
const char* version();

}  // namespace perfsift
