// Files of a build id from debuginfod servers: https://sourceware.org/elfutils/Debuginfod.html.
//
// Debug files are large and servers slow, so nothing is fetched unasked: the caller names the build ids, and bounds the
// bytes and the time. Fetched files stay in the cache that all debuginfod clients share.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/binary.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize {

// The budget for all files of a client. Files in the cache are free.
struct DebuginfodBudget {
  std::uint64_t bytes = std::uint64_t{500} << 20;
  std::chrono::milliseconds time{30'000};
};

enum class DebuginfodFile : std::uint8_t { executable, debug_info };

// `path`: the file; empty if there is none, and then `why` has the reason.
struct DebuginfodAnswer {
  std::string path;
  std::string why;
};

// Why libdebuginfod cannot be loaded; empty: it can.
std::string why_no_debuginfod();

// Not thread-safe. The constructor loads libdebuginfod, which loads all of libcurl: so make a client only if needed.
class DebuginfodClient {
 public:
  // Called about every second, and more often while bytes arrive; `total` is 0 while unknown.
  using Progress = std::function<void(std::uint64_t received, std::uint64_t total)>;

  // Uses the servers in $DEBUGINFOD_URLS. Throws UsageError if there are none, or if there is no libdebuginfod.
  explicit DebuginfodClient(DebuginfodBudget budget);
  ~DebuginfodClient();

  DebuginfodAnswer find(const BuildId& id, DebuginfodFile file, const Progress& progress);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The files of a binary that are not on this machine.
struct MissingFiles {
  BuildId id;  // empty: there is nothing to ask for
  bool executable = false;
  bool debug_info = false;

  bool any() const { return !id.empty() && (executable || debug_info); }
};
MissingFiles missing_files(const Binary& binary, const SymbolizeOptions& options);

}  // namespace perfsift::symbolize
