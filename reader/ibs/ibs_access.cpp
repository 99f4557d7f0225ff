#include "reader/ibs/ibs_access.h"

#include "base/data_source.h"

namespace perfsift::reader {
namespace {

using Source = DataSource;

// A level that served an access. No hit is claimed for levels that mem_lvl has no bit for.
struct Level {
  unsigned bits = 0;  // mem_lvl, without the outcome; 0 and no number: not known
  unsigned number = 0;
  bool remote = false;
  unsigned hops = 0;

  bool known() const { return bits != 0 || number != 0; }
};

constexpr Level l1{Source::level_l1, 1};
constexpr Level l2{Source::level_l2, 2};
constexpr Level l3{Source::level_l3, 3};
constexpr Level miss_buffer{Source::level_lfb, Source::number_lfb};
constexpr Level local_ram{Source::level_local_ram, Source::number_ram};
constexpr Level remote_ram{Source::level_remote_ram_1_hop, Source::number_ram, true, 1};
constexpr Level persistent_memory{0, Source::number_pmem};
constexpr Level extension_memory{0, Source::number_cxl};
constexpr Level io{Source::level_io, Source::number_io};
constexpr Level uncached{Source::level_uncached, Source::number_uncached};
// The processor does not say which cache of the node it was.
constexpr Level cache_of_node{Source::level_l3 | Source::level_remote_cache_1_hop, Source::number_any_cache};
constexpr Level near_cache{Source::level_remote_cache_1_hop, Source::number_any_cache, true};
constexpr Level far_cache{Source::level_remote_cache_2_hops, Source::number_any_cache, true, 1};

// Memory on another node. How far away the node is, IBS does not say.
constexpr Level on_node(Level memory, bool other_node) {
  if (!other_node) return memory;
  return {memory.bits, memory.number, true, 1};
}

Level level_of_source(const IbsOpData2& data, const IbsCapabilities& capabilities) {
  const Level ram = data.remote_node() ? remote_ram : local_ram;
  if (!capabilities.zen4()) {
    switch (data.coarse_source()) {
      case ibs_source::local_cache:
        return cache_of_node;
      case ibs_source::dram:
        return ram;
      case ibs_source::remote_cache:
        return far_cache;
      case ibs_source::io:
        return io;
      default:
        return {};
    }
  }
  switch (data.source(capabilities)) {
    case ibs_source::own_complex:
      return l3;
    case ibs_source::near_complex:
      return near_cache;
    case ibs_source::dram:
      return ram;
    case ibs_source::far_complex:
      return far_cache;
    case ibs_source::persistent_memory:
      return on_node(persistent_memory, data.remote_node());
    case ibs_source::io:
      return io;
    case ibs_source::extension_memory:
      return on_node(extension_memory, data.remote_node());
    default:
      return {};
  }
}

// Makes the parts of a data source from the registers of a load or store.
class AccessReader {
 public:
  AccessReader(const IbsOp& op, const IbsProcessor& processor)
      : op_(op),
        processor_(processor),
        unreliable_(processor.has_errata_of_zen3() && (op.access.software_prefetch() || op.access.no_miss_buffer())),
        source_(unreliable_ ? 0 : op.source.bits) {}

  std::uint64_t data_source() const {
    const Level level = this->level();
    Source result(0);
    result.operation = op_.access.load() ? Source::op_load : Source::op_store;
    result.level = level.known() ? level.bits | (level.bits != 0 ? Source::level_hit : 0) : Source::level_na;
    result.level_number = level.known() ? level.number : Source::number_na;
    result.remote = level.remote ? 1 : 0;
    result.hops = level.hops;
    result.snoop = hit_modified(level) ? Source::snoop_hitm : Source::snoop_na;
    result.tlb = tlb();
    result.lock = op_.access.locked() ? Source::lock_locked : Source::lock_na;
    return result.bits();
  }

 private:
  // perf_ibs_get_mem_lvl()
  Level level() const {
    const IbsOpData3& access = op_.access;
    // Misses and sources mean nothing for memory that is not cached.
    if (access.uncacheable() && source_.source(op_.capabilities) != ibs_source::io) return uncached;
    if (!access.l1_miss()) return l1;
    if (!access.l2_miss() && !unreliable_) return l2;
    // Stores have no source.
    const Level found = access.load() ? level_of_source(source_, op_.capabilities) : Level{};
    if (found.known()) return found;
    return access.no_miss_buffer() ? miss_buffer : Level{};
  }

  // perf_ibs_get_mem_snoop()
  bool hit_modified(const Level& level) const {
    if (!processor_.tells_modified_lines() || !op_.access.load() || source_.owned()) return false;
    if ((level.bits & (Source::level_l1 | Source::level_l2)) != 0) return false;
    const unsigned source = source_.source(op_.capabilities);
    if (!op_.capabilities.zen4()) return source == ibs_source::local_cache;
    return source == ibs_source::own_complex || source == ibs_source::near_complex || source == ibs_source::far_complex;
  }

  // perf_ibs_get_tlb_lvl()
  unsigned tlb() const {
    const IbsOpData3& access = op_.access;
    const bool valid =
        access.linear_address_valid() && (!op_.capabilities.page_size() || access.physical_address_valid());
    if (!valid) return Source::tlb_na;
    if (!access.l1_tlb_miss()) return Source::tlb_l1 | Source::tlb_hit;
    return Source::tlb_l2 | (access.l2_tlb_miss() ? Source::tlb_miss : Source::tlb_hit);
  }

  const IbsOp& op_;
  const IbsProcessor& processor_;
  const bool unreliable_;  // the level-2 miss and the source, because of erratum 1293
  const IbsOpData2 source_;
};

}  // namespace

// PERF_MEM_NA of kernels since 6.5: all parts say "not available".
IbsAccess no_ibs_access() {
  Source nothing(0);
  nothing.operation = Source::op_na;
  nothing.level = Source::level_na;
  nothing.level_number = Source::number_na;
  nothing.snoop = Source::snoop_na;
  nothing.lock = Source::lock_na;
  nothing.tlb = Source::tlb_na;
  return {.data_source = nothing.bits()};
}

IbsAccess ibs_access(const IbsOp& op, const IbsProcessor& processor) {
  const IbsOpData3& access = op.access;
  if (!op.valid() || (!access.load() && !access.store())) return no_ibs_access();
  IbsAccess result{.data_source = AccessReader(op, processor).data_source()};
  if (access.linear_address_valid()) result.address = op.linear_address;
  if (access.physical_address_valid()) result.physical_address = op.physical_address;
  if (access.load() && access.l1_miss()) {
    result.latency = access.miss_latency();
    result.tag_to_retirement = static_cast<std::uint16_t>(op.data.tag_to_retirement());
  }
  return result;
}

}  // namespace perfsift::reader
