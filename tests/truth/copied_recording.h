// A perf.data of the stacks that a program for aarch64 copied under qemu (stack_copier.h).
#pragma once

#include <string>

namespace perfsift::test {

// Reads `log` and `log`.maps, and writes a recording of one event with user registers and stacks.
void write_copied_recording(const std::string& log, const std::string& path);

}  // namespace perfsift::test
