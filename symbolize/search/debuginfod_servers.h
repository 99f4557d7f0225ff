// Whether debuginfod servers answer.
//
// libdebuginfod asks all servers at once, keeps what it gets, and has one error for most failures. So each server is
// asked by itself, by the libcurl that libdebuginfod uses: with the same proxies and certificates.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/binary.h"

namespace perfsift::symbolize {

struct DebuginfodServerAnswer {
  enum class Kind : std::uint8_t {
    has_file,
    has_no_file,  // the server answers that it does not have the file
    failed,       // no answer, or one that says that the server does not work
  };

  std::string server;
  Kind kind = Kind::failed;
  std::string why;                       // of failures
  std::chrono::milliseconds duration{};  // until the answer or the failure
};

// The servers that a text names in the form of $DEBUGINFOD_URLS.
std::vector<std::string> debuginfod_servers(std::string_view urls);

// Asks all servers at the same time for the debug file of a build id, and returns their answers in the same order. The
// file is not fetched: the beginning of an answer is enough. Throws UsageError if libdebuginfod cannot be loaded.
std::vector<DebuginfodServerAnswer> ask_debuginfod_servers(const std::vector<std::string>& servers, const BuildId& id,
                                                           std::chrono::milliseconds longest);

}  // namespace perfsift::symbolize
