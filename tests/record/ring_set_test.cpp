#include "record/ring_set.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "record/rings/aux_area.h"
#include "tests/record/live.h"

namespace perfsift::record {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// No PMU here has an AUX area. The kernel maps that of the event alone that writes the trace (rb_alloc_aux() in
// kernel/events/ring_buffer.c), so the error must be about this event, wherever it stands.
TEST(RingSet, AreaIsThatOfTheEventThatWritesTheTrace) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = test::plan_of_own_thread(test::page_faults());
  EventRequest traced = test::page_faults();
  traced.name = "traced";
  traced.leader = 1;
  plan.events.push_back(traced);
  std::vector<std::string> left_out;
  std::vector<SessionEvent> events = configured_events(plan, std::nullopt, left_out);
  events[1].traces = true;
  const KernelRoots roots;
  std::vector<OpenCounter> counters = open_counters({plan, std::nullopt, roots}, events, left_out);
  try {
    const RingSet rings(counters, events, {.ordinary = 16384, .overwritten = 0, .aux = least_aux_bytes()}, left_out);
    FAIL() << "a software event has no AUX area";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("cannot map the AUX area of event 'traced'"),
                                    HasSubstr("Operation not supported"), HasSubstr("writes no trace")));
  }
}

}  // namespace
}  // namespace perfsift::record
