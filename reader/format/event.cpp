#include "reader/format/event.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "reader/format/event_names.h"

namespace perfsift::reader {

namespace {

constexpr std::size_t attr_size_ver0 = 64;  // PERF_ATTR_SIZE_VER0, the first version

std::uint64_t reversed_bits(std::uint64_t word) {
  std::uint64_t reversed = 0;
  for (int bit = 0; bit < 64; ++bit, word >>= 1) reversed = reversed << 1 | (word & 1);
  return reversed;
}

// Swaps the two bits of precise_ip.
std::uint64_t with_precise_ip_turned(std::uint64_t word) {
  constexpr std::uint64_t low = std::uint64_t{1} << attr_flag::precise_ip, high = low << 1;
  return (word & ~(low | high)) | (word & low) << 1 | (word & high) >> 1;
}

// Bit fields start at the least significant bit on little-endian machines and at the most significant on big-endian
// machines. So the whole word is mirrored, and with it precise_ip, the one field of several bits, which must be
// mirrored back (perf's swap_bitfield() leaves precise_ip mirrored).
std::uint64_t read_flags(ByteReader& in) {
  const std::uint64_t word = in.u64();
  return in.order() == ByteOrder::native ? word : with_precise_ip_turned(reversed_bits(word));
}

std::uint64_t written_flags(std::uint64_t word, ByteOrder order) {
  return order == ByteOrder::native ? word : reversed_bits(with_precise_ip_turned(word));
}

}  // namespace

std::optional<EventAttr> decode_event_attr(Bytes bytes, ByteOrder order) {
  ByteReader head(bytes, order);
  head.skip(4);  // type
  // read_attr() in tools/perf/util/header.c: 0 means the first version, and no size is smaller than that.
  const std::size_t size = std::max<std::size_t>(head.u32(), attr_size_ver0);
  if (!head.ok() || size > bytes.size()) return std::nullopt;

  std::array<std::byte, known_attr_size> covered{};
  std::memcpy(covered.data(), bytes.data(), std::min(size, covered.size()));
  ByteReader in(covered, order);

  EventAttr attr;
  attr.type = in.u32();
  attr.size = static_cast<std::uint32_t>(size), in.skip(4);
  attr.config = in.u64();
  attr.sample_period = in.u64();
  attr.sample_type = in.u64();
  attr.read_format = in.u64();
  attr.flags = read_flags(in);
  attr.wakeup_events = in.u32();
  attr.bp_type = in.u32();
  attr.config1 = in.u64();
  attr.config2 = in.u64();
  attr.branch_sample_type = in.u64();
  attr.sample_regs_user = in.u64();
  attr.sample_stack_user = in.u32();
  attr.clock_id = in.i32();
  attr.sample_regs_intr = in.u64();
  attr.aux_watermark = in.u32();
  attr.sample_max_stack = in.u16();
  in.skip(2);
  attr.aux_sample_size = in.u32();
  attr.aux_action = in.u32();
  attr.sig_data = in.u64();
  attr.config3 = in.u64();
  attr.config4 = in.u64();
  return attr;
}

std::vector<std::byte> encode_event_attr(const EventAttr& attr, std::size_t size, ByteOrder order) {
  std::vector<std::byte> bytes;
  bytes.reserve(std::max(size, known_attr_size));
  const auto put = [&](auto number) {
    if (order == ByteOrder::swapped) number = byte_swap(number);
    const Bytes raw = std::as_bytes(std::span(&number, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  };
  put(attr.type), put(static_cast<std::uint32_t>(size));
  put(attr.config);
  put(attr.sample_period);
  put(attr.sample_type);
  put(attr.read_format);
  put(written_flags(attr.flags, order));
  put(attr.wakeup_events), put(attr.bp_type);
  put(attr.config1);
  put(attr.config2);
  put(attr.branch_sample_type);
  put(attr.sample_regs_user);
  put(attr.sample_stack_user), put(static_cast<std::uint32_t>(attr.clock_id));
  put(attr.sample_regs_intr);
  put(attr.aux_watermark), put(attr.sample_max_stack), put(std::uint16_t{0});
  put(attr.aux_sample_size), put(attr.aux_action);
  put(attr.sig_data);
  put(attr.config3);
  put(attr.config4);
  bytes.resize(size);
  return bytes;
}

namespace {

// The upper half of config is the PMU type on hybrid machines. perf puts the PMU's name there, which a recording
// without EVENT_DESC does not have: arch_evsel__hw_name() in arch/x86/util/evsel.c then writes "cpu".
std::string hardware_name(std::uint64_t config) {
  const std::uint64_t event = config & 0xffffffff;
  const std::string_view name = event < hardware_event_names.size() ? hardware_event_names[event] : "unknown-hardware";
  return config >> 32 == 0 ? std::string(name) : fmt::format("cpu/{}/", name);
}

std::string software_name(std::uint64_t config) {
  return std::string(config < software_event_names.size() ? software_event_names[config] : "unknown-software");
}

// PERF_COUNT_HW_CACHE_*: config is cache | operation << 8 | result << 16.
std::string cache_name(std::uint64_t config) {
  const std::size_t cache = config & 0xff, operation = config >> 8 & 0xff, result = config >> 16 & 0xff;
  if (cache >= event_caches.size()) return "unknown-ext-hardware-cache-type";
  if (operation >= cache_operations.size()) return "unknown-ext-hardware-cache-op";
  if (result >= cache_results.size()) return "unknown-ext-hardware-cache-result";
  if (!event_caches[cache].has(operation)) return "invalid-cache";
  const std::string_view name = event_caches[cache].names.front();
  const CacheWords& words = cache_operations[operation];
  return result == 1 ? fmt::format("{}-{}-{}", name, words[0], cache_results[1][0])
                     : fmt::format("{}-{}", name, words[1]);
}

// bp_addr and bp_type (HW_BREAKPOINT_R, _W, _X); the length is not part of the name.
std::string breakpoint_name(const EventAttr& attr) {
  return fmt::format("mem:{:#x}:{}{}{}", attr.config1, (attr.bp_type & 1) != 0 ? "r" : "",
                     (attr.bp_type & 2) != 0 ? "w" : "", (attr.bp_type & 4) != 0 ? "x" : "");
}

// evsel__add_modifiers(): guests are excluded by default when an event excludes anything else, so H and G only show the
// difference from that default. perf 6.1 also excludes guests by default when an event excludes nothing, so an event
// without exclusions is ":HG" there.
std::string modifiers(const EventAttr& attr, EventNaming naming) {
  std::string letters;
  const bool rings = attr.exclude_kernel() || attr.exclude_user() || attr.exclude_hv();
  if (rings) {
    if (!attr.exclude_kernel()) letters += 'k';
    if (!attr.exclude_user()) letters += 'u';
    if (!attr.exclude_hv()) letters += 'h';
  }
  letters.append(attr.precise_ip(), 'p');
  const bool asked = rings || attr.precise_ip() != 0;
  const bool shown = naming == EventNaming::newest && !asked ? attr.exclude_host() != attr.exclude_guest()
                                                             : attr.exclude_host() || attr.exclude_guest() == asked;
  if (shown) {
    if (!attr.exclude_host()) letters += 'H';
    if (!attr.exclude_guest()) letters += 'G';
  }
  return letters.empty() ? letters : ":" + letters;
}

}  // namespace

std::string synthesised_event_name(const EventAttr& attr, EventNaming naming) {
  switch (attr.type) {
    case event_type::hardware:
      return hardware_name(attr.config) + modifiers(attr, naming);
    case event_type::software:
      return software_name(attr.config) + modifiers(attr, naming);
    case event_type::tracepoint:
      return "unknown tracepoint";
    case event_type::hw_cache:
      return cache_name(attr.config) + modifiers(attr, naming);
    case event_type::raw:
      return fmt::format("raw {:#x}", attr.config) + modifiers(attr, naming);
    case event_type::breakpoint:
      return breakpoint_name(attr) + modifiers(attr, naming);
    default:
      return fmt::format("unknown attr type: {}", static_cast<std::int32_t>(attr.type));
  }
}

bool is_branch_trace(const EventAttr& attr) {
  constexpr std::uint64_t branch_instructions = 4;  // PERF_COUNT_HW_BRANCH_INSTRUCTIONS
  return attr.type == event_type::hardware && (attr.config & branch_instructions) != 0 && attr.sample_period == 1;
}

bool addr_has_symbol(const EventAttr& attr) {
  constexpr std::uint64_t page_faults = 2, minor = 5, major = 6;  // PERF_COUNT_SW_PAGE_FAULTS…
  const bool is_page_fault =
      attr.type == event_type::software && (attr.config == page_faults || attr.config == minor || attr.config == major);
  return is_page_fault || is_branch_trace(attr);
}

}  // namespace perfsift::reader
