// Traces of Arm SPE, packet by packet, and recordings that hold such traces, as perf record writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/recording_builder.h"

namespace perfsift::test {

// Packets by their numbers in the Arm Architecture Reference Manual. Indices above 7 get an extended header.
class SpePacketWriter {
 public:
  SpePacketWriter& address(unsigned index, std::uint64_t payload) { return indexed(0xb0, index).u64(payload); }
  SpePacketWriter& counter(unsigned index, std::uint16_t cycles) { return indexed(0x98, index).u16(cycles); }
  SpePacketWriter& context(std::uint32_t id, unsigned level = 1) { return u8(0x64 + level - 1).u32(id); }
  SpePacketWriter& operation(unsigned operation_class, unsigned payload) {
    return u8(0x48 + operation_class).u8(payload);
  }
  // Adds events in 1, 2, 4 or 8 bytes.
  SpePacketWriter& events(std::uint64_t bits, unsigned size) { return sized(0x42, bits, size); }
  SpePacketWriter& data_source(std::uint64_t code, unsigned size) { return sized(0x43, code, size); }
  SpePacketWriter& timestamp(std::uint64_t counter) { return u8(0x71).u64(counter); }
  SpePacketWriter& end() { return u8(0x01); }
  SpePacketWriter& padding(std::size_t count) { return out_.zeros(count), *this; }
  SpePacketWriter& alignment(unsigned logarithm) { return u8(0x20 + logarithm - 1).u8(0); }
  SpePacketWriter& byte(unsigned any) { return u8(any); }

  std::size_t size() const { return out_.size(); }
  Bytes view() const { return out_.view(); }
  std::vector<std::byte> take() { return out_.take(); }

 private:
  SpePacketWriter& u8(unsigned v) { return out_.u8(static_cast<std::uint8_t>(v)), *this; }
  SpePacketWriter& u16(std::uint16_t v) { return out_.u16(v), *this; }
  SpePacketWriter& u32(std::uint32_t v) { return out_.u32(v), *this; }
  SpePacketWriter& u64(std::uint64_t v) { return out_.u64(v), *this; }
  SpePacketWriter& indexed(unsigned header, unsigned index) {
    if (index > 7) u8(0x20 + (index >> 3));
    return u8(header + (index & 7));
  }
  SpePacketWriter& sized(unsigned header, std::uint64_t payload, unsigned size);

  BytesBuilder out_;
};

// An aarch64 machine with four CPUs of different processors: Neoverse N1, AmpereOne A, HIP12, and one whose data
// sources are unknown. The threads 1001 to 1004 of the process 1000 run on these CPUs.
struct SpeMachine {
  static constexpr unsigned cpus = 4;
  static constexpr std::int32_t process = 1000;
  static constexpr std::uint32_t pmu_type = 9;
  static constexpr std::uint64_t midr[cpus] = {0x413fd0c1, 0xc00fac40, 0x480fd060, 0x410fd050};
  // The parameters that convert the counter to the clock.
  static constexpr std::uint64_t shift = 24, multiplier = 671088643, zero = 5'000'000'000;

  bool describes_cpus = true;  // as in perf 6.14 and later
  bool timed = true;           // otherwise each trace is that of a thread
  bool contexts = true;        // otherwise SWITCH_CPU_WIDE records give the running thread
};

// The events, features and threads of a trace, and the record that announces it. add_spe_piece() adds the pieces.
RecordingBuilder spe_machine(const SpeMachine& machine);
RecordingBuilder& add_spe_piece(RecordingBuilder& in, const SpeMachine& machine, unsigned cpu, Bytes data,
                                std::uint64_t offset = 0);
// The records of one CPU, with packets of all kinds and random payloads. `first`: the counter of the first record.
std::vector<std::byte> random_spe_trace(const SpeMachine& machine, unsigned cpu, std::uint64_t first, unsigned records);
// A complete recording of random traces.
std::vector<std::byte> spe_recording(const SpeMachine& machine, unsigned records_of_cpu);

}  // namespace perfsift::test
