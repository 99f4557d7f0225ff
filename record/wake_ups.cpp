#include "record/wake_ups.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/epoll.h>

#include "base/error.h"

namespace perfsift::record {

WakeUps::WakeUps() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_) throw Error(fmt::format("epoll_create1: {}", std::strerror(errno)));
}

// Counters that share a ring share the note that the watermark is reached: perf_poll() gives the note to the first
// counter that is asked, so each of them must be asked for readiness.
void WakeUps::add(int fd) {
  epoll_event interest{};
  interest.events = EPOLLIN;
  interest.data.fd = fd;
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &interest) != 0) {
    throw Error(fmt::format("epoll_ctl: {}", std::strerror(errno)));
  }
}

void WakeUps::add(const Counter& counter) {
  add(counter.fd());
  ++live_;
}

void WakeUps::add_end_of_command(int fd) {
  add(fd);
  command_ = fd;
}

void WakeUps::wait(std::chrono::milliseconds longest) {
  std::array<epoll_event, 64> events{};
  const int ready = epoll_wait(epoll_.get(), events.data(), events.size(), static_cast<int>(longest.count()));
  for (int index = 0; index < ready; ++index) {
    const epoll_event& event = events[static_cast<std::size_t>(index)];
    const bool is_end = event.data.fd == command_ || (event.events & (EPOLLHUP | EPOLLERR)) != 0;
    if (!is_end) continue;
    // Otherwise each later wait would return at once.
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, event.data.fd, nullptr);
    if (event.data.fd != command_) --live_;
  }
}

}  // namespace perfsift::record
