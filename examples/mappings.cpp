// Every mapping that a process made: mappings perf.data PID
#include <cstdio>
#include <cstdlib>

#include <perfsift/all.h>

int main(int, char** arguments) try {
  perfsift::Recording recording(arguments[1]);
  recording.for_each_record([&](const perfsift::Record& record) {
    const auto map = record.mmap();
    if (!map || map->pid != std::atoi(arguments[2])) return;
    std::printf("0x%llx 0x%llx %s\n", static_cast<unsigned long long>(map->start),
                static_cast<unsigned long long>(map->length), std::string(map->path).c_str());
  });
} catch (const perfsift::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
