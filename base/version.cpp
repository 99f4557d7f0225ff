#include "base/version.h"

namespace perfsift {

const char* version() { return PERFSIFT_VERSION; }

}  // namespace perfsift
