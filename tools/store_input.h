// A store as an input, like a file: see store/url.h.
#pragma once

#include <string>

#include "tools/input_profile.h"

namespace perfsift::tools {

// Adds a list with the wanted samples of the store, added up by the engine, to the profile. Throws InputError, and
// UsageError for options that a store cannot follow.
InputReport read_store(const std::string& url, analysis::Profile& profile, const ProfileReading& reading);

}  // namespace perfsift::tools
