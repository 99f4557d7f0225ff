// Functions of libraries that are loaded when they are needed, by dlopen().
#pragma once

#include <cstring>

#include <dlfcn.h>

namespace perfsift {

// Sets `function`, a pointer, to the function of that name in the library. False: the library has none.
template <typename Function>
bool find_function(void* library, const char* name, Function& function) {
  void* const symbol = dlsym(library, name);
  static_assert(sizeof function == sizeof symbol);
  std::memcpy(&function, &symbol, sizeof function);  // C++ has no cast for it
  return symbol != nullptr;
}

}  // namespace perfsift
