#include "symbolize/search/debuginfod.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/owned.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/search/debuginfod_library.h"

// The interface of libdebuginfod.so.1, which is loaded on demand.
extern "C" {
struct debuginfod_client;
using debuginfod_progress_function = int (*)(debuginfod_client*, long received, long total);
using debuginfod_find_function = int (*)(debuginfod_client*, const unsigned char* id, int id_size, char** path);
}

namespace perfsift::symbolize {

namespace {

using Clock = std::chrono::steady_clock;

class Library {
 public:
  Library() {
    loaded_.look_up(begin, "debuginfod_begin");
    loaded_.look_up(end, "debuginfod_end");
    loaded_.look_up(set_progress, "debuginfod_set_progressfn");
    loaded_.look_up(find_debug_info, "debuginfod_find_debuginfo");
    loaded_.look_up(find_executable, "debuginfod_find_executable");
  }

  debuginfod_client* (*begin)() = nullptr;
  void (*end)(debuginfod_client*) = nullptr;
  void (*set_progress)(debuginfod_client*, debuginfod_progress_function) = nullptr;
  debuginfod_find_function find_debug_info = nullptr;
  debuginfod_find_function find_executable = nullptr;

 private:
  const DebuginfodLibrary loaded_;
};

// One download in progress.
class Transfer {
 public:
  Transfer(std::uint64_t room, Clock::time_point deadline, const DebuginfodClient::Progress& progress)
      : room_(room), deadline_(deadline), progress_(progress) {}

  // Whether the download shall go on.
  bool on(std::uint64_t received, std::uint64_t total) {
    started_ = true;
    if (std::max(received, total) > room_)
      stopped_ = fmt::format("{} MiB are more than what is left of its bytes", std::max(received, total) >> 20);
    else if (Clock::now() > deadline_)
      stopped_ = "its time is over";
    else if (progress_)
      progress_(received, total);
    return stopped_.empty();
  }

  bool started() const { return started_; }  // else it came from the cache
  const std::string& stopped() const { return stopped_; }

 private:
  const std::uint64_t room_;
  const Clock::time_point deadline_;
  const DebuginfodClient::Progress& progress_;
  bool started_ = false;
  std::string stopped_;
};

// libdebuginfod passes no user data to its callback, except through another function of the library.
thread_local Transfer* transfer_at_hand = nullptr;

int transfer_goes_on(debuginfod_client*, long received, long total) {
  const auto bytes = [](long count) { return static_cast<std::uint64_t>(std::max(count, 0L)); };
  return transfer_at_hand->on(bytes(received), bytes(total)) ? 0 : 1;
}

std::string why_failed(int error) {
  switch (error) {
    case ENOENT:
      return "no server has it";
    case ETIME:
    case ETIMEDOUT:
      return "no answer in time";
    default:
      return std::generic_category().message(error);
  }
}

std::uint64_t size_of(const std::string& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path, none);
  return none ? 0 : size;
}

}  // namespace

std::string why_no_debuginfod() {
  try {
    const Library library;
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

struct DebuginfodClient::State {
  explicit State(DebuginfodBudget budget) : room(budget.bytes), deadline(Clock::now() + budget.time) {
    if (client == nullptr) throw UsageError("debuginfod: libdebuginfod does not start");
    library.set_progress(client, transfer_goes_on);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { library.end(client); }

  const Library library;
  debuginfod_client* const client = library.begin();
  std::uint64_t room;  // in bytes
  const Clock::time_point deadline;
};

DebuginfodClient::DebuginfodClient(DebuginfodBudget budget) {
  const char* const urls = std::getenv("DEBUGINFOD_URLS");
  if (urls == nullptr || std::string_view(urls).find_first_not_of(' ') == std::string_view::npos)
    throw UsageError("debuginfod: DEBUGINFOD_URLS names no servers, such as https://debuginfod.debian.net");
  state_ = std::make_unique<State>(budget);
}

DebuginfodClient::~DebuginfodClient() = default;

DebuginfodAnswer DebuginfodClient::find(const BuildId& id, DebuginfodFile file, const Progress& progress) {
  const auto find =
      file == DebuginfodFile::executable ? state_->library.find_executable : state_->library.find_debug_info;
  Transfer transfer(state_->room, state_->deadline, progress);
  transfer_at_hand = &transfer;
  char* found = nullptr;
  const int descriptor = find(state_->client, reinterpret_cast<const unsigned char*>(id.bytes.data()), id.size, &found);
  const Owned<char, std::free> path(found);
  if (descriptor < 0)
    return {.path = {}, .why = transfer.stopped().empty() ? why_failed(-descriptor) : transfer.stopped()};
  close(descriptor);
  if (transfer.started()) state_->room -= std::min(state_->room, size_of(path.get()));
  return {.path = path.get(), .why = {}};
}

MissingFiles missing_files(const Binary& binary, const SymbolizeOptions& options) {
  if (binary.kind != BinaryKind::elf) return {};
  const FoundFiles found = find_files(binary, options);
  if (!found.runtime) return {.id = binary.build_id, .executable = true, .debug_info = true};
  return {.id = found.runtime->build_id(), .debug_info = found.debug_info == nullptr};
}

}  // namespace perfsift::symbolize
