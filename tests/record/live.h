// Help for tests that open events of the running kernel.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "base/owned.h"
#include "reader/format/record.h"
#include "record/rings/counter.h"
#include "record/rings/record_sink.h"
#include "record/session.h"

namespace perfsift::test {

// A software event of user code, which needs the fewest privileges: one sample for each page fault.
inline record::EventRequest page_faults() {
  record::EventRequest request;
  request.attr.type = reader::event_type::software;
  request.attr.config = 2;  // PERF_COUNT_SW_PAGE_FAULTS
  request.attr.sample_period = 1;
  request.attr.set(reader::attr_flag::exclude_kernel);
  request.attr.set(reader::attr_flag::exclude_hv);
  request.name = "page-faults:u";
  return request;
}

inline record::EventRequest clock_event() {
  record::EventRequest request;
  request.attr.type = reader::event_type::software;
  request.name = "cpu-clock";
  return request;
}

inline record::SessionPlan plan_of(std::vector<record::EventRequest> events) {
  record::SessionPlan plan;
  // Beside a session with build ids, Linux 6.18 marks those of other recorders wrongly, and tests compare with perf.
  plan.side_band.build_ids = false;
  for (std::size_t index = 0; index < events.size(); ++index) events[index].leader = index;
  plan.events = std::move(events);
  return plan;
}

inline record::SessionPlan plan_of_process(record::EventRequest event, std::int32_t pid) {
  record::SessionPlan plan = plan_of({std::move(event)});
  plan.target.processes = {pid};
  return plan;
}

// The calling thread, with one ring.
inline record::SessionPlan plan_of_own_thread(record::EventRequest event) {
  record::SessionPlan plan = plan_of({std::move(event)});
  plan.target.threads = {static_cast<std::int32_t>(syscall(SYS_gettid))};
  plan.target.per_thread = true;
  return plan;
}

inline void run_to_the_end(record::Session& session, record::RecordSink& sink) {
  session.start();
  while (session.running()) session.wait(), session.drain(sink);
  session.stop();
  session.drain(sink);
}

// Why events of this place cannot be opened here; empty: they can.
inline std::string events_refused(const record::CounterPlace& place) {
  const record::EventRequest request = place.cpu >= 0 && place.tid < 0 ? clock_event() : page_faults();
  record::Counter::Refused refused;
  if (record::Counter::open(request.attr, place, refused)) return {};
  return std::string("perf_event_open(): ") + std::strerror(refused.error);
}
#define SKIP_WITHOUT_EVENTS(...)                                                                     \
  if (const std::string refused = ::perfsift::test::events_refused(__VA_ARGS__); !refused.empty()) { \
    GTEST_SKIP() << refused;                                                                         \
  }                                                                                                  \
  static_assert(true)

// Touches `count` pages that have no memory: as many page faults.
inline void fault(std::size_t count) {
  constexpr std::size_t batch = 256;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, batch * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  madvise(memory, batch * page, MADV_NOHUGEPAGE);
  auto* bytes = static_cast<volatile char*>(memory);
  for (std::size_t number = 0; number < count; ++number) {
    if (number % batch == 0) madvise(memory, batch * page, MADV_DONTNEED);
    bytes[number % batch * page] = 1;
  }
  munmap(memory, batch * page);
}

// A process that does some work once it is released. The destructor ends it.
class Child {
 public:
  explicit Child(const std::function<void()>& work) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      close(ends[1]);
      char sign = 0;
      if (::read(ends[0], &sign, 1) == 1) work();
      _exit(0);
    }
    close(ends[0]);
    go_ = FileDescriptor(ends[1]);
  }
  ~Child() {
    if (reaped_) return;
    kill(pid_, SIGKILL);
    wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void release() { EXPECT_EQ(write(go_.get(), "g", 1), 1); }
  void wait() {
    waitpid(pid_, nullptr, 0);
    reaped_ = true;
  }

 private:
  pid_t pid_ = -1;
  bool reaped_ = false;
  FileDescriptor go_;
};

// Counts records by ring and type, and keeps the bytes of each type but samples.
class CountingSink : public record::RecordSink {
 public:
  void records(std::size_t ring, Bytes some) override {
    ByteReader in(some);
    while (in.remaining() != 0 && in.ok()) {
      const auto type = static_cast<reader::RecordType>(in.u32());
      const bool has_build_id = (in.u16() & reader::misc::mmap_build_id) != 0;
      const std::size_t size = in.u16();
      const Bytes payload = in.bytes(size - reader::record_header_size);
      ++counts[ring][type];
      build_ids += type == reader::RecordType::mmap2 && has_build_id ? 1 : 0;
      if (type != reader::RecordType::sample) others[type].emplace_back(payload.begin(), payload.end());
      if (type == reader::RecordType::sample && keep_samples) samples.emplace_back(payload.begin(), payload.end());
    }
    is_whole = is_whole && in.ok();
  }
  void round() override { ++rounds; }

  std::uint64_t count(reader::RecordType type) const {
    std::uint64_t sum = 0;
    for (const auto& [ring, types] : counts) sum += types.contains(type) ? types.at(type) : 0;
    return sum;
  }
  std::uint64_t sample_count(std::size_t ring) { return counts[ring][reader::RecordType::sample]; }

  std::map<std::size_t, std::map<reader::RecordType, std::uint64_t>> counts;
  std::map<reader::RecordType, std::vector<std::vector<std::byte>>> others;
  std::vector<std::vector<std::byte>> samples;
  std::size_t rounds = 0, build_ids = 0;
  bool keep_samples = false, is_whole = true;
};

}  // namespace perfsift::test
