// Whether the running program is the portable one of a release (cmake/portable.cmake).
#pragma once

namespace perfsift {

// The portable program starts its loader itself, and cannot have set-user-ID bits or capabilities of its file
// (tools/portable/start.c).
bool is_portable_build();

}  // namespace perfsift
