// What the user asks of a recorder while it records: signals, and the commands of --control.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/session.h"
#include "tools/record/control.h"
#include "tools/record/record_signals.h"

namespace perfsift::tools {

// For the only thread of a process.
class RecorderRequests {
 public:
  // What is left to the recorder.
  enum class Request : std::uint8_t { snapshot_by_signal, snapshot_by_command, reload, end_by_signal, not_understood };
  static constexpr const char* not_understood_text =
      "--control: a line was no command (enable, disable, ping, snapshot, stop)";

  // From now on, wait() of the session returns when something arrives. The session must live longer, and its command
  // must have been started: signals are held back from here on. `control`: the text of --control; empty: none. Throws
  // what Control and RecordSignals throw.
  RecorderRequests(record::Session& session, const std::string& control);

  // Obeys all that has arrived: enables and disables events, notes the end, and passes on to the command a signal that
  // was sent to this process alone. Calls take(Request) for the rest; a command is acknowledged after that.
  template <typename Take>
  void take_all(Take&& take) {
    while (const auto signal = signals_.next()) take(obey(*signal));
    while (const auto command = control_ ? control_->next() : std::nullopt) {
      if (const auto request = obey(*command)) take(*request);
      control_->acknowledge();
    }
  }

  // From now on SIGHUP is Request::reload, as service managers mean it, and no end.
  void reload_by_hangup() { reloads_by_hangup_ = true; }
  void end() { ended_ = true; }
  bool ended() const { return ended_; }
  // The last signal that ended the recording.
  std::optional<int> ended_by() const { return ended_by_; }

 private:
  Request obey(const ReceivedSignal& signal);
  std::optional<Request> obey(Control::Command command);

  record::Session& session_;
  RecordSignals signals_;
  std::optional<Control> control_;
  bool ended_ = false, reloads_by_hangup_ = false;
  std::optional<int> ended_by_;
};

}  // namespace perfsift::tools
