// Raw data of AMD's IBS. The first byte selects the processor, and the rest is the raw data of a sample of ibs_op and
// of a sample of ibs_fetch. Both are decoded as bytes, then as samples of a recording, and printed in the styles of
// both versions of perf.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/data_source.h"
#include "output/script/ibs_text.h"
#include "reader/ibs/ibs_access.h"
#include "tests/reader/reading.h"
#include "tests/support/ibs_recording.h"

using namespace perfsift;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

constexpr const char* processors[] = {"AuthenticAMD,23,49,0", "AuthenticAMD,25,1,1", "AuthenticAMD,25,17,1",
                                      "AuthenticAMD,26,80,0", "AuthenticAMD"};

void check_access(const reader::IbsOp& op, const reader::IbsAccess& access) {
  const bool accesses = op.valid() && (op.access.load() || op.access.store());
  require((access.data_source & 31) == (!accesses ? 1u : op.access.load() ? 2u : 4u));
  require(access.address == 0 || access.address == op.linear_address);
  require(access.physical_address == 0 || access.physical_address == op.physical_address);
  require(!DataSource(access.data_source).has_unknown_value());
  require(access.latency <= 0xffff);
}

class Print : public reader::OrderedVisitor {
 public:
  void sample(const reader::Sample& sample) override {
    ++count;
    for (const auto style : {analysis::PerfStyle::newest, analysis::PerfStyle::perf_6_1}) {
      output::TextWriter out;
      print_ibs(out, sample, ByteOrder::native, style);
      require(out.view().empty() || out.view().starts_with("\n\tibs_"));
      require(out.view().size() < 2000);
    }
  }

  unsigned count = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest = 4096;
  if (size == 0 || size > longest) return 0;
  const char* const processor = processors[data[0] % std::size(processors)];
  const Bytes raw(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  for (const ByteOrder order : {ByteOrder::native, ByteOrder::swapped}) {
    const auto op = reader::decode_ibs_op(raw, order);
    if (op) check_access(*op, ibs_access(*op, reader::ibs_processor(processor)));
    require(op.has_value() == (raw.size() >= 60));
    require(reader::decode_ibs_fetch(raw, order).has_value() == (raw.size() >= 28));
  }
  const test::FileInMemory recording(test::ibs_recording_of(processor, raw));
  Print visitor;
  recording->visit_in_order(visitor);
  require(visitor.count == 2);
  return 0;
}
