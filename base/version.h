// The version of perfsift.
#pragma once

namespace perfsift {

// As in --version: "0.1.0".
const char* version();

}  // namespace perfsift
