#include "store/chdb/chdb_engine.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <semaphore>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/owned.h"
#include "store/chdb/kept_signals.h"
#include "store/chdb/start_environment.h"
#include "store/engine/row_binary.h"

namespace perfsift::store::chdb {
namespace {

// Unlike a mutex, it may be released by another thread.
std::binary_semaphore only_engine(1);

// The engine's message without its version and stack, in one line.
std::string first_line(std::string_view message) { return std::string(message.substr(0, message.find('\n'))); }

// A file in memory, which the engine reads by its descriptor.
FileDescriptor memory_file(std::string_view bytes) {
  FileDescriptor file(memfd_create("perfsift", MFD_CLOEXEC));
  if (!file) throw Error(fmt::format("no memory for the engine: {}", std::strerror(errno)));
  while (!bytes.empty()) {
    const ssize_t written = write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw Error(fmt::format("no memory for the engine: {}", std::strerror(errno)));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return file;
}

std::string name_of(const FileDescriptor& memory) { return fmt::format("/proc/self/fd/{}", memory.get()); }

// Rows that were merged into a new part stay in their old parts for a while, as with servers: the engine syncs no
// files, and a failure of the power might lose the new part.
constexpr unsigned seconds_of_old_parts = 480;

// Old parts are removed one second after the start. Usually it takes 30, so that a store to which only short processes
// add would grow without end.
std::string configuration() {
  return fmt::format(
      "<clickhouse><merge_tree><old_parts_lifetime>{}</old_parts_lifetime>"
      "<cleanup_delay_period>1</cleanup_delay_period>"
      "<cleanup_delay_period_random_add>0</cleanup_delay_period_random_add></merge_tree></clickhouse>",
      seconds_of_old_parts);
}

// Without a configuration, the engine would read config.xml of the current folder, which belongs to something else.
Connection* connect(const std::string& folder) {
  const FileDescriptor file = memory_file(configuration());
  std::string program = "perfsift", path = "--path=" + folder, config = "--config-file=" + name_of(file);
  std::array<char*, 3> arguments = {program.data(), path.data(), config.data()};
  const KeptSignals signals;
  const StartEnvironment environment;
  return library().connect(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

ChdbEngine::OnlyOne::OnlyOne() { only_engine.acquire(); }
ChdbEngine::OnlyOne::~OnlyOne() { only_engine.release(); }

ChdbEngine::ChdbEngine(const std::string& folder, FolderUse use)
    : locked_((library(), folder), use), connection_(connect(folder)) {
  if (connection_ == nullptr) throw InputError("the engine cannot open the store, and says above why");
}

ChdbEngine::~ChdbEngine() {
  if (!has_written_) return;
  try {
    wait_until_old_parts_are_few();
  } catch (const std::exception&) {  // the next process may remove them
  }
}

// Most processes that add something do not wait: each one leaves a few old parts.
void ChdbEngine::wait_until_old_parts_are_few() {
  constexpr std::uint64_t few = 50;
  constexpr std::chrono::milliseconds pause{50}, longest_wait{3000};
  const auto old_parts = [this] {
    const std::string answer = query(fmt::format(
        "SELECT count() FROM system.parts WHERE NOT active AND remove_time < now() - {}", seconds_of_old_parts));
    return RowReader(answer).u64();
  };
  for (std::chrono::milliseconds waited{0}; old_parts() > few && waited < longest_wait; waited += pause)
    std::this_thread::sleep_for(pause);
}

std::string ChdbEngine::query(std::string_view sql, const Parameters& parameters) {
  constexpr std::string_view format = "RowBinary";
  std::vector<const char*> names, values;
  std::vector<std::size_t> name_sizes, value_sizes;
  for (const auto& [name, value] : parameters.all()) {
    names.push_back(name.data());
    name_sizes.push_back(name.size());
    values.push_back(value.data());
    value_sizes.push_back(value.size());
  }
  const auto destroy = [](Result* result) { library().destroy(result); };
  const std::unique_ptr<Result, decltype(destroy)> result(
      library().query(*connection_, sql.data(), sql.size(), format.data(), format.size(), names.data(),
                      name_sizes.data(), values.data(), value_sizes.data(), names.size()),
      destroy);
  if (result == nullptr) throw InputError("the engine gives no answer");
  // Before any figure: a query that failed may have rows.
  if (const char* const error = library().error(result.get())) throw InputError(first_line(error));
  const char* const bytes = library().buffer(result.get());
  return bytes == nullptr ? std::string() : std::string(bytes, library().length(result.get()));
}

void ChdbEngine::insert(const TableColumns& table, std::string_view rows) {
  if (rows.empty()) return;
  has_written_ = true;
  // Longer data in the text of an INSERT break off at some row.
  const FileDescriptor file = memory_file(rows);
  // Recordings of many years are in many parts. The settings are for one statement.
  query(
      fmt::format("INSERT INTO {} SELECT * FROM file('{}', 'RowBinary', '{}') "
                  "SETTINGS max_partitions_per_insert_block = 0",
                  table.name, name_of(file), table.columns));
}

}  // namespace perfsift::store::chdb
