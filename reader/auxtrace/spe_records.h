// The records of an Arm SPE trace: all that the processor says about one sampled operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "reader/auxtrace/spe_packets.h"

namespace perfsift::reader {

// Bits of the events packet. All from `transactional` on depend on the processor.
namespace spe_event {
inline constexpr std::uint64_t l1_access = 1u << 2, l1_refill = 1u << 3;
inline constexpr std::uint64_t tlb_access = 1u << 4, tlb_walk = 1u << 5;
inline constexpr std::uint64_t last_level_access = 1u << 8, last_level_miss = 1u << 9;
inline constexpr std::uint64_t remote_access = 1u << 10;
inline constexpr std::uint64_t l2_access = 1u << 19, l2_miss = 1u << 20;
inline constexpr std::uint64_t modified_data = 1u << 21, recently_fetched = 1u << 22, snooped = 1u << 23;
}  // namespace spe_event

struct SpeRecord {
  static constexpr std::uint64_t no_context = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t program_counter = 0;
  std::uint64_t branch_target = 0;
  std::uint64_t virtual_address = 0;   // of the data
  std::uint64_t physical_address = 0;  // of the data
  std::uint64_t context = no_context;  // CONTEXTIDR, which Linux sets to the tid
  std::uint64_t timestamp = 0;         // in ticks of the counter
  std::uint64_t events = 0;
  std::uint64_t total_latency = 0;  // in cycles, from dispatch to completion
  std::uint16_t data_source = 0;    // the meaning depends on the processor
  bool load = false;
  bool store = false;
  bool branch = false;
  bool vector = false;  // SIMD, SVE or SME, also without access to memory
};

// Walks over the records of a piece of a trace. Not thread-safe.
class SpeRecords {
 public:
  SpeRecords(Bytes piece, std::uint64_t offset) : packets_(piece, offset) {}

  // False at the end of the piece. A record with bytes that are no packet is left out: perf makes a sample of the part
  // in front of these bytes, and another sample of the part behind.
  bool next(SpeRecord& record);
  // The position of the latest record in the piece.
  std::size_t start() const { return start_; }

  // Bytes of records that were left out because some of these bytes are no packet.
  std::uint64_t damaged_bytes() const { return damaged_; }
  // Bytes of a last record that does not end in the piece: the buffer was full.
  std::uint64_t cut_bytes() const { return cut_; }

 private:
  bool take(const SpePacket& packet, SpeRecord& record);
  bool give_up(bool damaged);

  SpePackets packets_;
  std::size_t start_ = 0;
  bool open_ = false;  // packets of a record have come, but not its end
  std::uint64_t damaged_ = 0;
  std::uint64_t cut_ = 0;
};

}  // namespace perfsift::reader
