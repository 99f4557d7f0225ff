#include "analysis/survey/all_addresses.h"

#include <memory>
#include <string>
#include <unordered_set>

#include "analysis/collect/stack_collector.h"
#include "analysis/memory/data_place.h"
#include "analysis/samples/code_names.h"
#include "analysis/samples/thread_cache.h"

namespace perfsift::analysis {
namespace {

namespace bit = reader::sample_bit;

// Names the addresses of samples that are not in stacks.
class AddressVisitor : public reader::SampleVisitor {
 public:
  AddressVisitor(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, bool as_recorded)
      : as_recorded_(as_recorded),
        threads_(recording),
        names_(recording, symbolizer, symbolize::DemangleStyle::full),
        data_(recording, names_) {}

  void sample(const reader::Sample& sample) override {
    const bool has_address = sample.has(bit::addr) && sample.addr != 0;
    const reader::ThreadState& thread = threads_.find(sample.pid, sample.tid, sample.moment);
    names_.set_time(thread, sample.moment.time);
    if (as_recorded_) name_callchain(sample, thread);
    if (has_address) name_data(sample, thread);
    for (const reader::BranchEntry branch : sample.branch_stack) {
      name_code(sample, thread, branch.from);
      name_code(sample, thread, branch.to);
    }
  }

 private:
  void name_data(const reader::Sample& sample, const reader::ThreadState& thread) {
    const DataPlace place = data_.of(sample, thread);
    if (place.location.symbol != nullptr) data_.source_texts(place);
  }
  void name_callchain(const reader::Sample& sample, const reader::ThreadState& thread) {
    if (sample.has(bit::ip)) name_code(sample, thread, sample.ip);
    for (const std::uint64_t word : sample.callchain)
      if (word < reader::callchain_context::max) name_code(sample, thread, word);
  }
  void name_code(const reader::Sample& sample, const reader::ThreadState& thread, std::uint64_t address) {
    const CodeLocation location = names_.locate_in_any_mode(thread, sample.cpumode, address);
    if (!location.mapped() || !named_.insert(Place{location.binary, location.offset}).second) return;
    names_.source_calls(location, false);
  }

  struct Place {
    std::uint32_t binary = 0;
    std::uint64_t offset = 0;
    bool operator==(const Place&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const { return place.offset * 31 + place.binary; }
  };

  const bool as_recorded_;
  ThreadCache threads_;
  CodeNames names_;
  DataPlaces data_;
  std::unordered_set<Place, Hash> named_;
};

void name_stacks(reader::Recording& recording, symbolize::Symbolizer& symbolizer, unsigned threads) {
  const filter::Filter all;
  Profile profile;
  StackOptions options;
  options.frames.inlines = true;
  StackCollector collector(
      recording, symbolizer, profile, options, [](const reader::Event& event) { return event.name; }, all);
  collector.collect(threads);
}

}  // namespace

void name_all_addresses(reader::Recording& recording, symbolize::Symbolizer& symbolizer, bool as_recorded,
                        unsigned threads) {
  name_stacks(recording, symbolizer, threads);
  recording.visit_parallel(
      threads, [&](unsigned) { return std::make_unique<AddressVisitor>(recording, symbolizer, as_recorded); });
}

}  // namespace perfsift::analysis
