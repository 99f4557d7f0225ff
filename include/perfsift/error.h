/// \file
/// The one exception of the library.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include <perfsift/export.h>

namespace PERFSIFT_NAMESPACE {

/// The kind of an error, for programs. The C interface has the same numbers.
enum class ErrorCode : int {
  usage = 1,        ///< An argument is wrong, or contradicts another argument.
  input = 2,        ///< The input does not exist, cannot be read, or is not a recording.
  filter = 3,       ///< The text of a filter is wrong: see Error::line() and Error::column().
  output = 4,       ///< A file cannot be written.
  memory = 5,       ///< Memory ran out.
  busy = 6,         ///< The recording is being visited already: see Recording.
  internal = 7,     ///< A mistake in perfsift: please report it.
  unavailable = 8,  ///< The machine, the kernel or missing privileges refuse to sample: see Sampler.
};

/// Functions of the library throw this exception and no other, except what a function of the caller throws, which
/// passes through unchanged. A record that cannot be read, or an address without a name, is no error.
///
/// Thread-safety: objects are immutable. Lifetime: independent of the objects that threw it.
class PERFSIFT_API Error : public std::runtime_error {
 public:
  /// `text`: what is wrong and what to do. `file`, `line`, `column`: see the functions below. Throws only
  /// std::bad_alloc.
  Error(ErrorCode code, const std::string& text, std::string file = {}, std::size_t line = 0, std::size_t column = 0);
  Error(const Error&) noexcept;             ///< Copies share their contents.
  Error& operator=(const Error&) noexcept;  ///< Copies share their contents.
  ~Error() override;                        ///< Never throws.

  /// The kind of the error.
  ErrorCode code() const noexcept;
  /// The file that cannot be used, as the caller named it; empty if the error is about no file. Lives as long as the
  /// object.
  const std::string& file() const noexcept;
  /// ErrorCode::filter: the line in the text of the filter, from 1; otherwise 0.
  std::size_t line() const noexcept;
  /// ErrorCode::filter: the column in that line, in characters, from 1; otherwise 0.
  std::size_t column() const noexcept;

 private:
  struct Details;
  std::shared_ptr<const Details> details_;
};

}  // namespace PERFSIFT_NAMESPACE
