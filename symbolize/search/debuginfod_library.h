// libdebuginfod, which is loaded when it is needed, and with it libcurl.
#pragma once

#include <string>

#include <dlfcn.h>

#include "base/error.h"
#include "base/loaded_function.h"
#include "base/owned.h"

namespace perfsift::symbolize {

class DebuginfodLibrary {
 public:
  // Throws UsageError if there is no libdebuginfod. The library is not unloaded: libcurl would lose memory of its own.
  DebuginfodLibrary() : handle_(dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
    if (!handle_) throw UsageError("debuginfod: no libdebuginfod.so.1 on this machine (apt install libdebuginfod1)");
  }

  // Sets `function` to a function of the library, or of the libraries that it needs. Throws UsageError if there is
  // none.
  template <typename Function>
  void look_up(Function& function, const char* name) const {
    if (!find_function(handle_.get(), name, function))
      throw UsageError(std::string("debuginfod: libdebuginfod.so.1 has no ") + name);
  }

 private:
  Owned<void, dlclose> handle_;
};

}  // namespace perfsift::symbolize
