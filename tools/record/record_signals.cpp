#include "tools/record/record_signals.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/error.h"

namespace perfsift::tools {

RecordSignals::RecordSignals(std::initializer_list<int> more) {
  sigset_t taken;
  sigemptyset(&taken);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR2}) {
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&taken, number);  // nohup(1) ignores SIGHUP
  }
  for (const int number : more) sigaddset(&taken, number);
  pthread_sigmask(SIG_BLOCK, &taken, &before_);
  fd_ = FileDescriptor(signalfd(-1, &taken, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!fd_) throw Error(fmt::format("signalfd: {}", std::strerror(errno)));
}

RecordSignals::~RecordSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::optional<ReceivedSignal> RecordSignals::next() {
  signalfd_siginfo info{};
  if (read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
  return ReceivedSignal{.number = static_cast<int>(info.ssi_signo), .from_process = info.ssi_code <= 0};
}

}  // namespace perfsift::tools
