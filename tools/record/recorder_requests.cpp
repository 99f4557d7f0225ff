#include "tools/record/recorder_requests.h"

#include <csignal>

namespace perfsift::tools {

using Request = RecorderRequests::Request;

RecorderRequests::RecorderRequests(record::Session& session, const std::string& control) : session_(session) {
  session_.watch(signals_.fd());
  if (!control.empty()) session_.watch(control_.emplace(control).fd());
}

Request RecorderRequests::obey(const ReceivedSignal& signal) {
  if (signal.number == SIGUSR2) return Request::snapshot_by_signal;
  if (signal.number == SIGHUP && reloads_by_hangup_) return Request::reload;
  ended_ = true;
  ended_by_ = signal.number;
  if (signal.from_process) session_.signal_command(signal.number);
  return Request::end_by_signal;
}

std::optional<Request> RecorderRequests::obey(Control::Command command) {
  switch (command) {
    case Control::Command::enable:
      session_.enable();
      break;
    case Control::Command::disable:
      session_.disable();
      break;
    case Control::Command::stop:
      ended_ = true;
      break;
    case Control::Command::snapshot:
      return Request::snapshot_by_command;
    case Control::Command::ping:
      break;
    case Control::Command::unknown:
      return Request::not_understood;
  }
  return std::nullopt;
}

}  // namespace perfsift::tools
