// Counts samples by CPU on all processors: threads perf.data
#include <cstdio>
#include <map>

#include <perfsift/all.h>

int main(int, char** arguments) try {
  perfsift::Recording recording(arguments[1]);
  std::vector<std::map<int, unsigned long>> counts(1024);  // one for each thread, so that nothing is locked
  recording.for_each_sample_parallel([&](unsigned thread) -> perfsift::Recording::SampleFunction {
    return [&cpus = counts[thread]](const perfsift::Sample& sample) { ++cpus[sample.cpu()]; };
  });
  for (std::size_t thread = 1; thread < counts.size(); ++thread) {
    for (const auto& [cpu, samples] : counts[thread]) counts[0][cpu] += samples;
  }
  for (const auto& [cpu, samples] : counts[0]) std::printf("CPU %d: %lu samples\n", cpu, samples);
} catch (const perfsift::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
