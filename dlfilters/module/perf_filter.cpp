#include "dlfilters/module/perf_filter.h"

#include <algorithm>

#include "base/error.h"
#include "filter/predicate.h"

namespace perfsift::dlfilter {
namespace {

using filter::Filter;

bool uses_names(const Filter& filter) {
  return std::ranges::any_of(name_facts, [&](filter::Fact name) { return filter.uses(name); });
}

// A name that is no field counts as a field of a tracepoint, and may be just misspelt.
void refuse_tracepoint_fields(const Filter& filter) {
  if (filter.tracepoint_fields().empty()) return;
  const std::string& name = filter.tracepoint_fields().front().name;
  const auto near = filter::nearest_field(name);
  throw UsageError("'" + name + "': perf does not give a dlfilter the fields of tracepoints" +
                   (near ? "; did you mean " + std::string(*near) + "?" : ""));
}

void refuse_shares(const Filter& filter) {
  if (filter.uses_shares()) {
    throw UsageError("shares of the recording: a dlfilter does not know when it begins and ends");
  }
}

void refuse_what_perf_does_not_tell(const filter::Predicate& predicate) {
  const filter::PredicateInfo& info = predicate.info();
  if (!info.not_in_perf.empty()) throw UsageError("'" + info.text + "': " + info.not_in_perf);
  for (const filter::Predicate* const part : predicate.parts()) refuse_what_perf_does_not_tell(*part);
}

Filter parse(const std::vector<filter::FilterText>& texts) {
  Filter filter = Filter::parse(texts);
  refuse_tracepoint_fields(filter);
  refuse_shares(filter);
  if (filter.root() != nullptr) refuse_what_perf_does_not_tell(*filter.root());
  return filter;
}

}  // namespace

std::vector<filter::FilterText> filter_texts(const std::vector<std::string>& expressions) {
  std::vector<filter::FilterText> texts;
  for (const std::string& expression : expressions) texts.push_back({.origin = "filter", .text = expression});
  return texts;
}

// An expression that counts samples must see each sample once.
PerfFilter::PerfFilter(const std::vector<filter::FilterText>& texts)
    : filter_(parse(texts)), state_(filter_), early_(!filter_.needs_order() || !uses_names(filter_)) {}

bool PerfFilter::keeps_early(PerfSample& sample) {
  decided_.reset();
  if (!early_) return true;
  const bool keeps = filter_.keeps(sample, state_);
  if (sample.asked_for_names()) return true;
  decided_ = keeps;
  return keeps;
}

bool PerfFilter::keeps(PerfSample& sample) {
  if (decided_) return *decided_;
  return filter_.keeps(sample, state_);
}

}  // namespace perfsift::dlfilter
