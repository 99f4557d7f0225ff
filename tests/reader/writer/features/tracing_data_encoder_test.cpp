// TRACING_DATA, encoded. Layout: tools/perf/util/trace-event-info.c.
#include <gtest/gtest.h>

#include "reader/writer/features/tracing_data.h"
#include "tests/support/full_recording.h"

namespace perfsift::reader {
namespace {

TEST(EncodedTracingData, IsWhatItWasReadFrom) {
  for (const ByteOrder order : {ByteOrder::native, ByteOrder::swapped}) {
    const auto bytes = test::tracing_data(order);  // made by hand
    const auto data = read_tracing_data(bytes);
    ASSERT_TRUE(data && data->whole);
    EXPECT_EQ(encode_tracing_data(*data), bytes);
  }
}

TEST(EncodedTracingData, KeepsSystemsAndTheFormatsOfFtraceApart) {
  TracingData data;
  data.header_page = "page", data.header_event = "event";
  data.formats = {{"ftrace", "f1"}, {"sched", "s1"}, {"sched", "s2"}, {"irq", "i1"}};
  data.kallsyms = "k", data.printk_formats = "p", data.saved_cmdlines = "c";
  const auto bytes = encode_tracing_data(data);
  const auto read = read_tracing_data(bytes);
  ASSERT_TRUE(read && read->whole);
  EXPECT_EQ(read->version, "0.6");
  EXPECT_EQ(read->header_page, "page");
  EXPECT_EQ(read->header_event, "event");
  ASSERT_EQ(read->formats.size(), 4u);
  EXPECT_EQ(read->formats[0].system, "ftrace");
  EXPECT_EQ(read->formats[2].system, "sched");
  EXPECT_EQ(read->formats[2].text, "s2");
  EXPECT_EQ(read->formats[3].system, "irq");
  EXPECT_EQ(read->kallsyms, "k");
  EXPECT_EQ(read->printk_formats, "p");
  EXPECT_EQ(read->saved_cmdlines, "c");
}

}  // namespace
}  // namespace perfsift::reader
