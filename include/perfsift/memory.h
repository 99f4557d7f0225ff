/// \file
/// Memory accesses: what the samples of perf mem record say of loads and stores, decoded.
///
/// Accesses in a trace of Arm SPE are samples, too: see Recording. Sample::instruction_latency() and
/// Sample::data_page_size() have more of an access; the names of variables and the nodes of memory are in the output of
/// `perfsift mem --raw --json`.
///
/// The header needs nothing of the library but Sample, so it is not part of the binary interface.
///
/// ```cpp
/// recording.for_each_sample([](const Sample& sample) {
///   const auto access = memory_access(sample);
///   if (access && access->level == MemoryLevel::ram && access->remote) std::printf("%lx\n", access->address);
/// });
/// ```
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <perfsift/export.h>
#include <perfsift/sample.h>

namespace PERFSIFT_NAMESPACE {

/// The operation of the instruction: mem_op of union perf_mem_data_src.
enum class MemoryOperation : std::uint8_t { unknown, load, store, prefetch, execute };

/// The level that served the access: mem_lvl_num of union perf_mem_data_src, or mem_lvl where that is all there is.
enum class MemoryLevel : std::uint8_t {
  unknown,
  l1,
  l2,
  l3,
  l4,
  line_fill_buffer,   ///< The line was on its way already.
  miss_buffer,        ///< The miss buffer of the L2 (L2 MHB).
  memory_side_cache,  ///< A cache of the memory, not of a CPU.
  any_cache,          ///< A cache, not known which.
  ram,
  persistent_memory,
  cxl,
  io,
  uncached,
};

/// The answer of another cache: mem_snoop of union perf_mem_data_src.
enum class MemorySnoop : std::uint8_t {
  unknown,
  none,      ///< No other cache was asked.
  hit,       ///< Another cache had the line.
  miss,      ///< No other cache had the line.
  modified,  ///< Another cache had modified the line (HITM).
};

/// A memory access. Plain data.
struct MemoryAccess {
  std::uint64_t ip = 0;                ///< The instruction; 0: not recorded.
  std::uint64_t address = 0;           ///< Of the data; 0: not recorded.
  std::uint64_t physical_address = 0;  ///< Of the data; 0: not recorded.
  std::uint64_t latency = 0;           ///< In the unit of the processor, usually cycles; 0: not measured.

  MemoryOperation operation = MemoryOperation::unknown;  ///< The operation of the instruction.
  MemoryLevel level = MemoryLevel::unknown;              ///< The level that served the access.
  bool missed = false;                                   ///< `level` did not have the data, and what did is not known.
  bool remote = false;                                   ///< `level` is another node's, core's or socket's: see `hops`.
  std::uint8_t hops = 0;                                 ///< 0: unknown; 1: another core, 2: node, 3: socket, 4: board.
  MemorySnoop snoop = MemorySnoop::unknown;              ///< The answer of another cache.
  bool forwarded = false;                                ///< Another cache sent the line.
  bool peer = false;                                     ///< A cache of the same kind sent the line (Arm).
  bool locked = false;                                   ///< An atomic instruction.
  bool tlb_missed = false;                               ///< The TLBs did not have the translation.
  bool tlb_walked = false;                               ///< The translation was looked up in the page table.
  bool waited_for_data = false;                          ///< A store before it could not be forwarded.
  bool waited_for_address = false;                       ///< The address of a store before it was not known.
};

/// Decodes union perf_mem_data_src of include/uapi/linux/perf_event.h. Values without a meaning are `unknown`.
/// Thread-safe. Errors: none.
constexpr MemoryAccess decode_data_source(std::uint64_t data_source) noexcept {
  const auto take = [&data_source](unsigned bits) {
    const auto part = static_cast<unsigned>(data_source & ((1U << bits) - 1));
    data_source >>= bits;
    return part;
  };
  const unsigned operation = take(5), levels = take(14), snoop = take(5), lock = take(2), tlb = take(7),
                 number = take(4), remote = take(1), snoop_extended = take(2), blocked = take(3), hops = take(3);
  MemoryAccess access;

  access.operation = (operation & 2) != 0    ? MemoryOperation::load
                     : (operation & 4) != 0  ? MemoryOperation::store
                     : (operation & 8) != 0  ? MemoryOperation::prefetch
                     : (operation & 16) != 0 ? MemoryOperation::execute
                                             : MemoryOperation::unknown;

  constexpr MemoryLevel by_number[] = {MemoryLevel::unknown,
                                       MemoryLevel::l1,
                                       MemoryLevel::l2,
                                       MemoryLevel::l3,
                                       MemoryLevel::l4,
                                       MemoryLevel::miss_buffer,
                                       MemoryLevel::memory_side_cache,
                                       MemoryLevel::unknown,
                                       MemoryLevel::uncached,
                                       MemoryLevel::cxl,
                                       MemoryLevel::io,
                                       MemoryLevel::any_cache,
                                       MemoryLevel::line_fill_buffer,
                                       MemoryLevel::ram,
                                       MemoryLevel::persistent_memory,
                                       MemoryLevel::unknown};
  constexpr MemoryLevel by_bit[] = {MemoryLevel::l1,        MemoryLevel::line_fill_buffer,
                                    MemoryLevel::l2,        MemoryLevel::l3,
                                    MemoryLevel::ram,       MemoryLevel::ram,
                                    MemoryLevel::ram,       MemoryLevel::any_cache,
                                    MemoryLevel::any_cache, MemoryLevel::io,
                                    MemoryLevel::uncached};
  constexpr unsigned miss_bit = 4, first_level_bit = 3, remote_levels = 0xf00;
  access.level = by_number[number];
  for (unsigned i = 0; access.level == MemoryLevel::unknown && i < 11; ++i) {
    if ((levels >> (first_level_bit + i) & 1) != 0) access.level = by_bit[i];
  }
  access.missed = (levels & miss_bit) != 0;
  access.remote = remote != 0 || (levels & remote_levels) != 0;
  access.hops = static_cast<std::uint8_t>(hops <= 4 ? hops : 0);

  access.snoop = (snoop & 16) != 0  ? MemorySnoop::modified
                 : (snoop & 4) != 0 ? MemorySnoop::hit
                 : (snoop & 8) != 0 ? MemorySnoop::miss
                 : (snoop & 2) != 0 ? MemorySnoop::none
                                    : MemorySnoop::unknown;
  access.forwarded = (snoop_extended & 1) != 0;
  access.peer = (snoop_extended & 2) != 0;
  access.locked = (lock & 2) != 0;
  access.tlb_missed = (tlb & 4) != 0;
  access.tlb_walked = (tlb & 32) != 0;
  access.waited_for_data = (blocked & 2) != 0;
  access.waited_for_address = (blocked & 4) != 0;
  return access;
}

/// Whether samples of the event may be memory accesses. Fetches of instructions (ibs_fetch) are none, nor are samples
/// of mem-loads-aux, which repeat those of the loads (is_mem_loads_aux_event() in
/// tools/perf/arch/x86/util/mem-events.c). Thread-safe. Errors: none.
inline bool has_memory_accesses(const Event& event) noexcept {
  constexpr std::uint32_t raw_type = 4;
  constexpr std::uint64_t auxiliary_code = 0x8203;
  const auto is_named = [&event](const char* name) { return event.name.find(name) != std::string::npos; };
  return (event.type != raw_type || event.config != auxiliary_code) && !is_named("mem-loads-aux") &&
         !is_named("ibs_fetch");
}

/// The access of a sample; nothing if the sample has neither the address of its data nor a data source, or is of an
/// event without accesses. Thread-safety: that of the sample. Errors: none.
inline std::optional<MemoryAccess> memory_access(const Sample& sample) noexcept {
  const auto address = sample.addr(), source = sample.data_source();
  if ((!address && !source) || !has_memory_accesses(sample.event())) return std::nullopt;
  MemoryAccess access = source ? decode_data_source(*source) : MemoryAccess{};
  access.ip = sample.ip().value_or(0);
  access.address = address.value_or(0);
  access.physical_address = sample.physical_address().value_or(0);
  access.latency = sample.latency().value_or(0);
  return access;
}

}  // namespace PERFSIFT_NAMESPACE
