// GNU build ids: do two name the same build?
#pragma once

#include "base/binary.h"

namespace perfsift::symbolize {

// Whether a file with the id `found` is the file that `recorded` names. Old recordings hold every id in 20 bytes, so a
// recorded id may have zeros behind the end of the file's shorter id.
bool same_build(const BuildId& recorded, const BuildId& found);

}  // namespace perfsift::symbolize
