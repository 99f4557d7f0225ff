#include "tools/record/keep_options.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "record/keep/tracepoint_fields.h"
#include "record/machine/online_cpus.h"

namespace perfsift::tools {
namespace {

// Both kinds of weights at once are refused by the kernel (PERF_SAMPLE_WEIGHT_TYPE); the struct has the weight, too.
std::uint64_t asked_fields(std::uint64_t fields, const record::SampleContent& content) {
  return content.weight ? fields & ~reader::sample_bit::weight : fields;
}

}  // namespace

void KeepOptions::add_to(options::po::options_description& options) {
  options.add_options()("keep", options::po::value(&expressions_)->value_name("EXPR"),
                        "record only samples for which the expression is true (explain --record shows how)");
}

std::unique_ptr<KeptSamples> KeepOptions::apply(record::SessionPlan& plan) const {
  if (expressions_.empty()) return nullptr;
  record::KeepRequest request{
      .events = plan.events, .target = plan.target, .online_cpus = record::online_cpus(record::KernelRoots())};
  for (const std::string& expression : expressions_)
    request.expressions.push_back({.origin = "--keep", .text = expression});
  reader::TracepointFormats formats = record::tracepoint_formats(plan.events, record::EventSources());
  record::KeepPlan parts = record::plan_keep(request, formats);
  plan.target = parts.target;
  plan.events.clear();
  for (record::KeptEvent& event : parts.events) {
    event.request.attr.sample_type |= asked_fields(event.sample_fields, plan.content);
    plan.events.push_back(event.request);
  }
  auto reasons = record::explained(parts);
  return std::make_unique<KeptSamples>(
      KeptSamples{.formats = std::move(formats), .events = std::move(parts.events), .reasons = std::move(reasons)});
}

std::unique_ptr<record::SampleKeeper> KeptSamples::keeper_for(const record::Session& session) const {
  const auto decides = [](const record::KeptEvent& event) { return event.drops_all || !event.residual.empty(); };
  if (std::ranges::none_of(events, decides)) return nullptr;
  std::vector<record::KeeperEvent> opened;
  for (std::size_t i = 0; i < session.events().size(); ++i) {
    record::KeeperEvent event{.ids = session.events()[i].ids, .name = session.event_names()[i]};
    if (const auto attr = reader::decode_event_attr(session.events()[i].attr, ByteOrder::native)) event.attr = *attr;
    if (i < events.size()) {  // the session's own event for other records follows
      event.pmu = events[i].request.pmu;
      event.drops_all = events[i].drops_all;
      event.residual = events[i].residual;
    }
    opened.push_back(std::move(event));
  }
  return std::make_unique<record::SampleKeeper>(opened, formats);
}

std::vector<std::unique_ptr<record::SampleKeeper>> KeptSamples::keepers_for(const record::Session& session) const {
  std::vector<std::unique_ptr<record::SampleKeeper>> keepers;
  const std::size_t count = std::max<std::size_t>(1, session.groups().size());
  for (std::size_t i = 0; i < count; ++i) {
    auto keeper = keeper_for(session);
    if (keeper == nullptr) return {};
    if (count > 1 && keeper->needs_all_rings())
      throw UsageError(
          "--keep decides by names that records of all CPUs give, and --threads reads them apart: leave out one");
    keepers.push_back(std::move(keeper));
  }
  return keepers;
}

void KeptSink::records(std::size_t ring, Bytes records) {
  if (keeper_ == nullptr) return to_.records(ring, records);
  last_ring_ = ring;
  keeper_->kept_runs(records, [&](Bytes run) { to_.records(ring, run); });
}

void KeptSink::round() {
  if (keeper_ != nullptr) {
    const std::vector<std::byte> dropped = keeper_->take_dropped();
    if (!dropped.empty()) to_.records(last_ring_, dropped);
  }
  to_.round();
}

}  // namespace perfsift::tools
