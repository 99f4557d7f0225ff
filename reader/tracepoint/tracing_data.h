// The container of tracing data: what perf copied from tracefs and /proc (tools/perf/util/trace-event-info.c writes
// it, trace-event-read.c reads it).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::reader {

// A view; lives as long as the bytes it was read from.
struct TracingData {
  struct Format {
    std::string_view system;
    std::string_view text;
  };

  std::string_view version;
  bool big_endian = false;
  ByteOrder order = ByteOrder::native;  // of these numbers, and of the raw data of samples
  unsigned long_size = 8;               // of the kernel's long
  unsigned page_size = 4096;
  std::string_view header_page;  // how a page of the ring buffer looks
  std::vector<Format> formats;   // those of ftrace itself come first
  std::string_view kallsyms;
  std::string_view printk_formats;
  std::string_view saved_cmdlines;
  bool whole = false;
};

// Nothing when the magic is missing. What ends too early is given as far as it goes.
std::optional<TracingData> read_tracing_data(Bytes bytes);

}  // namespace perfsift::reader
