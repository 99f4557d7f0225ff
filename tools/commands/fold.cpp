#include "base/error.h"
#include "tools/command.h"

namespace perfsift::tools {

int fold(const Arguments&) { throw UsageError("fold: under construction"); }

}  // namespace perfsift::tools
