// The packets of the Arm Statistical Profiling Extension (SPE): "Statistical Profiling Extension sample record
// specification" in the Arm Architecture Reference Manual, and tools/perf/util/arm-spe-decoder/arm-spe-pkt-decoder.c.
//
// A packet is a header of one or two bytes and a payload of 1, 2, 4 or 8 bytes, little-endian on every machine. Nothing
// marks the start of a packet, so after bytes that are no packet each byte may be the next header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/byte_reader.h"

namespace perfsift::reader {

struct SpePacket {
  enum class Kind : std::uint8_t {
    padding,
    end,        // of a record without a time
    timestamp,  // the end of a record, too
    address,
    counter,
    context,
    operation,
    events,
    data_source,
  };

  // `index` of an address
  static constexpr std::uint8_t program_counter = 0, branch_target = 1, virtual_address = 2, physical_address = 3,
                                previous_branch_target = 4;
  // `index` of a counter
  static constexpr std::uint8_t total_latency = 0, issue_latency = 1, translation_latency = 2;
  // `index` of an operation
  static constexpr std::uint8_t other_operation = 0, load_or_store = 1, branch = 2;

  Kind kind = Kind::padding;
  std::uint8_t index = 0;
  std::uint64_t payload = 0;
};

// Walks over the packets of a piece of a trace. Not thread-safe; cheap to copy.
class SpePackets {
 public:
  enum class Step : std::uint8_t {
    packet,
    bad,   // a byte that begins no packet; the walk goes on after that byte
    cut,   // the piece ends inside a packet
    done,  // the piece ends
  };

  // `offset`: of the piece in the trace of its buffer, which alignment packets refer to.
  SpePackets(Bytes piece, std::uint64_t offset) : in_(piece), size_(piece.size()), offset_(offset) {}

  Step next(SpePacket& packet);
  // The position of the next packet in the piece.
  std::size_t position() const { return size_ - in_.remaining(); }

 private:
  Step take_payload(std::uint8_t header, SpePacket& packet);
  Step take_extended(std::uint8_t header, SpePacket& packet);
  Step align(unsigned boundary);

  ByteReader in_;
  std::size_t size_;
  std::uint64_t offset_;
};

}  // namespace perfsift::reader
