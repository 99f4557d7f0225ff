/// \file
/// Sampling of one's own program: threads of this process, between start() and stop().
///
/// ```cpp
/// Sampler sampler({.event = "page-faults", .period = 1});
/// {
///   const SamplingScope scope(sampler);  // start(), and stop() at the end of the block
///   std::vector<int> numbers(1'000'000);
/// }
/// for (const LiveSample& sample : sampler.take()) std::printf("%lx touched %lx\n", sample.ip, sample.address);
/// ```
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <perfsift/export.h>
#include <perfsift/memory.h>
#include <perfsift/sample.h>
#include <perfsift/symbolizer.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
struct SamplerState;
struct LiveSamplesState;
struct Access;
}  // namespace detail

/// What is sampled, and whom.
struct SamplingOptions {
  /// Events as `perf record -e` takes them: "page-faults", "cpu-clock", "cycles:u", "mem:0x7ffd0010/8:w",
  /// "sched:sched_switch", several with commas. Empty: the preset chooses.
  std::string event = {};
  /// "cpu", "mem", "faults", "c2c", "locks" or "offcpu": the best events that this machine has for it. Empty: `event`,
  /// or "cpu" if that is empty, too.
  std::string preset = {};
  std::uint64_t period = 0;  ///< Occurrences of the event per sample; 0: the event, `frequency` or the preset decides.
  std::uint64_t frequency = 0;  ///< Samples per second of each thread; 0 and no period: 4,000, or each tracepoint.
  std::int32_t tid = 0;  ///< A thread of this process, as gettid(2) gives it; 0: the thread that makes the Sampler.
  /// All threads of this process that exist when the Sampler is made, and all that these start later. `tid` must be 0.
  bool process = false;
  /// Of each ring, rounded up to a power of two of pages. A thread has one ring, a process one for each CPU.
  std::size_t ring_bytes = std::size_t{1} << 20;
  bool callchains = false;          ///< Samples have callchains, which the kernel finds by frame pointers.
  bool user_only = false;           ///< Without the kernel.
  bool physical_addresses = false;  ///< Of data; needs CAP_PERFMON.
};

/// A sample of a running program. Plain data. Numbers that the event does not have are 0.
struct LiveSample {
  std::uint64_t time = 0;              ///< Nanoseconds of CLOCK_MONOTONIC.
  std::uint64_t period = 0;            ///< Occurrences of the event that the sample stands for.
  std::uint64_t ip = 0;                ///< The instruction.
  std::uint64_t address = 0;           ///< Of the data: of a memory access, of a page fault, of a breakpoint.
  std::uint64_t physical_address = 0;  ///< Of the data.
  std::uint64_t data_source = 0;       ///< union perf_mem_data_src: see memory_access().
  std::uint64_t latency = 0;           ///< In the unit of the processor, usually cycles.
  std::int32_t pid = -1;               ///< The process.
  std::int32_t tid = -1;               ///< The thread.
  std::int32_t cpu = -1;               ///< The CPU.
  std::uint32_t event = 0;             ///< Index in Sampler::events().
  CpuMode mode = CpuMode::unknown;     ///< The mode of the CPU at `ip`.
  /// Leaf first, with the context markers of the kernel (PERF_CONTEXT_*): see stack_addresses(). Lives as long as the
  /// LiveSamples.
  std::span<const std::uint64_t> callchain;
};

/// The memory access of a sample: operation, level, snoop, TLB, address and latency. Thread-safe. Errors: none.
constexpr MemoryAccess memory_access(const LiveSample& sample) noexcept {
  MemoryAccess access = decode_data_source(sample.data_source);
  access.ip = sample.ip;
  access.address = sample.address;
  access.physical_address = sample.physical_address;
  access.latency = sample.latency;
  return access;
}

/// The addresses of the callchain without context markers, leaf first; without a callchain the ip alone. Thread-safe.
/// Throws Error (memory).
PERFSIFT_API std::vector<Address> stack_addresses(const LiveSample& sample);

/// The functions at an address of this process, innermost first: at least one frame, which has the name of the binary
/// in brackets if nothing is known. Addresses of the kernel are "[kernel]". Libraries that were unloaded since, and
/// code made at run time, have no names. Texts live as long as the Symbolizer. Thread-safe. Throws Error (memory).
PERFSIFT_API std::vector<Frame> frames_of_this_process(const Symbolizer& symbolizer, const Address& address,
                                                       Demangling demangling = Demangling::plain);

/// Samples that were taken out of the rings, by time.
///
/// Thread-safety: objects are immutable. Lifetime: independent of the Sampler. Copies share their contents.
class PERFSIFT_API LiveSamples {
 public:
  LiveSamples(const LiveSamples&);             ///< Shares the contents.
  LiveSamples& operator=(const LiveSamples&);  ///< Shares the contents.
  ~LiveSamples();                              ///< The last copy frees the samples and their callchains.

  /// The samples. Lives as long as the object or a copy.
  std::span<const LiveSample> samples() const noexcept;
  /// How many samples there are.
  std::size_t size() const noexcept { return samples().size(); }
  /// A sample; `index` must be less than size().
  const LiveSample& operator[](std::size_t index) const noexcept { return samples()[index]; }
  auto begin() const noexcept { return samples().begin(); }  ///< Of samples().
  auto end() const noexcept { return samples().end(); }      ///< Of samples().

 private:
  friend struct detail::Access;
  explicit LiveSamples(std::shared_ptr<const detail::LiveSamplesState> state);
  std::shared_ptr<const detail::LiveSamplesState> state_;
};

/// Samples threads of this process. The constructor opens the events and maps the rings; start() and stop() only switch
/// the events on and off, so that a Sampler which is stopped costs nothing but memory. Several Samplers may exist, and
/// run, at once: each has its own events and rings.
///
/// A full ring loses new samples, which lost() counts: make the ring larger, or call take() from another thread.
///
/// fork(): the Sampler of the child is inert. It does nothing, and the parent's goes on. Threads of the child are not
/// sampled (before Linux 5.13 they are, and left_out() says so). Programs that are executed get no descriptors.
///
/// Thread-safety: all functions may be called by several threads at once. Copies share their state.
class PERFSIFT_API Sampler {
 public:
  /// Opens the events, stopped. Where all files that the process may open are in use, the soft limit is raised to the
  /// hard limit. Throws Error: usage for options that are wrong, with the nearest names of events; unavailable if the
  /// machine, the kernel or missing privileges refuse an event: the message says why, and what to change.
  explicit Sampler(const SamplingOptions& options);
  Sampler(const Sampler&);             ///< Shares the state.
  Sampler& operator=(const Sampler&);  ///< Shares the state.
  ~Sampler();                          ///< The last copy stops and closes everything.

  /// Begins to sample. Allocates nothing, takes no lock and is async-signal-safe: an ioctl(2) for each event of each
  /// thread, and of each CPU if the whole process is sampled. False: the kernel refused, or is_inert(). A Sampler that
  /// runs already goes on; calls are not counted.
  bool start() noexcept;
  /// Ends sampling. Allocates nothing, takes no lock and is async-signal-safe, as start(). When stop() returns in a
  /// thread that is sampled, no sample of it follows.
  bool stop() noexcept;
  /// Whether this process is a child of fork(), whose events are those of the parent.
  bool is_inert() const noexcept;

  /// The samples since the last call, also while the Sampler runs; none in a child of fork(). Not for signal handlers.
  /// Throws Error (memory).
  LiveSamples take();
  /// Samples that were lost so far because a ring was full, or the hardware could not deliver them: exactly since Linux
  /// 6.0, before that those that a later sample found room to report. Throws Error (memory).
  std::uint64_t lost() const;

  /// The events as they were opened; lives as long as the Sampler.
  const std::vector<Event>& events() const noexcept;
  /// What the preset chose, and why; empty without a preset. Lives as long as the Sampler.
  const std::string& choice() const noexcept;
  /// What was asked for but is left out, because privileges, the kernel or the machine lack it: a sentence each. Lives
  /// as long as the Sampler.
  const std::vector<std::string>& left_out() const noexcept;

 private:
  friend struct detail::Access;
  std::shared_ptr<detail::SamplerState> state_;
};

/// Samples a block of code: start(), and stop() at the end of the block. Not part of the binary interface.
class SamplingScope {
 public:
  /// `sampler` must live longer.
  explicit SamplingScope(Sampler& sampler) noexcept : sampler_(sampler) { sampler_.start(); }
  ~SamplingScope() { sampler_.stop(); }                     ///< Stops the sampler.
  SamplingScope(const SamplingScope&) = delete;             ///< A block has one scope.
  SamplingScope& operator=(const SamplingScope&) = delete;  ///< A block has one scope.

 private:
  Sampler& sampler_;
};

}  // namespace PERFSIFT_NAMESPACE
