#include "tools/rings/ring_recording.h"

#include <string_view>

#include "base/page_size.h"
#include "reader/writer/features/tracing_data.h"
#include "record/bpf/typed_payloads.h"
#include "record/synthesis/synthesis.h"
#include "tools/record/recording_header.h"

namespace perfsift::tools {
namespace {

constexpr std::size_t attr_size = 128;  // up to sig_data, as perf 6.1

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

std::vector<std::byte> tracing_data_of(const record::PayloadFormat& format) {
  reader::TracingData data;
  data.long_size = sizeof(long);
  data.page_size = static_cast<unsigned>(page_size());
  data.header_page = header_page;
  data.header_event = header_event;
  data.formats.push_back({format.description().system, format.description().text});
  return reader::encode_tracing_data(data);
}

}  // namespace

void write_running(const record::PayloadSource& source, const std::function<void(Bytes records)>& take) {
  if (!source.attr().has(reader::sample_bit::tid)) return;
  record::SynthesisPlan plan;
  plan.all_processes = true;
  plan.build_ids = false;
  plan.sample_type = source.attr().sample_type;
  record::synthesise(plan, take);
}

std::string event_name_of(const record::PayloadFormat* format) {
  return format != nullptr ? format->event_name() : "bpf-output";
}

reader::HeaderContent ring_recording_header(const record::PayloadSource& source, const record::PayloadFormat* format,
                                            const std::vector<std::string>& command_line) {
  const reader::EventAttr attr = format != nullptr ? record::typed_attr(source.attr()) : source.attr();
  const reader::EventEntry entry{.attr = reader::encode_event_attr(attr, attr_size, ByteOrder::native),
                                 .ids = source.ids()};
  return header_of(
      {.events = {entry}, .event_names = {event_name_of(format)}, .groups = {}, .command_line = command_line},
      format != nullptr ? tracing_data_of(*format) : std::vector<std::byte>());
}

}  // namespace perfsift::tools
