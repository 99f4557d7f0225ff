#include "analysis/rewrite/unwound_samples.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "analysis/samples/call_stack.h"
#include "analysis/samples/code_versions.h"
#include "analysis/samples/stack_tail.h"
#include "analysis/samples/thread_cache.h"
#include "reader/callchain.h"
#include "reader/writer/byte_writer.h"

namespace perfsift::analysis {
namespace {

namespace bit = reader::sample_bit;
using Words = std::vector<std::uint64_t>;
using FoundWords = std::unordered_map<std::uint64_t, Words>;

bool copies_stacks(const reader::Recording& recording) {
  return std::ranges::any_of(recording.events(), [](const auto& event) { return event->attr.has(bit::stack_user); });
}

bool has_copy(const reader::Sample& sample) {
  return sample.has(bit::stack_user) && sample.has(bit::callchain) && !sample.user_registers.values.empty();
}

// The offset in the payload of what a view of it points to; nothing if it points elsewhere.
template <typename View>
std::optional<std::size_t> offset_in(Bytes payload, const View& view) {
  const auto* const at = reinterpret_cast<const std::byte*>(view.data());
  if (at == nullptr || at < payload.data() || at > payload.data() + payload.size()) return std::nullopt;
  return static_cast<std::size_t>(at - payload.data());
}

// The parts of a sample that are replaced.
struct Places {
  std::size_t callchain = 0;  // its number of words
  std::size_t after_callchain = 0;
  std::size_t registers = 0;  // their abi
  std::size_t after_stack = 0;
};

std::optional<Places> places_in(Bytes payload, const reader::Sample& sample) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  const auto chain = offset_in(payload, sample.callchain);
  const auto registers = offset_in(payload, sample.user_registers.values);
  if (!chain || !registers || *chain < word || *registers < *chain + word) return std::nullopt;
  const std::size_t stack = *registers + sample.user_registers.values.size_bytes() + word;
  // The size in front of the copy is there again behind it, unless it is 0.
  const std::size_t copied = sample.user_stack_dumped == 0 ? 0 : sample.user_stack_dumped + word;
  if (stack > payload.size() || copied > payload.size() - stack) return std::nullopt;
  return Places{.callchain = *chain - word,
                .after_callchain = *chain + sample.callchain.size_bytes(),
                .registers = *registers - word,
                .after_stack = stack + copied};
}

}  // namespace

// Unwinds the stacks of the samples that one thread visits.
class UnwoundSamples::Visitor : public reader::SampleVisitor {
 public:
  Visitor(const reader::Recording& recording, const UnwindOptions& unwind, std::mutex& mutex, FoundWords& all)
      : threads_(recording), call_stack_(recording, unwind), mutex_(mutex), all_(all) {}

  void sample(const reader::Sample& sample) override {
    if (!has_copy(sample)) return;
    const CallStack::Stack stack = call_stack_.of(sample, threads_.find(sample.pid, sample.tid, sample.moment));
    Words words(stack.words.begin(), stack.words.end());
    words.push_back(note_of_tail(stack.tail));
    found_.insert_or_assign(sample.moment.position, std::move(words));
  }
  void finish() override {
    const std::lock_guard lock(mutex_);
    all_.merge(found_);
  }

 private:
  ThreadCache threads_;
  CallStack call_stack_;
  FoundWords found_;
  std::mutex& mutex_;
  FoundWords& all_;
};

UnwoundSamples::UnwoundSamples(reader::Recording& recording, symbolize::Symbolizer& symbolizer, unsigned threads) {
  for (const auto& event : recording.events()) events_.add(event->attr, event->ids);
  if (!copies_stacks(recording)) return;
  const CodeVersions code_versions(recording, symbolizer);
  const UnwindOptions unwind{.symbolizer = &symbolizer, .code_versions = &code_versions};
  std::mutex mutex;
  recording.visit_parallel(threads,
                           [&](unsigned) { return std::make_unique<Visitor>(recording, unwind, mutex, words_); });
}

const reader::Record& UnwoundSamples::of(const reader::Record& record) {
  if (record.header.type != reader::RecordType::sample) return record;
  const auto chain = words_.find(record.position);
  const reader::Event* const event = chain != words_.end() ? events_.of_sample(record) : nullptr;
  reader::Sample sample;
  if (event == nullptr || !decoder_.decode(record, *event, sample)) return record;
  write(record, sample, chain->second);
  return bytes_.empty() ? record : changed_;
}

// Leaves bytes_ empty if the sample cannot be changed: its callchain came in another record, or is swapped.
void UnwoundSamples::write(const reader::Record& record, const reader::Sample& sample,
                           const std::vector<std::uint64_t>& chain) {
  bytes_.clear();
  const auto places = places_in(record.payload, sample);
  if (!places) return;
  const Bytes payload = record.payload;
  reader::ByteWriter out(record.order);
  out.bytes(payload.first(places->callchain)).u64(chain.size());
  for (const std::uint64_t word : chain) out.u64(word);
  out.bytes(payload.subspan(places->after_callchain, places->registers - places->after_callchain));
  out.u64(0).u64(0);  // no registers, and no stack
  out.bytes(payload.subspan(places->after_stack));
  const std::size_t size = reader::record_header_size + out.size();
  if (size > std::numeric_limits<std::uint16_t>::max()) return;
  reader::ByteWriter whole(record.order);
  whole.u32(static_cast<std::uint32_t>(record.header.type))
      .u16(record.header.misc)
      .u16(static_cast<std::uint16_t>(size));
  bytes_ = whole.bytes(out.view()).take();
  changed_ = record;
  changed_.header.size = static_cast<std::uint16_t>(size);
  changed_.payload = Bytes(bytes_).subspan(reader::record_header_size);
}

}  // namespace perfsift::analysis
