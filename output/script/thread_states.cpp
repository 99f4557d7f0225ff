#include "output/script/thread_states.h"

#include "base/printable.h"

namespace perfsift::output {

const NamedThread& ThreadStates::at(std::int32_t pid, std::int32_t tid, reader::Moment moment) {
  const auto [found, is_new] = known_.try_emplace(tid);
  NamedThread& thread = found->second;
  if (is_new || moment < thread.state.from || moment >= thread.state.until) {
    thread.state = timeline_.thread(pid, tid, moment);
    thread.comm = printable(timeline_.comm(tid, thread.state));
  }
  return thread;
}

}  // namespace perfsift::output
