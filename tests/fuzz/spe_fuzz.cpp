// Traces of Arm SPE: the packets of a piece, then a recording with this piece as its trace, on CPUs of all known
// processors, visited in order and in parallel. Each byte of the piece is in one record, in damage, or in padding.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "tests/reader/reading.h"
#include "tests/support/spe_recording.h"

using namespace perfsift;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

class CountSamples : public reader::SampleVisitor, public reader::OrderedVisitor {
 public:
  explicit CountSamples(std::uint64_t& count) : count_(count) {}
  void sample(const reader::Sample& sample) override { count_ += 1 + (sample.ip & 1); }

 private:
  std::uint64_t& count_;
};

void read_records(Bytes piece, std::uint64_t offset) {
  reader::SpeRecords records(piece, offset);
  std::size_t last = 0;
  for (reader::SpeRecord record; records.next(record);) {
    require(records.start() >= last && records.start() < piece.size());
    last = records.start();
  }
  require(records.damaged_bytes() + records.cut_bytes() <= piece.size());
}

}  // namespace

// The first byte selects the facts about the trace in the recording.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes piece(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  read_records(piece, data[0]);

  const test::SpeMachine machine{
      .describes_cpus = (data[0] & 1) != 0, .timed = (data[0] & 2) != 0, .contexts = (data[0] & 4) != 0};
  test::RecordingBuilder in = test::spe_machine(machine);
  for (unsigned cpu = 0; cpu < test::SpeMachine::cpus; ++cpu) test::add_spe_piece(in, machine, cpu, piece, data[0]);
  reader::OpenOptions options;
  options.trace_events = reader::TraceEvents::all();
  const test::FileInMemory recording(in.file(), options);
  std::uint64_t in_order = 0, in_parallel = 0;
  CountSamples visitor(in_order);
  recording->visit_in_order(visitor);
  recording->visit_parallel(1, [&](unsigned) { return std::make_unique<CountSamples>(in_parallel); });
  require(in_order == in_parallel);
  return 0;
}
