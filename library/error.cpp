#include "base/error.h"

#include <new>
#include <utility>

#include "filter/syntax_error.h"
#include "library/translated.h"
#include "output/files/output_file.h"

namespace perfsift::v0 {

struct Error::Details {
  ErrorCode code = ErrorCode::internal;
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

Error::Error(ErrorCode code, const std::string& text, std::string file, std::size_t line, std::size_t column)
    : std::runtime_error(text),
      details_(std::make_shared<const Details>(
          Details{.code = code, .file = std::move(file), .line = line, .column = column})) {}
Error::Error(const Error&) noexcept = default;
Error& Error::operator=(const Error&) noexcept = default;
Error::~Error() = default;

ErrorCode Error::code() const noexcept { return details_->code; }
const std::string& Error::file() const noexcept { return details_->file; }
std::size_t Error::line() const noexcept { return details_->line; }
std::size_t Error::column() const noexcept { return details_->column; }

namespace detail {

void rethrow_for_user(const std::string& file) {
  try {
    throw;
  } catch (const ThrownByUser& user) {
    std::rethrow_exception(user.thrown);
  } catch (const Error&) {
    throw;
  } catch (const filter::SyntaxError& error) {
    throw Error(ErrorCode::filter, error.what(), file, error.line, error.column);
  } catch (const InputError& error) {
    throw Error(ErrorCode::input, error.what(), file);
  } catch (const UsageError& error) {
    throw Error(ErrorCode::usage, error.what(), file);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::memory, "memory ran out", file);
  } catch (const perfsift::Error& error) {  // of perfsift's code, only outputs throw it
    throw Error(ErrorCode::output, error.what(), file);
  } catch (const output::OutputClosed& error) {
    throw Error(ErrorCode::output, error.what(), file);
  } catch (const std::exception& error) {
    throw Error(ErrorCode::internal, error.what(), file);
  }
}

}  // namespace detail
}  // namespace perfsift::v0
