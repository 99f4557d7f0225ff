// EVENT_DESC, GROUP_DESC, PMU_MAPPINGS, CPU_PMU_CAPS and PMU_CAPS: descriptions of the events and PMUs.
#include <algorithm>

#include "reader/writer/features/sections.h"

namespace perfsift::reader {

// All attrs have one size in this section: that of the longest.
void put_event_descriptions(ByteWriter& out, const std::vector<EventDescription>& events, ByteOrder order) {
  std::size_t attr_size = 64;  // PERF_ATTR_SIZE_VER0
  for (const auto& event : events) attr_size = std::max<std::size_t>(attr_size, event.attr.size);
  out.u32(count_of(events)).u32(static_cast<std::uint32_t>(attr_size));
  for (const auto& event : events) {
    out.bytes(encode_event_attr(event.attr, attr_size, order)).u32(count_of(event.ids));
    put_string(out, event.name);
    for (const std::uint64_t id : event.ids) out.u64(id);
  }
}

void put_groups(ByteWriter& out, const std::vector<EventGroup>& groups) {
  out.u32(count_of(groups));
  for (const auto& group : groups) {
    put_string(out, group.name);
    out.u32(group.leader).u32(group.members);
  }
}

void put_pmu_mappings(ByteWriter& out, const std::vector<PmuMapping>& mappings) {
  out.u32(count_of(mappings));
  for (const auto& mapping : mappings) put_string(out.u32(mapping.type), mapping.name);
}

void put_cpu_pmu_capabilities(ByteWriter& out, const PmuCapabilities& pmu) {
  out.u32(count_of(pmu.capabilities));
  for (const auto& [name, value] : pmu.capabilities) {
    put_string(out, name);
    put_string(out, value);
  }
}

void put_pmu_capabilities(ByteWriter& out, const std::vector<PmuCapabilities>& pmus) {
  const auto has_name = [](const PmuCapabilities& pmu) { return !pmu.pmu.empty(); };
  out.u32(static_cast<std::uint32_t>(std::ranges::count_if(pmus, has_name)));
  for (const auto& pmu : pmus) {
    if (!has_name(pmu)) continue;
    put_cpu_pmu_capabilities(out, pmu);
    put_string(out, pmu.pmu);
  }
}

}  // namespace perfsift::reader
