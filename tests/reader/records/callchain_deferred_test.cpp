// CALLCHAIN_DEFERRED. Layouts: include/uapi/linux/perf_event.h.
#include "reader/records/callchain_deferred.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using ::testing::ElementsAre;

using CallchainDeferredRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, CallchainDeferredRecord,
                         ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(CallchainDeferredRecord, CallchainDeferred) {
  const auto bytes = payload().u64(0xc00c1e).u64(2).u64(callchain_context::user).u64(0x401000).u64(99);
  const auto chain = decode_callchain_deferred(record(RecordType::callchain_deferred, 0, bytes));
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->cookie, 0xc00c1eu);
  EXPECT_THAT(chain->addresses, ElementsAre(callchain_context::user, 0x401000));
  EXPECT_FALSE(decode_callchain_deferred(record(RecordType::callchain_deferred, 0, payload().u64(1).u64(9).u64(2))));
}

}  // namespace
}  // namespace perfsift::reader
