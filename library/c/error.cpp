#include "base/version.h"
#include "library/c/boundary.h"

using perfsift::v0::detail::Handles;

namespace perfsift::v0::detail {

int report(perfsift_error** to, const Error& error) noexcept {
  try {
    if (to != nullptr) *to = Handles::all().add<perfsift_error>(perfsift_error{error});
  } catch (...) {  // no memory for the error: the code must do
  }
  return static_cast<int>(error.code());
}

namespace {

const std::shared_ptr<perfsift_error> error_of(const perfsift_error* handle) noexcept {
  return handle != nullptr ? Handles::all().find(handle) : nullptr;
}

}  // namespace
}  // namespace perfsift::v0::detail

const char* perfsift_version(void) { return perfsift::version(); }

int perfsift_error_code(const perfsift_error* error) {
  const auto found = perfsift::v0::detail::error_of(error);
  return found != nullptr ? static_cast<int>(found->error.code()) : PERFSIFT_OK;
}

const char* perfsift_error_message(const perfsift_error* error) {
  const auto found = perfsift::v0::detail::error_of(error);
  return found != nullptr ? found->error.what() : "";
}

const char* perfsift_error_file(const perfsift_error* error) {
  const auto found = perfsift::v0::detail::error_of(error);
  return found != nullptr ? found->error.file().c_str() : "";
}

size_t perfsift_error_line(const perfsift_error* error) {
  const auto found = perfsift::v0::detail::error_of(error);
  return found != nullptr ? found->error.line() : 0;
}

size_t perfsift_error_column(const perfsift_error* error) {
  const auto found = perfsift::v0::detail::error_of(error);
  return found != nullptr ? found->error.column() : 0;
}

void perfsift_error_free(perfsift_error* error) { Handles::all().remove(error); }
