#include "reader/writer/features/tracing_data.h"

#include <bit>
#include <span>

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

}  // namespace perfsift::reader
