// Records that no decoder accepts: records below the smallest size, and names without an end.
#include <functional>

#include <gtest/gtest.h>

#include "reader/features/features.h"
#include "reader/format/record_names.h"
#include "reader/records/auxtrace.h"
#include "reader/records/compressed.h"
#include "reader/records/header_records.h"
#include "reader/records/kernel_code.h"
#include "reader/records/loss.h"
#include "reader/records/mmap.h"
#include "reader/records/process.h"
#include "reader/records/stat.h"
#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

// The sizes, header included, that the newest perf requires before it reads a field.
struct Minimum {
  RecordType type;
  std::size_t size;
  std::function<bool(const Record&)> decodes;
};

const Minimum minimums[] = {
    {RecordType::mmap, 41, [](const Record& r) { return decode_mmap(r).has_value(); }},
    {RecordType::lost, 24, [](const Record& r) { return decode_lost(r).has_value(); }},
    {RecordType::comm, 17, [](const Record& r) { return decode_comm(r).has_value(); }},
    {RecordType::fork, 32, [](const Record& r) { return decode_task(r).has_value(); }},
    {RecordType::exit, 32, [](const Record& r) { return decode_task(r).has_value(); }},
    {RecordType::throttle, 32, [](const Record& r) { return decode_throttle(r).has_value(); }},
    {RecordType::unthrottle, 32, [](const Record& r) { return decode_throttle(r).has_value(); }},
    {RecordType::read, 24, [](const Record& r) { return decode_read(r, 0).has_value(); }},
    {RecordType::mmap2, 73, [](const Record& r) { return decode_mmap2(r).has_value(); }},
    {RecordType::lost_samples, 16, [](const Record& r) { return decode_lost_samples(r).has_value(); }},
    {RecordType::aux, 32, [](const Record& r) { return decode_aux(r).has_value(); }},
    {RecordType::itrace_start, 16, [](const Record& r) { return decode_itrace_start(r).has_value(); }},
    {RecordType::switch_, 8, [](const Record& r) { return decode_switch(r).has_value(); }},
    {RecordType::switch_cpu_wide, 16, [](const Record& r) { return decode_switch(r).has_value(); }},
    {RecordType::namespaces, 24, [](const Record& r) { return decode_namespaces(r).has_value(); }},
    {RecordType::cgroup, 17, [](const Record& r) { return decode_cgroup(r).has_value(); }},
    {RecordType::text_poke, 20, [](const Record& r) { return decode_text_poke(r).has_value(); }},
    {RecordType::ksymbol, 25, [](const Record& r) { return decode_ksymbol(r).has_value(); }},
    {RecordType::bpf_event, 24, [](const Record& r) { return decode_bpf_event(r).has_value(); }},
    {RecordType::header_attr, 72, [](const Record& r) { return decode_header_attr(r).has_value(); }},
    {RecordType::header_build_id, 36, [](const Record& r) { return decode_build_id(r).has_value(); }},
    {RecordType::auxtrace, 44, [](const Record& r) { return decode_auxtrace(r).has_value(); }},
    {RecordType::compressed2, 16, [](const Record& r) { return decode_compressed(r).has_value(); }},
};

TEST(Records, AreRefusedBelowTheirMinimumSizeAndOnlyThere) {
  for (const auto& [type, minimum, decodes] : minimums) {
    for (std::size_t size = record_header_size; size <= minimum; ++size) {
      const auto payload = test::BytesBuilder().zeros(size - record_header_size);
      EXPECT_EQ(decodes(record_of(type, 0, payload)), size == minimum)
          << record_name(type) << " of " << size << " bytes";
    }
  }
}

using MalformedRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, MalformedRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(MalformedRecord, NamesWithoutANulAreRefused) {
  EXPECT_FALSE(decode_mmap(record(RecordType::mmap, payload().zeros(32).text("/bin/lsx"))));
  EXPECT_FALSE(decode_mmap2(record(RecordType::mmap2, payload().zeros(64).text("/bin/lsx"))));
  EXPECT_FALSE(decode_comm(record(RecordType::comm, payload().u64(1).text("sleeping"))));
  EXPECT_FALSE(decode_ksymbol(record(RecordType::ksymbol, payload().zeros(16).text("bpf_prog"))));
  EXPECT_FALSE(decode_cgroup(record(RecordType::cgroup, payload().u64(1).text("/a/b/c/d"))));
}

}  // namespace
}  // namespace perfsift::reader
