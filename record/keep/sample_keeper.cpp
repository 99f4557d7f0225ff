#include "record/keep/sample_keeper.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "filter/filter.h"
#include "reader/event_table.h"
#include "reader/records/process.h"
#include "reader/writer/records/loss.h"
#include "record/keep/live.h"
#include "record/keep/live_facts.h"
#include "record/keep/tracepoint_fields.h"
#include "record/rings/pieces.h"

namespace perfsift::record {
namespace {

using filter::Fact;
using reader::Record;
using reader::RecordType;
namespace bit = reader::sample_bit;

// The fields of a sample in the order in which the kernel writes them: perf_output_sample() in kernel/events/core.c.
constexpr std::uint64_t fields_in_order[] = {bit::identifier,
                                             bit::ip,
                                             bit::tid,
                                             bit::time,
                                             bit::addr,
                                             bit::id,
                                             bit::stream_id,
                                             bit::cpu,
                                             bit::period,
                                             bit::read,
                                             bit::callchain,
                                             bit::raw,
                                             bit::branch_stack,
                                             bit::regs_user,
                                             bit::stack_user,
                                             bit::weight | bit::weight_struct,
                                             bit::data_src,
                                             bit::transaction,
                                             bit::regs_intr,
                                             bit::phys_addr,
                                             bit::cgroup,
                                             bit::data_page_size,
                                             bit::code_page_size,
                                             bit::aux};

// All fields up to the last of `wanted`: the fields behind need not be decoded.
std::uint64_t up_to_last(std::uint64_t wanted) {
  std::uint64_t fields = 0, seen = 0;
  for (const std::uint64_t field : fields_in_order) {
    seen |= field;
    if ((wanted & field) != 0) fields = seen;
  }
  return fields;
}

// The recorded fields that decide about the filter's answer.
std::uint64_t needed_fields(const filter::Filter& filter) {
  std::uint64_t fields = filter.tracepoint_fields().empty() ? 0 : bit::raw;
  for (std::size_t fact = 0; fact < filter::fact_count; ++fact) {
    if (filter.uses(static_cast<Fact>(fact))) fields |= field_of(static_cast<Fact>(fact));
  }
  if (filter.uses(Fact::stack_size)) fields |= bit::stack_user;
  if (filter.uses(Fact::weight)) fields |= bit::weight_struct;
  if (filter.uses(Fact::id)) fields |= bit::id;
  return fields;
}

// The event with the fields that the filter needs. Fields that follow from raw data need all of the sample.
reader::Event shortened(const reader::Event& event, const filter::Filter& filter) {
  reader::Event shorter = event;
  const bool needs_all = event.derived_fields != 0 || event.wraps_off_cpu();
  if (!needs_all) shorter.attr.sample_type &= up_to_last(needed_fields(filter));
  return shorter;
}

// Appends a LOST_SAMPLES record as perf writes it for its BPF filters: record__read_lost_samples() in
// tools/perf/builtin-record.c, with the trailer of perf_event__synthesize_id_sample(). perf before 6.4 does not know
// the bit, and counts the samples as lost.
void append_dropped(const reader::Event& event, std::uint64_t count, std::vector<std::byte>& out) {
  auto trailer = reader::Trailer::zeros(event.attr.sample_id_all() ? event.attr.sample_type : 0);
  if (!event.ids.empty()) trailer.id.id = event.ids.front();
  const std::vector<std::byte> record = reader::encode_lost_samples({.lost = count, .dropped_by_bpf = true},
                                                                    {.order = ByteOrder::native, .trailer = trailer});
  out.insert(out.end(), record.begin(), record.end());
}

// The decisions about the samples of one event.
struct Decider {
  Decider(const reader::Event& event, const std::string& residual, LiveWorld& world,
          const reader::TracepointFormats& formats)
      : filter(filter::Filter::parse(residual, "--keep")),
        layout(shortened(event, filter)),
        facts(filter, world, formats, format_of(event.attr, formats)),
        state(filter) {}

  const filter::Filter filter;
  const reader::Event layout;
  LiveFacts facts;
  filter::FilterState state;
};

}  // namespace

class SampleKeeper::State {
 public:
  State(const std::vector<KeeperEvent>& events, const reader::TracepointFormats& formats, const std::string& cpu_id)
      : counts_(events.size()), untold_(events.size()) {
    reader::Features features;
    features.cpu_id = cpu_id;
    for (const KeeperEvent& event : events) {
      table_.add(event.attr, event.ids).name = event.name;
      if (!event.pmu.empty()) features.pmu_mappings.push_back({.type = event.attr.type, .name = event.pmu});
    }
    table_.find_ibs(features);
    for (std::size_t i = 0; i < events.size(); ++i) {
      drops_all_.push_back(events[i].drops_all);
      const bool decides = !events[i].drops_all && !events[i].residual.empty();
      deciders_.push_back(decides ? std::make_unique<Decider>(*table_.events()[i], events[i].residual, world_, formats)
                                  : nullptr);
    }
    const auto uses = [this](Fact fact) {
      return std::ranges::any_of(deciders_, [&](const auto& one) { return one != nullptr && one->filter.uses(fact); });
    };
    needs_names_ = uses(Fact::comm);
    needs_cgroups_ = uses(Fact::cgroup);
  }

  bool keeps(Bytes bytes) {
    const auto record = only_record_in(bytes);
    if (!record) return ++not_understood_, true;
    if (record->header.type != RecordType::sample) return note(*record), true;
    const reader::Event* const event = table_.of_sample(*record);
    if (event == nullptr) return ++not_understood_, true;
    const bool keep = keeps(*record, event->index);
    ++(keep ? counts_[event->index].kept : counts_[event->index].dropped);
    if (!keep) ++untold_[event->index];
    return keep;
  }

  std::vector<std::byte> take_dropped() {
    std::vector<std::byte> out;
    for (std::size_t i = 0; i < untold_.size(); ++i) {
      const reader::Event& event = *table_.events()[i];
      if (const std::uint64_t count = std::exchange(untold_[i], 0); count != 0) {
        append_dropped(event, count, out);
      }
    }
    return out;
  }

  const std::vector<Count>& counts() const { return counts_; }
  std::uint64_t not_understood() const { return not_understood_; }
  bool needs_all_rings() const { return needs_names_ || needs_cgroups_; }

 private:
  static std::optional<Record> only_record_in(Bytes bytes) {
    const auto header = whole_record_at({bytes, {}}, 0);
    return header && header->size == bytes.size() ? std::optional(record::record_in(bytes)) : std::nullopt;
  }

  bool keeps(const Record& record, std::size_t event) {
    if (drops_all_[event]) return false;
    Decider* const decider = deciders_[event].get();
    if (decider == nullptr) return true;
    if (!decoder_.decode(record, decider->layout, sample_)) return ++not_understood_, true;
    decider->facts.set_sample(sample_);
    return decider->filter.keeps(decider->facts, decider->state);
  }

  void note(const Record& record) {
    if (needs_names_) note_name(record);
    if (!needs_cgroups_ || record.header.type != RecordType::cgroup) return;
    if (const auto cgroup = reader::decode_cgroup(record)) world_.cgroups.try_emplace(cgroup->id, cgroup->path);
  }

  void note_name(const Record& record) {
    const RecordType type = record.header.type;
    if (type != RecordType::comm && type != RecordType::fork && type != RecordType::exit) return;
    world_.threads.take(record, table_.identify(record).time);
    if (world_.threads.texts() <= most_texts_) return;
    world_.threads.forget_unused();
    most_texts_ = std::max(most_texts_, 2 * world_.threads.texts());
    for (const auto& decider : deciders_) {
      if (decider != nullptr) decider->state = filter::FilterState(decider->filter);
    }
  }

  reader::EventTable table_;
  LiveWorld world_;
  std::vector<bool> drops_all_;                     // by event
  std::vector<std::unique_ptr<Decider>> deciders_;  // by event; nullptr: all samples are kept, or none
  std::vector<Count> counts_;
  std::vector<std::uint64_t> untold_;  // dropped samples since the last take_dropped()
  bool needs_names_ = false, needs_cgroups_ = false;
  // Names of threads are short, but programs may give as many names as they like.
  std::size_t most_texts_ = std::size_t{1} << 16;
  reader::SampleDecoder decoder_;
  reader::Sample sample_;
  std::uint64_t not_understood_ = 0;
};

SampleKeeper::SampleKeeper(const std::vector<KeeperEvent>& events, const reader::TracepointFormats& formats,
                           const std::string& cpu_id)
    : state_(std::make_unique<State>(events, formats, cpu_id)) {}
SampleKeeper::~SampleKeeper() = default;

bool SampleKeeper::keeps(Bytes record) { return state_->keeps(record); }
const std::vector<SampleKeeper::Count>& SampleKeeper::counts() const { return state_->counts(); }
SampleKeeper::Count SampleKeeper::total() const {
  Count total;
  for (const Count& event : counts()) total.kept += event.kept, total.dropped += event.dropped;
  return total;
}
std::uint64_t SampleKeeper::not_understood() const { return state_->not_understood(); }
bool SampleKeeper::needs_all_rings() const { return state_->needs_all_rings(); }
std::vector<std::byte> SampleKeeper::take_dropped() { return state_->take_dropped(); }

std::size_t SampleKeeper::size_of_first(Bytes records) {
  const auto header = whole_record_at({records, {}}, 0);
  return header ? header->size : records.size();
}

}  // namespace perfsift::record
