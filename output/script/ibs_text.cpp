#include "output/script/ibs_text.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "reader/ibs/ibs_registers.h"

namespace perfsift::output {
namespace {

using analysis::PerfStyle;
using reader::IbsCapabilities;
using reader::IbsFetch;
using reader::IbsOp;
using reader::IbsProcessor;

// perf takes the capabilities from PMU_CAPS of the header, which older versions of perf record do not write. The raw
// data of each sample has them, too. perf 6.1 knows one of them.
IbsCapabilities capabilities_for(IbsCapabilities recorded, PerfStyle style) {
  constexpr std::uint32_t known_to_6_1 = 1u << 11;
  return IbsCapabilities(style == PerfStyle::perf_6_1 ? recorded.bits & known_to_6_1 : recorded.bits);
}

int number(bool flag) { return flag ? 1 : 0; }

// " NAME 1", where the flag says something.
std::string part(std::string_view name, bool flag, bool meaningful = true) {
  return meaningful ? fmt::format(" {} {}", name, number(flag)) : std::string();
}

// The names by number. Numbers behind the last have no names.
std::span<const std::string_view> names_of_sources(const IbsCapabilities& capabilities, PerfStyle style) {
  static constexpr std::string_view coarse[] = {
      "", "(reserved)", "Local node cache", "DRAM", "Remote node cache", "(reserved)", "(reserved)", "Other"};
  static constexpr std::string_view fine[] = {"",
                                              "Local L3 or other L1/L2 in CCX",
                                              "Another CCX cache in the same NUMA node",
                                              "DRAM",
                                              "(reserved)",
                                              "Another CCX cache in a different NUMA node",
                                              "Long-latency DIMM",
                                              "MMIO/Config/PCI/APIC",
                                              "Extension Memory",
                                              "(reserved)",
                                              "(reserved)",
                                              "(reserved)",
                                              "Coherent Memory of a different processor type"};
  static constexpr std::string_view fine_of_6_1[] = {"",
                                                     "Local L3 or other L1/L2 in CCX",
                                                     "A peer cache in a near CCX",
                                                     "Data returned from DRAM",
                                                     "(reserved)",
                                                     "A peer cache in a far CCX",
                                                     "DRAM address map with \"long latency\" bit set",
                                                     "Data returned from MMIO/Config/PCI/APIC",
                                                     "Extension Memory (S-Link, GenZ, etc)",
                                                     "(reserved)",
                                                     "(reserved)",
                                                     "(reserved)",
                                                     "Peer Agent Memory"};
  if (!capabilities.zen4()) return coarse;
  if (style == PerfStyle::newest) return fine;
  return fine_of_6_1;
}

// One for each sample.
class OpLines {
 public:
  OpLines(TextWriter& out, const IbsOp& op, const IbsProcessor& processor, PerfStyle style)
      : out_(out),
        op_(op),
        capabilities_(capabilities_for(op.capabilities, style)),
        newest_(style == PerfStyle::newest),
        sources_(names_of_sources(capabilities_, style)),
        unreliable_(processor.has_errata_of_zen3() && (op.access.no_miss_buffer() || op.access.software_prefetch())) {}

  void print() {
    control();
    if (!op_.data.instruction_invalid()) out_.format("\n\tIbsOpRip:\t{:016x}", op_.instruction);
    data();
    if (!unreliable_) source();
    access();
    if (op_.access.linear_address_valid()) out_.format("\n\tIbsDCLinAd:\t{:016x}", op_.linear_address);
    if (shows_physical_address()) out_.format("\n\tIbsDCPhysAd:\t{:016x}", op_.physical_address);
    const std::uint64_t target = op_.branch_target.value_or(0);
    if (op_.data.branch_retired() && target != 0) out_.format("\n\tIbsBrTarget:\t{:016x}", target);
  }

 private:
  void control() {
    const auto& control = op_.control;
    const std::string threshold =
        fmt::format(" LdLatThrsh {:2} LdLatEn {}", control.latency_threshold(), number(control.filters_latency()));
    out_.format("\n\tibs_op_ctl:\t{:016x} MaxCnt {:9}{} En {} Val {} CntCtl {}={} CurCnt {:9}{}", control.bits,
                control.most_count() << 4, part("L3MissOnly", control.l3_misses_only(), capabilities_.zen4()),
                number(control.enabled()), number(control.valid()), number(control.counts_operations()),
                control.counts_operations() ? "uOps" : "cycles", control.count(),
                capabilities_.load_latency_filter() ? threshold : "");
  }

  void data() {
    const auto& data = op_.data;
    const bool branch = data.branch_retired();
    out_.format(
        "\n\tibs_op_data:\t{:016x} CompToRetCtr {:5} TagToRetCtr {:5}{}{}{} BrnRet {}  RipInvalid {} BrnFuse {} "
        "Microcode {}",
        data.bits, data.completion_to_retirement(), data.tag_to_retirement(),
        part("OpReturn", data.is_return(), branch), part("OpBrnTaken", data.branch_taken(), branch),
        part("OpBrnMisp", data.branch_mispredicted(), branch), number(branch), number(data.instruction_invalid()),
        number(data.fused_branch()), number(data.microcode()));
  }

  void source() {
    const auto& source = op_.source;
    std::string stores;
    if (capabilities_.streaming_stores_and_sockets()) {
      stores = fmt::format("RmtSocket {} StrmSt {} ", number(source.remote_socket()), number(source.streaming_store()));
    }
    out_.format("\n\tibs_op_data2:\t{:016x} {}{}RmtNode {}{}", source.bits, stores, state_of_line(),
                number(source.remote_node()), name_of_source());
  }

  std::string_view state_of_line() const {
    const unsigned source = op_.source.source(capabilities_);
    const bool from_cache = capabilities_.zen4() ? source == reader::ibs_source::own_complex ||
                                                       source == reader::ibs_source::near_complex ||
                                                       source == reader::ibs_source::far_complex
                                                 : source == reader::ibs_source::local_cache;
    if (!from_cache) return "";
    return op_.source.owned() ? "CacheHitSt 1=O-State " : "CacheHitSt 0=M-state ";
  }

  std::string name_of_source() const {
    const unsigned source = op_.source.source(capabilities_);
    const std::string_view name = source < sources_.size() ? sources_[source] : "";
    return name.empty() ? std::string() : fmt::format(" DataSrc {}={}", source, name);
  }

  void access() {
    const auto& access = op_.access;
    const bool refill = !newest_ || !capabilities_.zen4() || access.physical_address_valid();
    out_.format(
        "\n\tibs_op_data3:\t{:016x} LdOp {} StOp {}{} DcMiss {} DcMisAcc {} DcWcMemAcc {} DcUcMemAcc {} "
        "DcLockedOp {} DcMissNoMabAlloc {} DcLinAddrValid {} DcPhyAddrValid {}{}{} SwPf {}{}{} DcMissLat {:5}{}",
        access.bits, number(access.load()), number(access.store()), tlb(), number(access.l1_miss()),
        number(access.misaligned()), number(access.write_combining()), number(access.uncacheable()),
        number(access.locked()), number(access.no_miss_buffer()), number(access.linear_address_valid()),
        number(access.physical_address_valid()),
        part("DcL2TlbHit1G", access.l2_tlb_hit_1g(), !capabilities_.page_size()),
        part("L2Miss", access.l2_miss(), !unreliable_), number(access.software_prefetch()), width(),
        unreliable_ ? "" : fmt::format(" OpDcMissOpenMemReqs {:2}", access.open_requests()), access.miss_latency(),
        refill ? fmt::format(" TlbRefillLat {:5}", access.tlb_refill_latency()) : "");
  }

  std::string tlb() const {
    const auto& access = op_.access;
    const std::string misses = part("DcL1TlbMiss", access.l1_tlb_miss()) + part("DcL2TlbMiss", access.l2_tlb_miss());
    if (!capabilities_.page_size()) {
      return misses + part("DcL1TlbHit2M", access.l1_tlb_hit_2m()) + part("DcL1TlbHit1G", access.l1_tlb_hit_1g()) +
             part("DcL2TlbHit2M", access.l2_tlb_hit_2m());
    }
    if (!access.physical_address_valid()) return {};
    constexpr std::array<std::string_view, 4> sizes = {"4K", "2M", "1G", "??"};
    const int size = number(access.l1_tlb_hit_1g()) << 1 | number(access.l1_tlb_hit_2m());
    return fmt::format("{} DcPageSize {:>4}", misses, sizes[static_cast<std::size_t>(size)]);
  }

  std::string width() const {
    const unsigned width = op_.access.width();
    return width != 0 ? fmt::format(" OpMemWidth {:2} bytes", 1u << (width - 1)) : std::string();
  }

  bool shows_physical_address() const {
    if (!op_.access.physical_address_valid()) return false;
    if (!newest_) return true;
    return op_.physical_address != 0 && (!capabilities_.zen4() || op_.access.linear_address_valid());
  }

  TextWriter& out_;
  const IbsOp& op_;
  const IbsCapabilities capabilities_;
  const bool newest_;
  const std::span<const std::string_view> sources_;
  const bool unreliable_;  // because of erratum 1293
};

std::string_view page_size(const IbsFetch& fetch, const IbsProcessor& processor) {
  constexpr std::array<std::string_view, 4> sizes = {" L1TlbPgSz 4KB", " L1TlbPgSz 2MB", " L1TlbPgSz 1GB",
                                                     " L1TlbPgSz RESERVED"};
  constexpr std::array<std::string_view, 4> sizes_of_zen3 = {" L1TlbPgSz 4KB", " L1TlbPgSz 16KB", " L1TlbPgSz 2MB",
                                                             " L1TlbPgSz 1GB"};
  if (!fetch.control.physical_address_valid()) return "";
  return (processor.has_errata_of_zen3() ? sizes_of_zen3 : sizes)[fetch.control.page_size()];
}

void print_fetch(TextWriter& out, const IbsFetch& fetch, const IbsProcessor& processor, PerfStyle style) {
  const auto& control = fetch.control;
  const bool zen4 = capabilities_for(fetch.capabilities, style).zen4();
  const bool results =
      style == PerfStyle::perf_6_1 || !processor.needs_physical_address() || control.physical_address_valid();
  out.format("\n\tibs_fetch_ctl:\t{:016x} MaxCnt {:7} Cnt {:7}", control.bits, control.most_count() << 4,
             control.count() << 4);
  if (results) out.format(" Lat {:5}", control.latency());
  out.format(" En {} Val {} Comp {}", number(control.enabled()), number(control.valid()), number(control.completed()));
  if (results) {
    out.format("{} PhyAddrValid {}{} L1TlbMiss {} L2TlbMiss {} RandEn {}{}",
               part("IcMiss", control.l1_miss(), !processor.has_errata_of_zen3()),
               number(control.physical_address_valid()), page_size(fetch, processor), number(control.l1_tlb_miss()),
               number(control.l2_tlb_miss()), number(control.random()),
               part("L2Miss", control.l2_miss(), control.completed()));
    out.text(part("L3MissOnly", control.l3_misses_only(), zen4));
    out.text(part("FetchOcMiss", control.op_cache_miss(), zen4));
    out.text(part("FetchL3Miss", control.l3_miss(), zen4));
  } else {
    out.format(" PhyAddrValid 0 RandEn {}{}", number(control.random()), part("L3MissOnly", control.l3_misses_only()));
  }
  out.format("\n\tIbsFetchLinAd:\t{:016x}", fetch.linear_address);
  if (control.physical_address_valid()) out.format("\n\tIbsFetchPhysAd:\t{:016x}", fetch.physical_address);
  if (fetch.extension && results) {
    constexpr std::uint64_t refill_latency = 0xffff;
    out.format("\n\tic_ibs_ext_ctl:\t{:016x} IbsItlbRefillLat {:3}", *fetch.extension,
               *fetch.extension & refill_latency);
  }
}

}  // namespace

void print_ibs(TextWriter& out, const reader::Sample& sample, ByteOrder order, PerfStyle style) {
  const IbsProcessor& processor = sample.event->ibs_processor;
  if (sample.event->ibs == reader::IbsUnit::op) {
    const auto op = reader::decode_ibs_op(sample.raw, order);
    if (op && op->valid()) OpLines(out, *op, processor, style).print();
  } else if (sample.event->ibs == reader::IbsUnit::fetch) {
    const auto fetch = reader::decode_ibs_fetch(sample.raw, order);
    if (fetch && fetch->valid()) print_fetch(out, *fetch, processor, style);
  }
}

}  // namespace perfsift::output
