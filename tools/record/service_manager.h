// The service manager that has started this process and waits for its messages: systemd, by the protocol of
// sd_notify(3).
#pragma once

#include <chrono>
#include <optional>

#include "base/owned.h"

namespace perfsift::tools {

// Without a service manager nothing is sent. Messages that do not arrive are no errors.
class ServiceManager {
 public:
  // Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID of the environment.
  ServiceManager();

  bool is_there() const { return static_cast<bool>(socket_); }
  void ready();
  // SIGHUP has arrived, and ready() follows: what systemd waits for (Type=notify-reload).
  void reloading();
  void stopping();
  // To be called several times a second: the watchdog is told twice in its time.
  void alive();

 private:
  using Clock = std::chrono::steady_clock;

  void send(const char* message);

  FileDescriptor socket_;
  std::optional<std::chrono::microseconds> watchdog_;
  Clock::time_point told_;
};

}  // namespace perfsift::tools
