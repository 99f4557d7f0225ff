// The bytes of a debuginfod server's answer: header and body, complete or cut. If a file comes out of the answer, it is
// read for names, as the file of that build id.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "symbolize/search/debuginfod.h"
#include "symbolize/symbolizer.h"
#include "tests/support/temporary.h"

using namespace perfsift;
using namespace perfsift::symbolize;

// The libraries of libdebuginfod leak memory.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

namespace {

// Sends the same bytes to every client, for every request. Lives until the process ends.
class Server {
 public:
  Server() : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(fd_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || listen(fd_, 16) != 0 ||
        getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      __builtin_trap();
    port_ = ntohs(address.sin_port);
    std::thread([this] { serve(); }).detach();
  }

  void answer_with(std::string bytes) {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(bytes);
  }
  std::uint16_t port() const { return port_; }

 private:
  [[noreturn]] void serve() {
    for (;;) {
      const int client = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) continue;
      char request[4096];
      (void)!read(client, request, sizeof request);
      {
        const std::lock_guard lock(mutex_);
        send(client, answer_.data(), answer_.size(), MSG_NOSIGNAL);
      }
      close(client);
    }
  }

  const int fd_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::string answer_;
};

struct Setting {
  Setting() {
    setenv("DEBUGINFOD_URLS", ("http://127.0.0.1:" + std::to_string(server.port())).c_str(), 1);
    setenv("DEBUGINFOD_CACHE_PATH", cache().c_str(), 1);
    setenv("DEBUGINFOD_TIMEOUT", "2", 1);
    setenv("DEBUGINFOD_RETRY_LIMIT", "0", 1);
  }
  std::filesystem::path cache() const { return folder.path() / "cache"; }

  const test::TemporaryDirectory folder;
  Server server;
};

// A new id each time, because the cache also remembers ids that no server has.
BuildId next_id() {
  static std::uint64_t count = 0;
  BuildId id;
  id.size = 20;
  ++count;
  for (std::size_t i = 0; i < sizeof count; ++i) id.bytes[i] = static_cast<std::byte>(count >> (8 * i));
  return id;
}

void look_for_names(const BuildId& id, const std::string& path) {
  Binary binary;
  binary.path = "/nowhere/app";
  binary.build_id = id;
  binary.kind = BinaryKind::elf;
  Symbolizer symbolizer({.debug_dirs = {}, .build_id_dir = "/nowhere", .fetched = {{id, path}}});
  const SymbolFile& file = symbolizer.file(binary);
  std::vector<SourceFrame> frames;
  for (std::uint64_t offset = 0; offset < 0x2000; offset += 64) {
    file.find(offset);
    frames.clear();
    file.append_source_frames(offset, frames);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Setting setting;
  static unsigned runs = 0;
  constexpr unsigned many = 256;
  if (++runs % many == 0) std::filesystem::remove_all(setting.cache());
  setting.server.answer_with(std::string(reinterpret_cast<const char*>(data), size));
  DebuginfodClient client({.bytes = 1 << 20, .time = std::chrono::milliseconds(3000)});
  const auto progress = [](std::uint64_t, std::uint64_t) {};
  for (const DebuginfodFile file : {DebuginfodFile::executable, DebuginfodFile::debug_info}) {
    const BuildId id = next_id();
    const DebuginfodAnswer answer = client.find(id, file, progress);
    if (answer.path.empty() == answer.why.empty()) __builtin_trap();
    if (!answer.path.empty()) look_for_names(id, answer.path);
  }
  return 0;
}
