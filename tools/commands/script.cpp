#include "base/error.h"
#include "tools/command.h"

namespace perfsift::tools {

int script(const Arguments&) { throw UsageError("script: under construction"); }

}  // namespace perfsift::tools
