#include "record/wake_ups.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/epoll.h>

#include "base/error.h"

namespace perfsift::record {
namespace {

// What epoll gives back: the kind and the descriptor.
constexpr unsigned kind_shift = 32;
constexpr std::uint64_t fd_bits = (std::uint64_t{1} << kind_shift) - 1;

}  // namespace

WakeUps::WakeUps() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_) throw Error(fmt::format("epoll_create1: {}", std::strerror(errno)));
}

// Counters that share a ring share the note that the watermark is reached: perf_poll() gives the note to the first
// counter that is asked, so each of them must be asked for readiness.
void WakeUps::add(int fd, Kind kind) {
  epoll_event interest{};
  interest.events = EPOLLIN;
  interest.data.u64 = static_cast<std::uint64_t>(kind) << kind_shift | static_cast<std::uint32_t>(fd);
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &interest) != 0) {
    throw Error(fmt::format("epoll_ctl: {}", std::strerror(errno)));
  }
}

void WakeUps::add(const Counter& counter) {
  add(counter.fd(), Kind::counter);
  ++live_;
}

void WakeUps::add_end_of_command(int fd) { add(fd, Kind::command); }

void WakeUps::wait(std::chrono::milliseconds longest) {
  std::array<epoll_event, 64> events{};
  const int ready = epoll_wait(epoll_.get(), events.data(), events.size(), static_cast<int>(longest.count()));
  for (int index = 0; index < ready; ++index) {
    const epoll_event& event = events[static_cast<std::size_t>(index)];
    const auto kind = static_cast<Kind>(event.data.u64 >> kind_shift);
    const bool is_end = kind == Kind::command || (event.events & (EPOLLHUP | EPOLLERR)) != 0;
    if (!is_end) continue;
    // Otherwise each later wait would return at once.
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, static_cast<int>(event.data.u64 & fd_bits), nullptr);
    if (kind == Kind::counter) --live_;
  }
}

}  // namespace perfsift::record
