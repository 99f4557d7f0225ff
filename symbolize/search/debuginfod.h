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

// For all files of a client together. What lies in the cache is free.
struct DebuginfodBudget {
  std::uint64_t bytes = std::uint64_t{500} << 20;
  std::chrono::milliseconds time{30'000};
};

enum class DebuginfodFile : std::uint8_t { executable, debug_info };

// How it went: `path` is of the file, empty when there is none, and then `why` says the reason.
struct DebuginfodAnswer {
  std::string path;
  std::string why;
};

// Not thread-safe. Loads libdebuginfod when it is made, as that takes all of libcurl with it.
class DebuginfodClient {
 public:
  // Called about every second, and oftener while bytes come; `total` is 0 while it is not known.
  using Progress = std::function<void(std::uint64_t received, std::uint64_t total)>;

  // Servers are those in $DEBUGINFOD_URLS. Throws UsageError when it is empty or there is no libdebuginfod.
  explicit DebuginfodClient(DebuginfodBudget budget);
  ~DebuginfodClient();

  DebuginfodAnswer find(const BuildId& id, DebuginfodFile file, const Progress& progress);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Which files of a binary are not on this machine.
struct MissingFiles {
  BuildId id;  // empty: there is nothing to ask for
  bool executable = false;
  bool debug_info = false;

  bool any() const { return !id.empty() && (executable || debug_info); }
};
MissingFiles missing_files(const Binary& binary, const SymbolizeOptions& options);

}  // namespace perfsift::symbolize
