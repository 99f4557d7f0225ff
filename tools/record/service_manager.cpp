#include "tools/record/service_manager.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/number_in.h"

namespace perfsift::tools {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// A path, or @ and the name of an abstract socket.
FileDescriptor connected(std::string_view place) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (place.size() < 2 || place.size() >= sizeof address.sun_path) return FileDescriptor();
  if (place.front() != '/' && place.front() != '@') return FileDescriptor();
  place.copy(static_cast<char*>(address.sun_path), place.size());
  if (place.front() == '@') address.sun_path[0] = '\0';
  FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + place.size());
  if (!socket || connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) return FileDescriptor();
  return socket;
}

}  // namespace

ServiceManager::ServiceManager() : socket_(connected(variable("NOTIFY_SOCKET"))) {
  const std::string_view pid = variable("WATCHDOG_PID");
  if (!pid.empty() && number_in<pid_t>(pid) != getpid()) return;
  if (const auto time = number_in<std::int64_t>(variable("WATCHDOG_USEC")).value_or(0); time > 0)
    watchdog_ = std::chrono::microseconds(time);
}

void ServiceManager::send(const char* message) {
  if (socket_) ::send(socket_.get(), message, std::strlen(message), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void ServiceManager::ready() { send("READY=1"); }
void ServiceManager::reloading() {
  const auto now = std::chrono::floor<std::chrono::microseconds>(Clock::now().time_since_epoch());  // CLOCK_MONOTONIC
  send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", now.count()).c_str());
}

void ServiceManager::stopping() { send("STOPPING=1"); }

void ServiceManager::alive() {
  const Clock::time_point now = Clock::now();
  if (!watchdog_ || now - told_ < *watchdog_ / 2) return;
  told_ = now;
  send("WATCHDOG=1");
}

}  // namespace perfsift::tools
