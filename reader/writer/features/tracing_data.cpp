#include "reader/writer/features/tracing_data.h"

#include <bit>
#include <span>

#include <fmt/format.h>

#include "base/page_size.h"
#include "reader/writer/byte_writer.h"

namespace perfsift::reader {

namespace {

using Formats = std::span<const TracingData::Format>;

// The formats of the first system; `rest` then begins with the next system.
Formats take_system(Formats& rest) {
  std::size_t count = 1;
  while (count < rest.size() && rest[count].system == rest.front().system) ++count;
  const Formats formats = rest.first(count);
  rest = rest.subspan(count);
  return formats;
}

void put_formats(ByteWriter& out, Formats formats) {
  out.u32(static_cast<std::uint32_t>(formats.size()));
  for (const auto& format : formats) out.u64(format.text.size()).text(format.text);
}

void put_systems(ByteWriter& out, Formats rest) {
  constexpr std::string_view ftrace = "ftrace";
  put_formats(out, !rest.empty() && rest.front().system == ftrace ? take_system(rest) : Formats());
  std::vector<Formats> systems;
  while (!rest.empty()) systems.push_back(take_system(rest));
  out.u32(static_cast<std::uint32_t>(systems.size()));
  for (const Formats& system : systems) put_formats(out.text(system.front().system).zeros(1), system);
}

// The layout of the kernel's trace buffer, which perf reads before the tracepoints, and wants to exist.
constexpr std::string_view header_page = sizeof(long) == 8 ? "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                                                             "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
                                                             "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                                                             "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n"
                                                           : "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                                                             "\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
                                                             "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                                                             "\tfield: char data;\toffset:12;\tsize:4084;\tsigned:0;\n";
constexpr std::string_view header_event =
    "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n";

}  // namespace

std::vector<std::byte> encode_tracing_data(const TracingData& data) {
  const bool big = (data.order == ByteOrder::native) == (std::endian::native == std::endian::big);
  ByteWriter out(data.order);
  out.text("\x17\x08\x44tracing0.6").zeros(1).u8(big ? 1 : 0).u8(static_cast<std::uint8_t>(data.long_size));
  out.u32(data.page_size);
  out.text("header_page").zeros(1).u64(data.header_page.size()).text(data.header_page);
  out.text("header_event").zeros(1).u64(data.header_event.size()).text(data.header_event);
  put_systems(out, data.formats);
  out.u32(static_cast<std::uint32_t>(data.kallsyms.size())).text(data.kallsyms);
  out.u32(static_cast<std::uint32_t>(data.printk_formats.size())).text(data.printk_formats);
  out.u64(data.saved_cmdlines.size()).text(data.saved_cmdlines);
  return out.take();
}

std::string made_format(std::string_view name, std::uint16_t id, std::string_view fields, std::string_view print,
                        std::string_view arguments) {
  // The fields of struct trace_entry, with which the raw data of all tracepoints begin.
  constexpr std::string_view common_fields =
      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
      "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
      "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
  return fmt::format("name: {}\nID: {}\nformat:\n{}{}\nprint fmt: \"{}\"{}\n", name, id, common_fields, fields, print,
                     arguments);
}

std::vector<std::byte> encode_made_tracepoints(const std::vector<TracepointDescription>& descriptions) {
  if (descriptions.empty()) return {};
  TracingData data;
  data.long_size = sizeof(long);
  data.page_size = static_cast<unsigned>(page_size());
  data.header_page = header_page;
  data.header_event = header_event;
  for (const TracepointDescription& one : descriptions) data.formats.push_back({one.system, one.text});
  return encode_tracing_data(data);
}

}  // namespace perfsift::reader
