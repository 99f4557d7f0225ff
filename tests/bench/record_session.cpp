// record_session SECONDS FREQUENCY FILE [RING_KIB]: samples all CPUs with callchains by cpu-clock, writes the records
// as they come, and prints what the recorder itself took: the same work as perf record -a -g -F FREQUENCY -e cpu-clock.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/owned.h"
#include "record/session.h"

namespace perfsift {
namespace {

using Clock = std::chrono::steady_clock;

class FileSink : public record::RecordSink {
 public:
  explicit FileSink(const char* path) : file_(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {
    if (!file_) throw Error("the file cannot be written");
  }

  void records(std::size_t, Bytes records) override {
    while (!records.empty()) {
      const ssize_t written = write(file_.get(), records.data(), records.size());
      if (written <= 0) throw Error("the file cannot be written");
      records = records.subspan(static_cast<std::size_t>(written));
      bytes_ += static_cast<std::uint64_t>(written);
    }
  }
  void round() override { ++rounds_; }

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t rounds() const { return rounds_; }

 private:
  FileDescriptor file_;
  std::uint64_t bytes_ = 0, rounds_ = 0;
};

record::SessionPlan plan_of(std::uint64_t frequency, std::size_t ring_bytes) {
  record::SessionPlan plan;
  record::EventRequest clock;
  clock.attr.type = reader::event_type::software;
  clock.name = "cpu-clock";
  plan.events = {clock};
  plan.target.system_wide = true;
  plan.content.frequency = frequency;
  plan.content.call_graph = record::CallGraph::frame_pointers;
  plan.rings.bytes = ring_bytes;
  return plan;
}

double cpu_seconds(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void run(int seconds, std::uint64_t frequency, const char* path, std::size_t ring_bytes) {
  const auto begin = Clock::now();
  record::Session session(plan_of(frequency, ring_bytes));
  FileSink sink(path);
  session.start();
  const auto started = Clock::now();
  while (Clock::now() - started < std::chrono::seconds(seconds)) session.wait(), session.drain(sink);
  session.stop();
  session.drain(sink);

  std::uint64_t lost = 0;
  for (const record::RingCounts& losses : session.ring_counts()) lost += losses.counted;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%.3f s CPU, start %.1f ms, %.1f MB, %llu rounds, %llu lost, %ld MB resident with the rings\n",
              cpu_seconds(usage), std::chrono::duration<double, std::milli>(started - begin).count(),
              static_cast<double>(sink.bytes()) / 1e6, static_cast<unsigned long long>(sink.rounds()),
              static_cast<unsigned long long>(lost), usage.ru_maxrss / 1024);
}

}  // namespace
}  // namespace perfsift

int main(int argc, char** argv) {
  if (argc < 4) return std::puts("usage: record_session SECONDS FREQUENCY FILE [RING_KIB]"), 2;
  try {
    const std::size_t ring = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 4096;
    perfsift::run(std::atoi(argv[1]), std::strtoull(argv[2], nullptr, 10), argv[3], ring * 1024);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "record_session: %s\n", error.what());
    return 1;
  }
}
