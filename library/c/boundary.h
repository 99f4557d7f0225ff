// The duties of all functions of the C interface: no exception leaves them, and arguments are checked.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <perfsift/error.h>
#include <perfsift/perfsift.h>

#include "library/c/handles.h"

struct perfsift_error {
  perfsift::v0::Error error;
};

namespace perfsift::v0::detail {

// A function of the user ends its visit.
struct VisitEnded {};

// Hands out the error, unless the caller does not want it. Returns its code.
int report(perfsift_error** to, const Error& error) noexcept;

// Calls `function`, and returns 0 or the code of the error.
template <typename Function>
int guarded(perfsift_error** error, Function&& function) noexcept {
  try {
    function();
    return PERFSIFT_OK;
  } catch (const VisitEnded&) {
    return PERFSIFT_OK;
  } catch (const Error& thrown) {
    return report(error, thrown);
  } catch (const std::bad_alloc&) {
    return PERFSIFT_ERROR_MEMORY;
  } catch (...) {
    return PERFSIFT_ERROR_INTERNAL;
  }
}

// guarded() for functions that return a pointer; nullptr for an error.
template <typename Function>
auto guarded_pointer(perfsift_error** error, Function&& function) noexcept -> decltype(function()) {
  decltype(function()) result = nullptr;
  guarded(error, [&] { result = function(); });
  return result;
}

// The object of a handle. Throws Error (usage).
template <typename Object>
std::shared_ptr<Object> object_of(const Object* handle, const char* kind) {
  if (auto object = Handles::all().find(handle)) return object;
  throw Error(ErrorCode::usage, std::string("not a handle of a ") + kind + ", or it was freed before");
}

inline void require(const void* pointer, const char* argument) {
  if (pointer == nullptr) throw Error(ErrorCode::usage, std::string(argument) + ": must not be NULL");
}

inline void require_index(const char* kind, std::size_t index, std::size_t count) {
  if (index < count) return;
  throw Error(ErrorCode::usage,
              std::string(kind) + " " + std::to_string(index) + ": there are " + std::to_string(count));
}

// Whether a version of the struct can have had this size: a size within a field would take a part of a pointer.
template <typename Struct>
bool is_size_of_a_version(std::size_t size) {
  return size >= sizeof size && size <= sizeof(Struct) && size % alignof(Struct) == 0;
}

// A struct of options as this version of the library knows it. Fields that the caller's version does not have keep
// their defaults. Throws Error (usage) if the size cannot be right.
template <typename Options>
Options options_from(const Options* given, const Options& defaults) {
  Options options = defaults;
  if (given == nullptr) return options;
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (!is_size_of_a_version<Options>(size)) {
    throw Error(ErrorCode::usage, "options: their size is not that of this version; use the macro PERFSIFT_…_INIT");
  }
  std::memcpy(&options, given, size);
  return options;
}

// The other way round: fills as much as the caller's struct has.
template <typename Result>
void fill_result(Result* wanted, const Result& result) {
  require(wanted, "the result");
  std::size_t size = 0;
  std::memcpy(&size, wanted, sizeof size);
  if (!is_size_of_a_version<Result>(size)) {
    throw Error(ErrorCode::usage, "the result: its size is not that of this version; use the macro PERFSIFT_…_INIT");
  }
  std::memcpy(reinterpret_cast<char*>(wanted) + sizeof size, reinterpret_cast<const char*>(&result) + sizeof size,
              size - sizeof size);
}

// A number for an enumeration. Throws Error (usage) if there is no such value.
template <typename Enumeration>
Enumeration enumerator(int number, Enumeration last, const char* field) {
  if (number < 0 || number > static_cast<int>(last)) {
    throw Error(ErrorCode::usage, std::string(field) + ": " + std::to_string(number) + " is no such value");
  }
  return static_cast<Enumeration>(number);
}

// Texts of C: NULL is the empty text.
inline std::string text_or_empty(const char* text) { return text != nullptr ? text : ""; }

}  // namespace perfsift::v0::detail
