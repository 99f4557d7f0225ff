// Opens one event at one place after another, and changes the event where the kernel refuses it but a smaller wish
// would be granted: evsel__open_cpu() and evsel__fallback() in tools/perf/util/evsel.c.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/attr_configuration.h"
#include "record/rings/counter.h"

namespace perfsift::record {

// The counters of one event have one attr: only the first counter decides what is left out. Not thread-safe.
class EventOpener {
 public:
  // `event` is changed to what the kernel accepts, and `left_out` gets a sentence for each change that a user notices.
  // All must outlive the opener.
  // `asked`: the request of the event; nullptr: the session's own dummy event.
  EventOpener(SessionEvent& event, const EventRequest* asked, const KernelRoots& roots,
              std::vector<std::string>& left_out)
      : event_(event), asked_(asked), roots_(roots), left_out_(left_out) {}

  // Nothing: the thread has ended, or the CPU is offline. Throws Error that says why the event cannot be opened.
  std::optional<Counter> open(const CounterPlace& place);

 private:
  EventRequest request() const;
  bool make_smaller(int error);
  bool leave_out_unknown();
  bool lower_precision(int error);
  bool do_without_privileges(int error);
  bool take_guests_in(int error);
  bool use_clock(int error);
  void say(const std::string& what) { left_out_.push_back(event_.name + ": " + what); }

  SessionEvent& event_;
  const EventRequest* asked_;
  const KernelRoots& roots_;
  std::vector<std::string>& left_out_;
  bool opened_ = false;
};

}  // namespace perfsift::record
