#include "reader/tracepoint/tracing_data.h"

#include <cstdlib>
#include <string>

namespace perfsift::reader {

namespace {

std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::string_view read_text(ByteReader& in, std::uint64_t size) { return as_text(in.bytes(size)); }

void expect(ByteReader& in, std::string_view tag) {
  if (read_text(in, tag.size()) != tag) in.fail();
}

void read_header_files(ByteReader& in, TracingData& data) {
  using namespace std::string_view_literals;
  expect(in, "header_page\0"sv);
  data.header_page = read_text(in, in.u64());
  expect(in, "header_event\0"sv);
  data.header_event = read_text(in, in.u64());
}

void read_formats(ByteReader& in, std::string_view system, TracingData& data) {
  for (std::uint32_t count = in.u32(); count != 0 && in.ok(); --count) {
    const auto text = read_text(in, in.u64());
    if (in.ok()) data.formats.push_back({system, text});
  }
}

void read_systems(ByteReader& in, TracingData& data) {
  for (std::uint32_t count = in.u32(); count != 0 && in.ok(); --count) read_formats(in, in.cstring(), data);
}

}  // namespace

std::optional<TracingData> read_tracing_data(Bytes bytes) {
  ByteReader head(bytes);
  expect(head, "\x17\x08\x44tracing");
  TracingData data{.version = head.cstring()};
  data.big_endian = head.u8() != 0;
  data.long_size = head.u8();
  if (!head.ok()) return std::nullopt;
  data.order = data.big_endian == (std::endian::native == std::endian::big) ? ByteOrder::native : ByteOrder::swapped;

  ByteReader in(head.rest(), data.order);
  data.page_size = in.u32();
  read_header_files(in, data);
  read_formats(in, "ftrace", data);
  read_systems(in, data);
  data.kallsyms = read_text(in, in.u32());
  data.printk_formats = read_text(in, in.u32());
  // The names of threads exist since version 0.6.
  if (std::strtod(std::string(data.version).c_str(), nullptr) >= 0.6) data.saved_cmdlines = read_text(in, in.u64());
  data.whole = in.ok();
  return data;
}

}  // namespace perfsift::reader
