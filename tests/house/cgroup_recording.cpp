// Writes a recording of a process whose threads are in control groups, for tests of the program: cgroup_recording FILE.
// Its thread 7 moves to another group, and the group of the last sample has no path.

#include <fstream>
#include <utility>

#include "reader/format/abi.h"
#include "tests/support/recording_builder.h"

int main(int, char** arguments) {
  using namespace perfsift;
  using reader::RecordType;
  namespace bit = reader::sample_bit;
  constexpr std::uint64_t web = 70, batch = 71, unknown = 72;

  test::RecordingBuilder in;
  in.event({.sample_type = bit::ip | bit::tid | bit::time | bit::cgroup, .flags = test::sample_id_all});
  in.comm_at(1, 7, "server");
  in.record_at(2, RecordType::fork, in.bytes().u32(7).u32(7).u32(8).u32(7).u64(2));
  in.record_at(3, RecordType::cgroup, in.bytes().u64(web).padded("/web.slice"));
  in.record_at(4, RecordType::cgroup, in.bytes().u64(batch).padded("/batch.slice"));
  std::uint64_t time = 5;
  for (const auto& [tid, cgroup] :
       {std::pair{7u, web}, {8u, web}, {7u, batch}, {7u, batch}, {7u, web}, {8u, unknown}}) {
    in.record(RecordType::sample, in.bytes().u64(0x401000).u32(7).u32(tid).u64(time++).u64(cgroup), test::user_mode);
  }
  const auto bytes = in.file();
  std::ofstream(arguments[1], std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}
