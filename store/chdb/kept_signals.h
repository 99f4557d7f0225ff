// What the process does at signals, kept while a library may change it: libchdb sets handlers when it is loaded and
// when a connection is opened.
#pragma once

#include <array>
#include <csignal>

namespace perfsift::store::chdb {

class KeptSignals {
 public:
  KeptSignals() {
    for (int signal = 1; signal < static_cast<int>(actions_.size()); ++signal) {
      known_[signal] = sigaction(signal, nullptr, &actions_[signal]) == 0;
    }
  }
  ~KeptSignals() {
    for (int signal = 1; signal < static_cast<int>(actions_.size()); ++signal) {
      if (known_[signal]) sigaction(signal, &actions_[signal], nullptr);  // fails for SIGKILL and SIGSTOP only
    }
  }
  KeptSignals(const KeptSignals&) = delete;
  KeptSignals& operator=(const KeptSignals&) = delete;

 private:
  static constexpr int signals = 65;  // of Linux, with those for real time
  std::array<struct sigaction, signals> actions_{};
  std::array<bool, signals> known_{};
};

}  // namespace perfsift::store::chdb
