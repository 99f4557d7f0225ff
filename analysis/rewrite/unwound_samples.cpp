#include "analysis/rewrite/unwound_samples.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "analysis/samples/call_stack.h"
#include "analysis/samples/code_versions.h"
#include "analysis/samples/stack_tail.h"
#include "analysis/samples/thread_cache.h"
#include "reader/callchain.h"
#include "reader/writer/records/sample.h"

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

// The bytes of what is replaced: beside them, both stacks have numbers that stay.
std::size_t bytes_replaced(const reader::Sample& sample) {
  // The size in front of the copy is there again behind the copy, unless it is 0.
  const std::size_t copied = sample.user_stack_dumped == 0 ? 0 : sample.user_stack_dumped + sizeof(std::uint64_t);
  return sample.callchain.size_bytes() + sample.user_registers.values.size_bytes() + copied;
}

}  // namespace

// Unwinds the stacks of the samples that one thread visits.
class UnwoundSamples::Visitor : public reader::SampleVisitor {
 public:
  Visitor(const reader::Recording& recording, const UnwindOptions& unwind, std::mutex& mutex, FoundWords& all)
      : threads_(recording), call_stack_(recording, unwind), mutex_(mutex), all_(all) {}

  void sample(const reader::Sample& sample) override {
    if (!has_copy(sample)) return;
    const CallStack::Stack& stack = call_stack_.of(sample, threads_.find(sample.pid, sample.tid, sample.moment));
    const reader::Words found = stack.words();
    Words words(found.begin(), found.end());
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
  const std::size_t before = bytes_replaced(sample);
  sample.callchain = reader::words_in(chain->second);
  sample.user_registers = {};
  sample.user_stack_dumped = 0;
  sample.user_stack = {};
  bytes_ = reader::encode_sample(sample, event->attr, record.order);
  // Nothing, if the size exceeds 16 bits. Another size, if a newer kernel has written fields that the decoder does not
  // know.
  if (bytes_.size() + before != record.header.size + bytes_replaced(sample)) return record;
  changed_ = record;
  changed_.header.size = static_cast<std::uint16_t>(bytes_.size());
  changed_.payload = Bytes(bytes_).subspan(reader::record_header_size);
  return changed_;
}

}  // namespace perfsift::analysis
