#include "base/error.h"
#include "tools/command.h"

namespace perfsift::tools {

int info(const Arguments&) { throw UsageError("info: under construction"); }

}  // namespace perfsift::tools
