// Prints the loads that another cache had to answer: memory_accesses perf.data
#include <cstdio>

#include <perfsift/all.h>

int main(int, char** arguments) try {
  perfsift::Recording(arguments[1]).for_each_sample([](const perfsift::Sample& sample) {
    const auto access = perfsift::memory_access(sample);
    if (!access || access->operation != perfsift::MemoryOperation::load) return;
    if (access->snoop != perfsift::MemorySnoop::modified) return;
    std::printf("0x%lx,0x%lx,%lu,%lu,%lu,%s\n", access->ip, access->address, access->latency,
                sample.instruction_latency().value_or(0), sample.data_page_size().value_or(0),
                access->remote ? "remote" : "local");
  });
} catch (const perfsift::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
