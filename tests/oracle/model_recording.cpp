// model_recording PMU ROUNDS RECORDING PROGRAM: a recording of simulated memory accesses, and the program that it
// names.
//
// PMU is intel, amd or hybrid.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "tests/support/memory_recording.h"

namespace {

void write(const std::string& path, const std::vector<std::byte>& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace perfsift::test;
  const std::map<std::string, MemoryPmu> pmus = {
      {"intel", MemoryPmu::intel}, {"amd", MemoryPmu::amd}, {"hybrid", MemoryPmu::hybrid}};
  if (argc != 5 || !pmus.contains(argv[1])) {
    std::cerr << "Usage: model_recording intel|amd|hybrid ROUNDS RECORDING PROGRAM\n";
    return 2;
  }
  const auto rounds = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
  const std::string program = argv[4];
  write(program, ModelFile::image());
  write(argv[3], memory_recording(pmus.at(argv[1]), run_model(ModelFile::program(), rounds),
                                  ModelFile::mappings(program, true), ModelFile::machine()));
}
