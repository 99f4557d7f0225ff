// Counts samples by function: count_functions perf.data
#include <cstdio>
#include <map>

#include <perfsift/all.h>

int main(int, char** arguments) try {
  perfsift::Recording recording(arguments[1]);
  std::map<std::string_view, unsigned long> functions;
  recording.for_each_sample([&](const perfsift::Sample& sample) {
    if (!sample.stack().empty()) ++functions[sample.stack().front().function];
  });
  for (const auto& [function, samples] : functions) std::printf("%lu %s\n", samples, std::string(function).c_str());
} catch (const perfsift::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
