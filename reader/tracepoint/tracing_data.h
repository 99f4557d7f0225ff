// The container of tracing data: perf's copies of files of tracefs and /proc (written by
// tools/perf/util/trace-event-info.c, read by trace-event-read.c).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::reader {

// A view; lives as long as the bytes.
struct TracingData {
  struct Format {
    std::string_view system;
    std::string_view text;
  };

  std::string_view version;
  bool big_endian = false;
  ByteOrder order = ByteOrder::native;  // of the container's numbers, and of the raw data of samples
  unsigned long_size = 8;               // of the kernel's long
  unsigned page_size = 4096;
  std::string_view header_page;   // the layout of a ring buffer page
  std::string_view header_event;  // the layout of an event's header
  std::vector<Format> formats;    // formats of ftrace itself come first; those of a system are neighbours
  std::string_view kallsyms;
  std::string_view printk_formats;
  std::string_view saved_cmdlines;
  bool whole = false;
};

// Nothing without the magic. Data that ends too early is read up to its end.
std::optional<TracingData> read_tracing_data(Bytes bytes);

}  // namespace perfsift::reader
