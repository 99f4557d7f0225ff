#include "store/collector.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "analysis/profile/quality_facts.h"
#include "base/error.h"
#include "base/printable.h"
#include "store/engine/row_binary.h"
#include "store/hosts.h"
#include "store/shards.h"
#include "store/wanted_rows.h"

namespace perfsift::store {
namespace {

using analysis::FrameId;
using analysis::FrameKind;

// Where recordings give different names to the sample types of an event, only the unit is kept.
void describe_events(Engine& engine, const Selection& selection, StoredRecordings& to) {
  const std::string answer = engine.query(
      fmt::format(
          "SELECT event, uniqExact(unit), any(unit), if(uniqExact(count_type, value_type) = 1, any(count_type), ''), "
          "if(uniqExact(count_type, value_type) = 1, any(value_type), '') "
          "FROM events WHERE {} GROUP BY event ORDER BY min(place), event",
          wanted_loads(selection)),
      selection.parameters());
  for (RowReader row(answer); !row.at_end();) {
    StoredEvent event{.name = std::string(row.text()), .type = {}};
    if (row.u64() > 1) {
      throw InputError(printable(
          fmt::format("its recordings have {} in several units, which cannot be added up: choose some by their labels",
                      event.name)));
    }
    event.type.unit = row.text();
    event.type.count = row.text();
    event.type.value = row.text();
    to.events.push_back(std::move(event));
  }
}

void describe_quality(Engine& engine, const Selection& selection, StoredRecordings& to) {
  const std::string answer = engine.query(fmt::format("SELECT fact, reason, place, sum(count) FROM quality WHERE {} "
                                                      "GROUP BY fact, reason, place ORDER BY fact, reason, place",
                                                      wanted_loads(selection)),
                                          selection.parameters());
  for (RowReader row(answer); !row.at_end();) {
    analysis::QualityFact fact;
    fact.fact = row.text();
    fact.reason = row.text();
    fact.place = row.text();
    fact.count = row.u64();
    analysis::add(fact, to.quality);
  }
}

}  // namespace

StoredRecordings describe(Engine& engine, const Selection& selection) {
  StoredRecordings described{.state = state_of(engine, selection)};
  const StateOfRecordings state = recordings_in(described.state);
  described.recordings = state.recordings;
  described.samples = state.samples;
  described.duration = state.duration;
  described.began = std::max(state.began, std::uint64_t{selection.from.value_or(0)} * 1'000'000'000);
  describe_events(engine, selection, described);
  describe_quality(engine, selection, described);
  return described;
}

StoreCollector::StoreCollector(Engine& engine, Selection selection, analysis::Profile& profile,
                               const analysis::StackOptions& options)
    : engine_(engine),
      selection_(std::move(selection)),
      profile_(profile),
      options_(options),
      list_(profile.new_list()),
      stack_(options.shape, profile.frames(), options.frames.detail),
      stored_stacks_(engine, profile.frames(), options.frames) {}

void StoreCollector::keep_apart(std::span<const analysis::Run> hosts) {
  for (const analysis::Run& host : hosts) runs_.emplace(host_of(host), static_cast<std::uint32_t>(runs_.size()));
}

void StoreCollector::collect(const StoredRecordings& stored, const KeepEvent& keep) {
  std::vector<std::string> kept;
  for (const StoredEvent& event : stored.events) {
    const bool is_wanted =
        selection_.events.empty() || std::ranges::find(selection_.events, event.name) != selection_.events.end();
    const auto name = is_wanted ? keep(event.name) : std::nullopt;
    if (!name) continue;
    events_.emplace(event.name, profile_.event(*name, event.type));
    kept.push_back(event.name);
  }
  if (kept.empty()) return;
  const Selection wanted = selection_;
  // A condition that all samples meet would take as long as the sum itself.
  if (kept.size() < stored.events.size()) selection_.events = std::move(kept);
  parameters_ = selection_.parameters();
  const std::vector<std::string> sums = read_sums();
  stored_stacks_.read(engine_.takes_long_parameters() ? stacks_of(sums) : std::vector<Hash128>(),
                      wanted_stacks("samples", selection_), parameters_);
  check_unchanged(engine_, wanted, stored.state);
  add_sums(sums);
}

// SQL: what of a recording keeps its samples apart from those of others, as columns that end with a comma, and the
// table that has them. Sets the parameters for the names of labels.
StoreCollector::Apart StoreCollector::apart() {
  if (!runs_.empty())
    return {.columns = "host, ", .join = fmt::format("INNER JOIN ({}) AS r USING load ", hosts_of_loads(selection_))};
  if (rows_ == nullptr || rows_->shape().labels_of_stores.empty()) return {};
  Apart apart;
  std::string selected;
  for (const std::string& label : rows_->shape().labels_of_stores) {
    const std::string column = fmt::format("label_{}", labels_.size());
    parameters_.text(column, label);
    labels_.push_back(label);
    apart.columns += column + ", ";
    selected += fmt::format(", labels[unhex({{{0}:String}})] AS {0}", column);
  }
  apart.join =
      fmt::format("INNER JOIN (SELECT load{} FROM {}) AS r USING load ", selected, selection_.wanted_recordings());
  return apart;
}

std::vector<std::string> StoreCollector::read_sums() {
  const auto [columns, join] = apart();
  return query(fmt::format(
      "SELECT event, stack, {} AS thread_name, {} AS group_name, {}sum(toUInt128(samples)), sum(toUInt128(value)) FROM "
      "samples {}WHERE {} GROUP BY {}event, stack, thread_name, group_name "
      "ORDER BY stack, thread_name, group_name, {}event",
      needs_threads() ? "thread" : "''", needs_cgroups() ? "cgroup" : "''", columns, join, wanted_samples(selection_),
      columns, columns));
}

StoreCollector::Sum StoreCollector::sum_in(RowReader& row) const {
  Sum sum{.event = row.text(), .stack = row.id(), .thread = row.text(), .cgroup = row.text(), .amount = {}};
  if (!runs_.empty()) {
    const auto run = runs_.find(row.text());
    if (run != runs_.end()) sum.run = run->second;
  }
  for (const std::string& label : labels_) sum.labels.push_back({.key = label, .text = std::string(row.text())});
  sum.amount.samples = small_sum(row);
  sum.amount.value = small_sum(row);
  if (options_.weight == analysis::Weight::samples) sum.amount.value = sum.amount.samples;
  return sum;
}

// In the order of the table. A shard's sums are in this order already.
std::vector<Hash128> StoreCollector::stacks_of(const std::vector<std::string>& sums) const {
  std::vector<Hash128> ids;
  for (const std::string& rows : sums) {
    for (RowReader row(rows); !row.at_end();) {
      const Hash128 stack = sum_in(row).stack;
      if (ids.empty() || ids.back() != stack) ids.push_back(stack);
    }
  }
  if (sums.size() > 1) std::ranges::sort(ids, {}, in_table);
  return ids;
}

// In the order of stacks, as one shard would give them: a stack is on one shard only.
void StoreCollector::add_sums(const std::vector<std::string>& shards) {
  struct Rows {
    RowReader rest;
    Sum next;
  };
  const auto read_next = [this](Rows& rows) {
    if (rows.rest.at_end()) return false;
    rows.next = sum_in(rows.rest);
    return true;
  };
  std::vector<Rows> all;
  for (const std::string& rows : shards) {
    all.push_back({.rest = RowReader(rows), .next = {}});
    if (!read_next(all.back())) all.pop_back();
  }
  const auto by_stack = [](const Rows& rows) { return in_table(rows.next.stack); };
  while (!all.empty()) {
    const auto first = std::ranges::min_element(all, {}, by_stack);
    add(first->next);
    if (!read_next(*first)) all.erase(first);
  }
}

void StoreCollector::add(const Sum& sum) {
  const auto event = events_.find(std::string(sum.event));
  if (event == events_.end()) return;
  const bool is_wanted = find_stack(sum);
  if (options_.shape.interrupts == analysis::Interrupts::drop)
    interrupts_ += {.left_out = stack_.drops_interrupt() ? sum.amount.samples : 0, .of = sum.amount.samples};
  if (!is_wanted) return;
  kept_ += sum.amount.samples;
  list_.add(event->second, frames_, sum.amount);
  if (rows_ != nullptr) add_row(sum, event->second, !frames_.empty());
}

bool StoreCollector::find_stack(const Sum& sum) {
  stack_.begin();
  take_frames(sum.stack);
  stack_.end();
  if (stack_.unwanted()) return false;
  const auto frames = stack_.finish(thread_of(sum), cgroup_of(sum));
  frames_.assign(frames.begin(), frames.end());
  if (frames_.empty() && options_.names_no_stack) frames_.push_back(profile_.frames().intern(analysis::no_stack_frame));
  return true;
}

// From the leaf to the root, as the builder wants them.
void StoreCollector::take_frames(const Hash128& stack) {
  const auto functions = stored_stacks_.functions_of(stack);
  for (auto each = functions.rbegin(); each != functions.rend(); ++each) {
    const StackReader::Function& function = **each;
    if (function.inlined && !options_.frames.inlines) continue;
    if (stack_.wants(function.kernel)) stack_.add(function.frame, function.kernel);
    if (stack_.needs_entries() && function.kernel) stack_.enter(function.entry);
  }
}

std::optional<FrameId> StoreCollector::thread_of(const Sum& sum) {
  if (!options_.comm || sum.thread.empty()) return std::nullopt;
  return profile_.frames().intern(analysis::foldable(sum.thread), {.kind = FrameKind::thread});
}

std::optional<FrameId> StoreCollector::cgroup_of(const Sum& sum) {
  if (!options_.cgroup) return std::nullopt;
  const std::string text = sum.cgroup.empty() ? "[unknown cgroup]" : analysis::foldable(sum.cgroup);
  return profile_.frames().intern(text, {.kind = FrameKind::cgroup});
}

void StoreCollector::add_row(const Sum& sum, analysis::EventId event, bool has_frames) {
  analysis::SumRow row{.amount = sum.amount, .event = event & analysis::SumRow::event_bits, .run = sum.run};
  if (has_frames) row.stack = first_stack_ + static_cast<std::uint32_t>(list_.entries().size() - 1);
  if (!sum.thread.empty() || !sum.cgroup.empty() || !sum.labels.empty()) {
    row.context =
        rows_->context({.comm = std::string(sum.thread), .cgroup = std::string(sum.cgroup), .labels = sum.labels});
  }
  rows_->append(row);
}

}  // namespace perfsift::store
