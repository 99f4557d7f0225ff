// The registers of AMD's Instruction-Based Sampling, as the raw data of a sample has them.
//
// perf_ibs_handle_irq() in arch/x86/events/amd/ibs.c writes {u32 capabilities, u64 registers[]}: the registers that
// every processor has, then those that the capabilities announce. The bits are those of arch/x86/include/asm/amd/ibs.h
// and of AMD's Processor Programming References. Raw data may come from a hostile file: a register that is announced,
// but lies behind the end, is missing.
#pragma once

#include <cstdint>
#include <optional>

#include "base/byte_reader.h"

namespace perfsift::reader {

// IBS_CAPS_*: what CPUID leaf 8000001B says.
struct IbsCapabilities {
  explicit constexpr IbsCapabilities(std::uint32_t all) : bits(all) {}

  std::uint32_t bits;
  constexpr bool branch_target() const { return (bits >> 5 & 1) != 0; }
  constexpr bool fetch_extension() const { return (bits >> 9 & 1) != 0; }
  constexpr bool op_data_4() const { return (bits >> 10 & 1) != 0; }
  constexpr bool zen4() const { return (bits >> 11 & 1) != 0; }  // finer data sources, filter for misses of the L3
  constexpr bool load_latency_filter() const { return (bits >> 12 & 1) != 0; }
  constexpr bool streaming_stores_and_sockets() const { return (bits >> 16 & 1) != 0; }
  constexpr bool page_size() const { return (bits >> 19 & 1) != 0; }  // of data, in the place of TLB hits by size
};

namespace ibs {

// The `width` bits of a register from `shift` on.
constexpr unsigned part(std::uint64_t bits, unsigned shift, unsigned width) {
  return static_cast<unsigned>(bits >> shift & ((std::uint64_t{1} << width) - 1));
}
constexpr bool flag(std::uint64_t bits, unsigned shift) { return (bits >> shift & 1) != 0; }

}  // namespace ibs

// IBS_OP_CTL: the control of the unit for operations.
struct IbsOpControl {
  explicit constexpr IbsOpControl(std::uint64_t all) : bits(all) {}

  std::uint64_t bits;
  // The count in units of 16 operations or cycles.
  constexpr unsigned most_count() const { return ibs::part(bits, 20, 7) << 16 | ibs::part(bits, 0, 16); }
  constexpr bool l3_misses_only() const { return ibs::flag(bits, 16); }
  constexpr bool enabled() const { return ibs::flag(bits, 17); }
  constexpr bool valid() const { return ibs::flag(bits, 18); }
  constexpr bool counts_operations() const { return ibs::flag(bits, 19); }  // otherwise cycles
  constexpr unsigned count() const { return ibs::part(bits, 32, 27); }
  constexpr unsigned latency_threshold() const { return ibs::part(bits, 59, 4); }  // in units of 128 cycles, less 1
  constexpr bool filters_latency() const { return ibs::flag(bits, 63); }
};

// IBS_OP_DATA: the operation in the pipeline.
struct IbsOpData {
  explicit constexpr IbsOpData(std::uint64_t all) : bits(all) {}

  std::uint64_t bits;
  constexpr unsigned completion_to_retirement() const { return ibs::part(bits, 0, 16); }  // in cycles
  constexpr unsigned tag_to_retirement() const { return ibs::part(bits, 16, 16); }        // in cycles
  constexpr bool is_return() const { return ibs::flag(bits, 34); }
  constexpr bool branch_taken() const { return ibs::flag(bits, 35); }
  constexpr bool branch_mispredicted() const { return ibs::flag(bits, 36); }
  constexpr bool branch_retired() const { return ibs::flag(bits, 37); }
  constexpr bool instruction_invalid() const { return ibs::flag(bits, 38); }
  constexpr bool fused_branch() const { return ibs::flag(bits, 39); }
  constexpr bool microcode() const { return ibs::flag(bits, 40); }
};

// IBS_OP_DATA2: where a load that missed the L2 found its data.
struct IbsOpData2 {
  explicit constexpr IbsOpData2(std::uint64_t all) : bits(all) {}

  std::uint64_t bits;
  constexpr unsigned coarse_source() const { return ibs::part(bits, 0, 3); }
  constexpr unsigned source(const IbsCapabilities& capabilities) const {
    return capabilities.zen4() ? ibs::part(bits, 6, 2) << 3 | coarse_source() : coarse_source();
  }
  constexpr bool remote_node() const { return ibs::flag(bits, 4); }
  constexpr bool owned() const { return ibs::flag(bits, 5); }  // state of the line in the cache: owned, or modified
  constexpr bool streaming_store() const { return ibs::flag(bits, 8); }
  constexpr bool remote_socket() const { return ibs::flag(bits, 9); }
};

// Values of IbsOpData2::source().
namespace ibs_source {
inline constexpr unsigned local_cache = 2, dram = 3, remote_cache = 4, io = 7;  // without zen4()
inline constexpr unsigned own_complex = 1, near_complex = 2, far_complex = 5, persistent_memory = 6,
                          extension_memory = 8;  // with zen4()
}  // namespace ibs_source

// IBS_OP_DATA3: the load or store.
struct IbsOpData3 {
  explicit constexpr IbsOpData3(std::uint64_t all) : bits(all) {}

  std::uint64_t bits;
  constexpr bool load() const { return ibs::flag(bits, 0); }
  constexpr bool store() const { return ibs::flag(bits, 1); }
  constexpr bool l1_tlb_miss() const { return ibs::flag(bits, 2); }
  constexpr bool l2_tlb_miss() const { return ibs::flag(bits, 3); }
  constexpr bool l1_tlb_hit_2m() const { return ibs::flag(bits, 4); }
  constexpr bool l1_tlb_hit_1g() const { return ibs::flag(bits, 5); }
  constexpr bool l2_tlb_hit_2m() const { return ibs::flag(bits, 6); }
  constexpr bool l1_miss() const { return ibs::flag(bits, 7); }
  constexpr bool misaligned() const { return ibs::flag(bits, 8); }
  constexpr bool write_combining() const { return ibs::flag(bits, 13); }
  constexpr bool uncacheable() const { return ibs::flag(bits, 14); }
  constexpr bool locked() const { return ibs::flag(bits, 15); }
  constexpr bool no_miss_buffer() const { return ibs::flag(bits, 16); }
  constexpr bool linear_address_valid() const { return ibs::flag(bits, 17); }
  constexpr bool physical_address_valid() const { return ibs::flag(bits, 18); }
  constexpr bool l2_tlb_hit_1g() const { return ibs::flag(bits, 19); }
  constexpr bool l2_miss() const { return ibs::flag(bits, 20); }
  constexpr bool software_prefetch() const { return ibs::flag(bits, 21); }
  // 0: not a load or store; otherwise the access has 1 << (width() - 1) bytes.
  constexpr unsigned width() const { return ibs::part(bits, 22, 4); }
  constexpr unsigned open_requests() const { return ibs::part(bits, 26, 6); }
  constexpr unsigned miss_latency() const { return ibs::part(bits, 32, 16); }        // in cycles
  constexpr unsigned tlb_refill_latency() const { return ibs::part(bits, 48, 16); }  // in cycles
};

// The raw data of a sample of ibs_op.
struct IbsOp {
  IbsCapabilities capabilities;
  IbsOpControl control;
  std::uint64_t instruction;  // the address
  IbsOpData data;
  IbsOpData2 source;
  IbsOpData3 access;
  std::uint64_t linear_address, physical_address;  // of the data
  std::optional<std::uint64_t> branch_target;
  std::optional<std::uint64_t> data_4;  // IBS_OP_DATA4

  // The kernel writes no other samples; perf does not print others.
  bool valid() const { return control.enabled() && control.valid(); }
};

// IBS_FETCH_CTL: the control of the unit for fetches, and the fetch.
struct IbsFetchControl {
  explicit constexpr IbsFetchControl(std::uint64_t all) : bits(all) {}

  std::uint64_t bits;
  constexpr unsigned most_count() const { return ibs::part(bits, 0, 16); }  // in units of 16 fetches
  constexpr unsigned count() const { return ibs::part(bits, 16, 16); }      // in units of 16 fetches
  constexpr unsigned latency() const { return ibs::part(bits, 32, 16); }    // in cycles
  constexpr bool enabled() const { return ibs::flag(bits, 48); }
  constexpr bool valid() const { return ibs::flag(bits, 49); }
  constexpr bool completed() const { return ibs::flag(bits, 50); }
  constexpr bool l1_miss() const { return ibs::flag(bits, 51); }
  constexpr bool physical_address_valid() const { return ibs::flag(bits, 52); }
  constexpr unsigned page_size() const { return ibs::part(bits, 53, 2); }  // a code, of the entry in the L1 TLB
  constexpr bool l1_tlb_miss() const { return ibs::flag(bits, 55); }
  constexpr bool l2_tlb_miss() const { return ibs::flag(bits, 56); }
  constexpr bool random() const { return ibs::flag(bits, 57); }
  constexpr bool l2_miss() const { return ibs::flag(bits, 58); }
  constexpr bool l3_misses_only() const { return ibs::flag(bits, 59); }
  constexpr bool op_cache_miss() const { return ibs::flag(bits, 60); }
  constexpr bool l3_miss() const { return ibs::flag(bits, 61); }
};

// The raw data of a sample of ibs_fetch.
struct IbsFetch {
  IbsCapabilities capabilities;
  IbsFetchControl control;
  std::uint64_t linear_address, physical_address;  // of the instructions
  std::optional<std::uint64_t> extension;          // IC_IBS_EXTD_CTL

  bool valid() const { return control.enabled() && control.valid(); }
};

// Nothing when the raw data is too short for the registers that every processor has.
std::optional<IbsOp> decode_ibs_op(Bytes raw, ByteOrder order);
std::optional<IbsFetch> decode_ibs_fetch(Bytes raw, ByteOrder order);

}  // namespace perfsift::reader
