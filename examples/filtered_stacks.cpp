// Prints every sample that a filter keeps, with its named stack, root first:
//   filtered_stacks perf.data 'comm == "demo" && sym =~ "sort"'
#include <cstdio>

#include <perfsift/all.h>

int main(int, char** arguments) try {
  perfsift::Recording recording(arguments[1]);
  perfsift::SampleOptions options{.filter = perfsift::Filter(arguments[2])};
  recording.for_each_sample(
      [](const perfsift::Sample& sample) {
        std::string line(sample.comm());
        const auto stack = sample.stack();
        for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) line.append(";").append(frame->function);
        std::printf("%s %llu\n", line.c_str(), static_cast<unsigned long long>(sample.weight()));
      },
      options);
} catch (const perfsift::Error& error) {  // a mistake in the filter has a line and a column
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
