#include "reader/auxtrace/spe_packets.h"

#include <algorithm>

namespace perfsift::reader {
namespace {

using Kind = SpePacket::Kind;

constexpr std::uint8_t end_header = 0x01;
constexpr std::uint8_t timestamp_header = 0x71;
constexpr std::uint8_t alignment_header = 0x00;  // the second byte of an extended header

// The kind of a packet, by the bits of the header except those of the size and the index.
bool is_events(std::uint8_t header) { return (header & 0xcf) == 0x42; }
bool is_data_source(std::uint8_t header) { return (header & 0xcf) == 0x43; }
bool is_context(std::uint8_t header) { return (header & 0xfc) == 0x64; }
bool is_operation(std::uint8_t header) { return (header & 0xfc) == 0x48; }
bool is_extended(std::uint8_t header) { return (header & 0xfc) == 0x20; }
bool is_address(std::uint8_t header) { return (header & 0xf8) == 0xb0; }
bool is_counter(std::uint8_t header) { return (header & 0xf8) == 0x98; }

std::uint8_t low_bits(std::uint8_t header, unsigned count) {
  return static_cast<std::uint8_t>(header & ((1u << count) - 1));
}

// Identifies a packet with a short header. False when no packet begins with this byte.
bool identify(std::uint8_t header, SpePacket& packet) {
  packet.index = 0;
  if (is_address(header)) {
    packet.kind = Kind::address;
    packet.index = low_bits(header, 3);
  } else if (is_counter(header)) {
    packet.kind = Kind::counter;
    packet.index = low_bits(header, 3);
  } else if (is_events(header)) {
    packet.kind = Kind::events;
  } else if (is_operation(header)) {
    packet.kind = Kind::operation;
    packet.index = low_bits(header, 2);
  } else if (header == timestamp_header) {
    packet.kind = Kind::timestamp;
  } else if (is_context(header)) {
    packet.kind = Kind::context;
    packet.index = low_bits(header, 2);
  } else if (is_data_source(header)) {
    packet.kind = Kind::data_source;
  } else {
    return false;
  }
  return true;
}

}  // namespace

SpePackets::Step SpePackets::next(SpePacket& packet) {
  if (in_.remaining() == 0) return Step::done;
  const std::uint8_t header = in_.u8();
  if (header == 0 || header == end_header) {
    packet = {.kind = header == 0 ? Kind::padding : Kind::end};
    return Step::packet;
  }
  if (identify(header, packet)) return take_payload(header, packet);
  return is_extended(header) ? take_extended(header, packet) : Step::bad;
}

SpePackets::Step SpePackets::take_payload(std::uint8_t header, SpePacket& packet) {
  switch ((header >> 4) & 3) {
    case 0:
      packet.payload = in_.u8();
      break;
    case 1:
      packet.payload = in_.u16();
      break;
    case 2:
      packet.payload = in_.u32();
      break;
    default:
      packet.payload = in_.u64();
  }
  return in_.ok() ? Step::packet : Step::cut;
}

SpePackets::Step SpePackets::take_extended(std::uint8_t header, SpePacket& packet) {
  if (in_.remaining() == 0) return Step::cut;
  ByteReader after = in_;
  const std::uint8_t second = after.u8();
  if (second == alignment_header) {
    packet = {.kind = Kind::padding};
    return align(2u << low_bits(header, 4));
  }
  if (!is_address(second) && !is_counter(second)) return Step::bad;
  identify(second, packet);
  packet.index |= static_cast<std::uint8_t>(low_bits(header, 2) << 3);
  in_ = after;
  return take_payload(second, packet);
}

// The packet ends at the next boundary behind its first byte.
SpePackets::Step SpePackets::align(unsigned boundary) {
  const std::uint64_t start = offset_ + position() - 1;
  const std::uint64_t size = boundary - (start & (boundary - 1));
  in_.skip(std::max<std::uint64_t>(size, 2) - 1);
  return in_.ok() ? Step::packet : Step::cut;
}

}  // namespace perfsift::reader
