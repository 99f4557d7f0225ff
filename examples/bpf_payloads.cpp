// Prints a field of what a BPF program sends, and counts what was lost: bpf_payloads MAP FIELD SECONDS
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include <perfsift/error.h>
#include <perfsift/payloads.h>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    using Clock = std::chrono::steady_clock;
    perfsift::PayloadReader reader({.map = argv[1]});
    const Clock::time_point end = Clock::now() + std::chrono::seconds(std::atoi(argv[3]));
    while (Clock::now() < end) {
      reader.wait(std::chrono::milliseconds(100));
      for (const perfsift::Payload& payload : reader.take()) std::cout << payload.number(argv[2]).value_or(0) << '\n';
    }
    for (const std::string& note : reader.notes()) std::cerr << note << '\n';
    for (const perfsift::PayloadCounts& ring : reader.counts()) {
      const std::string lost = ring.lost ? std::to_string(*ring.lost) : "an unknown number of";
      std::cerr << "CPU " << ring.cpu << ": " << ring.received << " received, " << lost << " lost\n";
    }
  } catch (const perfsift::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
