#include "tools/record/live_marks.h"

#include <fmt/format.h>

#include "base/duration.h"
#include "base/whole_file.h"
#include "record/rings/pieces.h"
#include "tools/record/session_events.h"

namespace perfsift::tools {
namespace {

record::SessionPlan plan_of_marks(const std::vector<record::EventRequest>& marks, const record::SessionPlan& flight,
                                  const record::Session& session) {
  record::SessionPlan plan;
  plan.events = marks;
  plan.target = flight.target;
  plan.target.command.clear();
  if (const auto pid = session.command_pid(); pid && !plan.target.on_cpus()) plan.target.processes = {*pid};
  if (flight.target.on_cpus()) plan.target.system_wide = true;
  plan.content.period = 1;
  plan.content.cpu = true;
  plan.rings.bytes = std::size_t{128} << 10;
  plan.clock_id = flight.clock_id;
  return plan;
}

std::string thread_text(std::int32_t tid) {
  std::string comm = read_whole_file(fmt::format("/proc/{}/comm", tid)).value_or("");
  if (comm.ends_with('\n')) comm.pop_back();
  return fmt::format("{}[{}]", comm, tid);
}

class MarkSink : public record::RecordSink {
 public:
  explicit MarkSink(const reader::EventTable& events) : events_(events) {}

  void records(std::size_t /*ring*/, Bytes records) override {
    record::walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
      if (header.type == reader::RecordType::sample) take(record::record_in(records.subspan(offset)));
    });
  }
  void round() override {}

  std::vector<FlightTrigger> triggers;

 private:
  // A busy mark asks for one snapshot: more texts than a few are not read.
  void take(const reader::Record& record) {
    constexpr std::size_t most = 100;
    const reader::Event* const event = events_.of_sample(record);
    reader::Sample sample;
    if (event == nullptr || triggers.size() >= most || !decoder_.decode(record, *event, sample)) return;
    triggers.push_back(
        {.reason = fmt::format("{} in {} at {}", event->name, thread_text(sample.tid), seconds_text(sample.time))});
  }

  const reader::EventTable& events_;
  reader::SampleDecoder decoder_;
};

}  // namespace

LiveMarks::LiveMarks(const std::vector<record::EventRequest>& marks, const record::SessionPlan& plan,
                     const record::Session& session)
    : session_(plan_of_marks(marks, plan, session)) {
  add_events(session_, events_);
}

std::vector<FlightTrigger> LiveMarks::pass() {
  MarkSink sink(events_);
  session_.drain(sink);
  return std::move(sink.triggers);
}

}  // namespace perfsift::tools
