#include "tools/rings/ring_recording.h"

#include "reader/writer/features/tracing_data.h"
#include "record/bpf/typed_payloads.h"
#include "record/synthesis/synthesis.h"
#include "tools/record/recording_header.h"

namespace perfsift::tools {
namespace {

constexpr std::size_t attr_size = 128;  // up to sig_data, as perf 6.1

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
      format != nullptr ? reader::encode_made_tracepoints({format->description()}) : std::vector<std::byte>());
}

}  // namespace perfsift::tools
