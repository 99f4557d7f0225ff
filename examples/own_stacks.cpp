// A thread samples its own stacks while it works, and prints them folded: own_stacks | perfsift flame -
#include <cstdio>
#include <map>
#include <string>

#include <perfsift/all.h>

namespace {

[[gnu::noinline]] unsigned long fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

std::string folded_line(const perfsift::Symbolizer& symbolizer, const perfsift::LiveSample& sample) {
  std::string line;
  for (const perfsift::Address& address : perfsift::stack_addresses(sample)) {  // leaf first
    for (const perfsift::Frame& frame : perfsift::frames_of_this_process(symbolizer, address)) {
      line = std::string(frame.function) + (line.empty() ? "" : ";") + line;
    }
  }
  return line;
}

}  // namespace

int main() try {
  perfsift::Sampler sampler({.event = "cpu-clock", .frequency = 1000, .callchains = true, .user_only = true});
  unsigned long result = 0;
  {
    const perfsift::SamplingScope scope(sampler);
    result = fibonacci(32);
  }
  const perfsift::Symbolizer symbolizer;
  std::map<std::string, unsigned long> stacks;
  for (const perfsift::LiveSample& sample : sampler.take()) ++stacks[folded_line(symbolizer, sample)];
  for (const auto& [stack, count] : stacks) std::printf("%s %lu\n", stack.c_str(), count);
  return result == 2178309 ? 0 : 1;
} catch (const perfsift::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
