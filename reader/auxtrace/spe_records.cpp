#include "reader/auxtrace/spe_records.h"

#include <utility>

namespace perfsift::reader {
namespace {

using Kind = SpePacket::Kind;

constexpr std::uint64_t address_bits = (std::uint64_t{1} << 56) - 1;
constexpr std::uint64_t top_byte = ~address_bits;

// The top byte of a code address holds the security state and the exception level. Kernels run at EL1, or at EL2 with
// VHE, and their addresses begin with ones (arm_spe_calc_ip() in tools/perf/util/arm-spe-decoder/arm-spe-decoder.c).
std::uint64_t code_address(std::uint64_t payload) {
  const bool non_secure = (payload >> 63) != 0;
  const auto level = (payload >> 61) & 3;
  const bool kernel = non_secure && (level == 1 || level == 2);
  return (payload & address_bits) | (kernel ? top_byte : 0);
}

// The top byte of a data address is a tag. Only kernel addresses have ones below the tag.
std::uint64_t data_address(std::uint64_t payload) {
  const bool kernel = ((payload >> 52) & 0xf) == 0xf;
  return (payload & address_bits) | (kernel ? top_byte : 0);
}

void take_address(const SpePacket& packet, SpeRecord& record) {
  switch (packet.index) {
    case SpePacket::program_counter:
      record.program_counter = code_address(packet.payload);
      break;
    case SpePacket::branch_target:
      record.branch_target = code_address(packet.payload);
      break;
    case SpePacket::virtual_address:
      record.virtual_address = data_address(packet.payload);
      break;
    case SpePacket::physical_address:
      record.physical_address = packet.payload & address_bits;
      break;
    default:
      break;
  }
}

// The subclasses of a load or store: SPE_OP_PKT_LDST_SUBCLASS_* in arm-spe-pkt-decoder.h.
bool is_vector_access(std::uint64_t payload) {
  const bool advanced_simd = (payload & 0xfe) == 0x04;
  const bool sve_or_sme = (payload & 0x0a) == 0x08;
  return advanced_simd || sve_or_sme;
}

// Whether an operation of the class "other" is a vector operation: SPE_OP_PKT_OTHER_SUBCLASS_*.
bool is_vector_operation(std::uint64_t payload) {
  const bool sve_or_sme = (payload & 0x09) == 0x08;
  const bool advanced_simd = (payload & 0xf8) == 0 && (payload & 0x04) != 0;
  return sve_or_sme || advanced_simd;
}

// False for a class that the specification does not have.
bool take_operation(const SpePacket& packet, SpeRecord& record) {
  switch (packet.index) {
    case SpePacket::load_or_store:
      ((packet.payload & 1) != 0 ? record.store : record.load) = true;
      record.vector |= is_vector_access(packet.payload);
      return true;
    case SpePacket::other_operation:
      record.vector |= is_vector_operation(packet.payload);
      return true;
    case SpePacket::branch:
      record.branch = true;
      return true;
    default:
      return false;
  }
}

bool ends_record(const SpePacket& packet) { return packet.kind == Kind::end || packet.kind == Kind::timestamp; }

}  // namespace

bool SpeRecords::next(SpeRecord& record) {
  record = {};
  bool damaged = false;
  open_ = false;
  start_ = packets_.position();
  while (true) {
    const std::size_t at = packets_.position();
    SpePacket packet;
    const SpePackets::Step step = packets_.next(packet);
    if (step == SpePackets::Step::done) return give_up(damaged);
    if (step == SpePackets::Step::packet && packet.kind == Kind::padding) continue;
    if (!std::exchange(open_, true)) start_ = at;
    if (step == SpePackets::Step::cut) return give_up(damaged);
    if (step == SpePackets::Step::bad || !take(packet, record)) damaged = true;
    if (step != SpePackets::Step::packet || !ends_record(packet)) continue;
    if (!damaged) return true;
    damaged_ += packets_.position() - start_;
    record = {};
    damaged = open_ = false;
    start_ = packets_.position();
  }
}

// At the end of the piece.
bool SpeRecords::give_up(bool damaged) {
  const std::uint64_t rest = open_ ? packets_.position() - start_ : 0;
  (damaged ? damaged_ : cut_) += rest;
  return false;
}

bool SpeRecords::take(const SpePacket& packet, SpeRecord& record) {
  switch (packet.kind) {
    case Kind::address:
      take_address(packet, record);
      return true;
    case Kind::operation:
      return take_operation(packet, record);
    case Kind::counter:
      if (packet.index == SpePacket::total_latency) record.total_latency = packet.payload;
      return true;
    case Kind::timestamp:
      record.timestamp = packet.payload;
      return true;
    case Kind::context:
      record.context = packet.payload;
      return true;
    case Kind::events:
      record.events = packet.payload;
      return true;
    case Kind::data_source:
      record.data_source = static_cast<std::uint16_t>(packet.payload);
      return true;
    default:
      return true;
  }
}

}  // namespace perfsift::reader
