// EVENT_DESC, GROUP_DESC, PMU_MAPPINGS, CPU_PMU_CAPS and PMU_CAPS: descriptions of the events and PMUs.
#include "reader/features/sections.h"
#include "reader/features/strings.h"

namespace perfsift::reader {

// {count, attr size, (attr, number of ids, name, ids) per event}. The attrs have `attr size` bytes each, whatever their
// own size field says.
std::vector<EventDescription> read_event_descriptions(ByteReader& in) {
  const std::uint32_t count = in.u32();
  const std::uint32_t attr_size = in.u32();
  return read_list(in, count, [attr_size](ByteReader& event) {
    EventDescription description;
    const auto attr = decode_event_attr(event.bytes(attr_size), event.order());
    if (!attr) return event.fail(), description;
    const std::uint32_t ids = event.u32();
    description.attr = *attr;
    description.name = read_string(event);
    description.ids = read_u64s(event, ids);
    return description;
  });
}

std::vector<EventGroup> read_groups(ByteReader& in) {
  return read_list(in, in.u32(), [](ByteReader& group) {
    return EventGroup{.name = read_string(group), .leader = group.u32(), .members = group.u32()};
  });
}

std::vector<PmuMapping> read_pmu_mappings(ByteReader& in) {
  return read_list(in, in.u32(),
                   [](ByteReader& mapping) { return PmuMapping{.type = mapping.u32(), .name = read_string(mapping)}; });
}

PmuCapabilities read_cpu_pmu_capabilities(ByteReader& in) {
  PmuCapabilities pmu;
  pmu.capabilities = read_list(in, in.u32(), [](ByteReader& capability) {
    auto name = read_string(capability);
    return std::pair(std::move(name), read_string(capability));
  });
  return pmu;
}

// The layout of CPU_PMU_CAPS, once per PMU, each followed by the PMU's name.
std::vector<PmuCapabilities> read_pmu_capabilities(ByteReader& in) {
  return read_list(in, in.u32(), [](ByteReader& one) {
    auto pmu = read_cpu_pmu_capabilities(one);
    pmu.pmu = read_string(one);
    return pmu;
  });
}

}  // namespace perfsift::reader
