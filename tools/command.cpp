#include "tools/command.h"

#include <exception>
#include <iostream>

#include "base/error.h"
#include "base/printable.h"
#include "output/files/standard_output.h"

namespace perfsift::tools {
namespace {

int fail(const std::string& text, ExitStatus status) {
  std::cerr << "perfsift: " << text << '\n';
  return status;
}

}  // namespace

void write_output(const std::string& output, const std::function<void(output::OutputFile&)>& write) {
  try {
    output::OutputFile file(output);
    write(file);
    file.commit();
  } catch (const output::OutputClosed&) {
  }
}

int with_errors_told(const std::function<int()>& run) {
  try {
    const int status = run();
    output::flush_standard_output();
    return status;
  } catch (const output::OutputClosed&) {  // the reader of the output has gone
    return done;
  } catch (const UsageError& error) {
    return fail(printable_lines(error.what()), wrong_usage);  // of an expression with a mark below it
  } catch (const std::exception& error) {
    return fail(printable(error.what()), input_unusable);
  }
}

}  // namespace perfsift::tools
