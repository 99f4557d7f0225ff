// The border between perfsift's code and users: which exceptions cross it, and in which form.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include <perfsift/error.h>

#include "base/error.h"

namespace perfsift::v0::detail {

// An exception of a user's function, on its way through perfsift's code.
struct ThrownByUser {
  std::exception_ptr thrown;
};

// Calls a function of the user.
template <typename Function, typename... Arguments>
auto call_user(Function&& function, Arguments&&... arguments) {
  try {
    return std::invoke(function, std::forward<Arguments>(arguments)...);
  } catch (...) {
    throw ThrownByUser{std::current_exception()};
  }
}

// Rethrows the current exception as the user gets it. `file`: the input that it is about; empty: none.
[[noreturn]] void rethrow_for_user(const std::string& file);

// Calls perfsift's code.
template <typename Function>
auto translated(const std::string& file, Function&& function) {
  try {
    return function();
  } catch (...) {
    rethrow_for_user(file);
  }
}
template <typename Function>
auto translated(Function&& function) {
  return translated({}, std::forward<Function>(function));
}

// Calls perfsift's code that asks the kernel. A refusal is no error of an argument, and no error of an output.
template <typename Function>
auto available(Function&& function) {
  return translated([&] {
    try {
      return function();
    } catch (const UsageError&) {
      throw;
    } catch (const perfsift::Error& error) {
      throw Error(ErrorCode::unavailable, error.what());
    }
  });
}

}  // namespace perfsift::v0::detail
