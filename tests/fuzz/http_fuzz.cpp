// Bytes of a client to the HTTP server: in pieces, complete or cut, with answers at once or later. The first byte
// selects how the bytes are sent. The server must answer each request, or close the connection.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/http/http_server.h"

using namespace perfsift;

namespace {

std::atomic<int> answers_later = 0;

// Reads all of a request, and answers on another thread if the path asks for another thread.
void answer(const tools::HttpRequest& request, const tools::HttpAnswer& answer) {
  std::string body = request.method + request.path + request.host + request.origin + request.fetch_site;
  for (const auto& [name, value] : request.query) body += name + '=' + value + '\n';
  if (request.path.starts_with("/later")) {
    ++answers_later;
    std::thread([later = answer, body]() mutable {
      later({.body = body});
      later = nullptr;
      --answers_later;
    }).detach();
  } else {
    answer({.body = body});
  }
}

// Runs until the process ends.
class Server {
 public:
  Server() : thread_([this] { server_.run(answer); }) {}
  ~Server() {
    server_.stop();
    thread_.join();
    while (answers_later != 0) std::this_thread::yield();
  }
  std::uint16_t port() const { return server_.port(); }

 private:
  tools::HttpServer server_{"127.0.0.1", 0};
  std::thread thread_;
};

int connection_to(std::uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // Ports of connections that have ended are taken for a minute.
  while (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno != EADDRNOTAVAIL && errno != EINTR) std::perror("connect"), std::abort();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return fd;
}

std::string all_from(int fd) {
  std::string all;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(fd, buffer, sizeof buffer)) > 0;) all.append(buffer, static_cast<std::size_t>(got));
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Server server;
  if (size == 0) return 0;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const int fd = connection_to(server.port());
  const std::size_t piece = (data[0] & 1) != 0 ? 7 : text.size();
  const bool leaves = (data[0] & 2) != 0;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, piece);
    if (send(fd, part.data(), part.size(), MSG_NOSIGNAL) < 0) break;
    text.remove_prefix(part.size());
  }
  if (!leaves) {
    shutdown(fd, SHUT_WR);
    const std::string got = all_from(fd);
    if (!got.empty() && !got.starts_with("HTTP/1.1 ")) __builtin_trap();
  }
  const linger at_once{.l_onoff = 1, .l_linger = 0};  // otherwise the ports of closed connections run out
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close(fd);
  return 0;
}
