// model_recording PMU ROUNDS RECORDING PROGRAM: writes a recording of simulated memory accesses, and its program.
//
// PMU is intel, amd or hybrid. spe, spe1, spe_threads, spe_switches and spe1_switches are random traces of Arm SPE: in
// the form of perf 6.14 and later, in the form of earlier versions (1), of threads instead of CPUs, and without packets
// that name the thread. For these, ROUNDS is a third of the number of operations of each CPU.
//
// ibs, ibs_zen2, ibs_zen3 and ibs_zen6 are the registers of AMD's IBS on several processors. ibs_random,
// ibs_zen2_random and so on have random registers instead of simulated ones. ibs_fields is Zen 4 with the fields that
// the kernel makes from the registers.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "tests/support/ibs_recording.h"
#include "tests/support/memory_recording.h"
#include "tests/support/spe_recording.h"

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
  const std::map<std::string, SpeMachine> traced = {
      {"spe", {}},
      {"spe1", {.describes_cpus = false}},
      {"spe_threads", {.timed = false}},
      {"spe_switches", {.contexts = false}},
      {"spe1_switches", {.describes_cpus = false, .contexts = false}},
  };
  const std::map<std::string, IbsMachine> ibs = {
      {"ibs", {}},
      {"ibs_zen2", {.zen4 = false}},
      {"ibs_zen3", {.zen4 = false, .cpu_id = "AuthenticAMD,25,1,1"}},
      {"ibs_zen6", {.newest = true, .cpu_id = "AuthenticAMD,26,80,0"}},
      {"ibs_random", {.random = true}},
      {"ibs_zen2_random", {.zen4 = false, .random = true}},
      {"ibs_zen3_random", {.zen4 = false, .random = true, .cpu_id = "AuthenticAMD,25,1,1"}},
      {"ibs_zen6_random", {.newest = true, .random = true, .cpu_id = "AuthenticAMD,26,80,0"}},
      {"ibs_fields", {.fields = true}},
  };
  if (argc != 5 || (!pmus.contains(argv[1]) && !traced.contains(argv[1]) && !ibs.contains(argv[1]))) {
    std::cerr << "Usage: model_recording intel|amd|hybrid|spe|spe1|spe_threads|spe_switches|spe1_switches|ibs|ibs_zen2|"
                 "ibs_zen3|ibs_zen6|ibs_random|ibs_zen2_random|ibs_zen3_random|ibs_zen6_random|ibs_fields ROUNDS "
                 "RECORDING PROGRAM\n";
    return 2;
  }
  const auto rounds = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
  if (traced.contains(argv[1])) {
    write(argv[3], spe_recording(traced.at(argv[1]), rounds));
    return 0;
  }
  const std::string program = argv[4];
  write(program, ModelFile::image());
  const auto accesses = run_model(ModelFile::program(), rounds);
  const auto mappings = ModelFile::mappings(program, true);
  write(argv[3], ibs.contains(argv[1]) ? ibs_recording(ibs.at(argv[1]), accesses, mappings, ModelFile::machine())
                                       : memory_recording(pmus.at(argv[1]), accesses, mappings, ModelFile::machine()));
}
