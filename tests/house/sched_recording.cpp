// Writes a recording of two threads that switch, for tests of the program: sched_recording FILE.

#include "tests/support/sched_recording.h"

#include <fstream>

int main(int, char** arguments) {
  using namespace perfsift::test;
  SchedRecording recording;
  recording.comm_at(1, 7, "waiter").comm_at(2, 8, "waker");
  for (std::uint64_t i = 1; i <= 100; ++i) {
    const std::uint64_t start = 10 * i * millisecond;
    recording.switch_at(start, 7, S, 8).waking_at(start + 2 * millisecond, 8, 7);
    recording.switch_at(start + 3 * millisecond, 8, S, 7);
  }
  const auto bytes = recording.bytes();
  std::ofstream(arguments[1], std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}
