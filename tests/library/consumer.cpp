// A program outside of perfsift that uses all of the C++ interface, and checks results against each other.
//
//   consumer RECORDING SYMFS NO_RECORDING SWITCHES
//   consumer RECORDING SYMFS fold [OPTION...]    prints folded stacks
//   consumer RECORDING SYMFS offcpu              prints folded stacks of time off the CPU
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <perfsift/all.h>

namespace {

#define CHECK(condition)                                                                          \
  if (!(condition)) {                                                                             \
    std::fprintf(stderr, "%s:%d: is not so: %s\n", __FILE__, __LINE__, #condition), std::exit(1); \
  }

template <typename Function>
perfsift::Error error_of(Function&& function) {
  try {
    function();
  } catch (const perfsift::Error& error) {
    return error;
  }
  CHECK(!"an Error is thrown");
  std::abort();
}

perfsift::SampleOptions named_below(const std::string& symfs) {
  perfsift::SampleOptions options;
  options.symbolizer.emplace(perfsift::SymbolizerOptions{.symfs = symfs});
  return options;
}

int fold(perfsift::Recording& recording, const std::string& symfs, const std::vector<std::string>& words) {
  perfsift::ProfileOptions options{.samples = named_below(symfs)};
  for (const std::string& word : words) {
    if (word == "--with-tid") options.tid = true;
    if (word == "--kernel-only") options.kernel_only = true;
    if (word == "full") options.samples.demangling = perfsift::Demangling::full;
  }
  std::fputs(perfsift::Profile(recording, options).folded().c_str(), stdout);
  return 0;
}

void check_errors(perfsift::Recording& recording, const std::string& no_recording) {
  const perfsift::Error input = error_of([&] { perfsift::Recording wrong(no_recording); });
  CHECK(input.code() == perfsift::ErrorCode::input && input.file() == no_recording);
  CHECK(error_of([] { perfsift::Recording none("/does/not/exist"); }).code() == perfsift::ErrorCode::input);

  const perfsift::Error filter = error_of([] { perfsift::Filter wrong("pid == 1 &&\n  ) > 2"); });
  CHECK(filter.code() == perfsift::ErrorCode::filter && filter.line() == 2 && filter.column() == 3);
  const perfsift::SampleOptions of_intervals{.filter = perfsift::Filter::of_intervals("offcpu > 1ms")};
  const auto ignore = [](const perfsift::Sample&) {};
  const perfsift::SampleOptions of_unknown{.filter = perfsift::Filter("pid == 1 &&\n perid > 2")};
  const perfsift::Error unknown = error_of([&] { recording.for_each_sample(ignore, of_unknown); });
  CHECK(unknown.code() == perfsift::ErrorCode::filter && unknown.line() == 2 && unknown.column() == 2);
  CHECK(error_of([&] { recording.for_each_sample(ignore, of_intervals); }).code() == perfsift::ErrorCode::usage);

  // A visit inside a visit, and an exception of the caller's function.
  CHECK(error_of([&] {
          recording.for_each_sample([&](const perfsift::Sample&) { recording.for_each_sample(ignore); });
        }).code() == perfsift::ErrorCode::busy);
  const auto throwing = [](const perfsift::Sample&) { throw 7; };
  bool passed = false;
  try {
    recording.for_each_sample_parallel([&](unsigned) { return throwing; });
  } catch (int seven) {
    passed = seven == 7;
  }
  CHECK(passed);
  CHECK(error_of([&] { perfsift::Profile(recording, {.events = {"no-such"}}); }).code() == perfsift::ErrorCode::usage);
  CHECK(error_of([&] { perfsift::Profile(recording).write_folded("/does/not/exist"); }).code() ==
        perfsift::ErrorCode::output);
}

// Samples by their named stacks, root first, in three ways: visited, as columns, and as a profile.
using Stacks = std::map<std::string, std::uint64_t>;

std::string line_of(std::string_view comm, std::vector<std::string_view> leaf_first) {
  std::string line(comm);
  for (auto frame = leaf_first.rbegin(); frame != leaf_first.rend(); ++frame) line.append(";").append(*frame);
  return line;
}

Stacks visited(perfsift::Recording& recording, const perfsift::SampleOptions& options) {
  Stacks stacks;
  std::uint64_t before = 0;
  recording.for_each_sample(
      [&](const perfsift::Sample& sample) {
        CHECK(sample.time() && *sample.time() >= before);
        before = *sample.time();
        std::vector<std::string_view> frames;
        for (const perfsift::Frame& frame : sample.stack()) frames.push_back(frame.function);
        CHECK(sample.callchain().size() <= frames.size());
        stacks[line_of(sample.comm(), frames)] += sample.weight();
      },
      options);
  return stacks;
}

Stacks in_columns(const perfsift::Columns& columns) {
  Stacks stacks;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::vector<std::string_view> frames;
    if (const std::uint32_t stack = columns.stack()[i]; stack != perfsift::Columns::no_stack) {
      for (std::uint64_t at = columns.stack_starts()[stack]; at < columns.stack_starts()[stack + 1]; ++at) {
        frames.push_back(columns.name(columns.frame_function()[columns.stack_frames()[at]]));
      }
    }
    stacks[line_of(columns.name(columns.comm()[i]), frames)] += columns.weight()[i];
  }
  return stacks;
}

Stacks in_profile(const perfsift::Profile& profile) {
  Stacks stacks;
  profile.for_each_stack([&](const perfsift::ProfileStack& stack) {
    std::string line;
    for (const std::string_view frame : stack.frames) line.append(line.empty() ? "" : ";").append(frame);
    stacks[line] += stack.amount.value;
  });
  return stacks;
}

bool same(const perfsift::Columns& a, const perfsift::Columns& b) {
  using std::ranges::equal;
  return equal(a.time(), b.time()) && equal(a.ip(), b.ip()) && equal(a.tid(), b.tid()) && equal(a.comm(), b.comm()) &&
         equal(a.stack(), b.stack()) && equal(a.stack_frames(), b.stack_frames()) &&
         equal(a.frame_line(), b.frame_line()) && a.name_bytes() == b.name_bytes();
}

void check_stacks(perfsift::Recording& recording, const perfsift::SampleOptions& options) {
  const Stacks stacks = visited(recording, options);
  CHECK(stacks.size() > 5);
  const perfsift::Columns columns(recording, {.samples = options, .threads = 1});
  CHECK(in_columns(columns) == stacks);
  const auto fine = perfsift::FrameDetail::address;
  CHECK(in_columns(perfsift::Columns(recording, {.samples = options, .detail = fine})) == stacks);
  CHECK(same(columns, perfsift::Columns(recording, {.samples = options, .threads = 3})));
  CHECK(perfsift::Columns(recording, {.stacks = false}).stack().empty());
  const perfsift::Profile profile(recording, {.samples = options});
  CHECK(in_profile(profile) == stacks);

  std::atomic<std::uint64_t> weight = 0;
  const auto add = [&](const perfsift::Sample& sample) { weight += sample.weight(); };
  recording.for_each_sample_parallel([&](unsigned) { return add; }, options, 3);
  std::uint64_t self = 0;
  for (const perfsift::ProfileFunction& function : profile.functions()) self += function.self.value;
  CHECK(weight == self && weight == profile.total(profile.events().front()).value);
}

void check_timeline(perfsift::Recording& recording) {
  const perfsift::Timeline timeline = recording.timeline();
  CHECK(!timeline.threads().empty());
  const std::int32_t tid = timeline.threads().back();
  const perfsift::ThreadInfo thread = timeline.thread(tid);
  CHECK(thread.tid == tid && !thread.comm.empty());
  for (const perfsift::Mapping& map : timeline.mappings(thread.pid)) {
    CHECK(map.start < map.end && timeline.mapping(thread.pid, map.end - 1)->start == map.start);
  }
  CHECK(!timeline.mapping(thread.pid, 1));
  CHECK(timeline.mappings(-77).empty());
}

// The leaf of a sample must have the name that its address has.
void check_addresses(perfsift::Recording& recording, const perfsift::SampleOptions& options) {
  std::int32_t pid = -1;
  std::uint64_t ip = 0, time = 0;
  std::string function;
  recording.for_each_sample(
      [&](const perfsift::Sample& sample) {
        if (sample.mode() != perfsift::CpuMode::user) return;
        pid = sample.pid(), ip = *sample.ip(), time = *sample.time(), function = sample.stack().front().function;
      },
      options);
  const auto frames = recording.frames(pid, ip, time, false, options);
  CHECK(!frames.empty() && frames.front().function == function);
}

// Switches and their sums must agree, and a filter keeps a part of them.
void check_off_cpu(const std::string& path) {
  perfsift::Recording recording(path);
  std::uint64_t intervals = 0, time = 0;
  const perfsift::OffCpu all(recording, {}, [&](const perfsift::OffCpuInterval& interval) {
    CHECK(interval.end - interval.start == interval.blocked + interval.run_queue + interval.unknown);
    ++intervals, time += interval.end - interval.start;
  });
  const perfsift::OffCpuSums& sums = all.sums();
  CHECK(intervals > 0 && sums.intervals == intervals && sums.blocked + sums.run_queue + sums.unknown == time);
  std::uint64_t of_threads = 0;
  for (const perfsift::OffCpuThread& thread : all.threads()) of_threads += thread.off_cpu.intervals;
  CHECK(of_threads == intervals);
  const perfsift::OffCpu some(recording, {.filter = perfsift::Filter::of_intervals("tid == 7")});
  CHECK(some.sums().intervals > 0 && some.sums().intervals < intervals);
}

// Page faults of this program, where the machine lets programs sample themselves.
void check_sampling() try {
  perfsift::Sampler sampler({.event = "page-faults", .period = 1, .callchains = true, .user_only = true});
  CHECK(sampler.events().size() == 1 && sampler.choice().empty() && !sampler.is_inert());
  constexpr std::size_t size = std::size_t{64} << 20;  // too large for memory that was used before
  char* memory = nullptr;
  {
    const perfsift::SamplingScope scope(sampler);
    memory = new char[size];
    std::fill_n(memory, size, 1);
  }
  const perfsift::LiveSamples samples = sampler.take();
  CHECK(samples.size() > 0 && sampler.lost() + samples.size() > 30);
  const perfsift::Symbolizer symbolizer;
  for (const perfsift::LiveSample& sample : samples) {
    CHECK(memory_access(sample).address == sample.address);
    CHECK(!frames_of_this_process(symbolizer, stack_addresses(sample).front()).empty());
  }
  delete[] memory;
} catch (const perfsift::Error& error) {
  CHECK(error.code() == perfsift::ErrorCode::unavailable);
  std::printf("not sampled: %s\n", error.what());
}

#ifdef __x86_64__
std::vector<perfsift::Mapping> own_mappings(std::vector<std::string>& paths, std::uint64_t& stack_end) {
  std::vector<perfsift::Mapping> maps;
  std::ifstream in("/proc/self/maps");
  for (std::string line; std::getline(in, line);) {
    unsigned long start = 0, end = 0, offset = 0;
    char rights[5] = {}, path[4096] = {};
    std::sscanf(line.c_str(), "%lx-%lx %4s %lx %*s %*s %4095s", &start, &end, rights, &offset, path);
    paths.emplace_back(path);
    maps.push_back({.start = start, .end = end, .page_offset = offset, .protection = rights[2] == 'x' ? 4u : 0u});
    if (paths.back() == "[stack]") stack_end = end;
  }
  for (std::size_t i = 0; i < maps.size(); ++i) maps[i].path = paths[i];
  return maps;
}

// The stack of this function: its caller is known to the compiler.
[[gnu::noinline]] void check_unwinder() {
  std::vector<std::string> paths;
  std::uint64_t stack_end = 0;
  perfsift::Unwinder unwinder(perfsift::Symbolizer(), own_mappings(paths, stack_end));
  std::uint64_t ip = 0, sp = 0, bp = 0;
  asm volatile("lea 0(%%rip), %0; mov %%rsp, %1; mov %%rbp, %2" : "=r"(ip), "=r"(sp), "=r"(bp));
  const auto* const bottom = reinterpret_cast<const std::byte*>(sp);
  const std::vector<std::byte> copy(bottom, reinterpret_cast<const std::byte*>(stack_end));
  const std::uint64_t registers[] = {bp, sp, ip};  // PERF_REG_X86_BP, _SP, _IP
  const perfsift::UnwoundStack stack =
      unwinder.unwind({.register_mask = 7 << 6, .registers = registers, .stack = copy});
  CHECK(stack.end == perfsift::StackEnd::complete && stack.addresses.size() > 2);
  CHECK(stack.addresses[1] == reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
  CHECK(error_of([&] { unwinder.unwind({.register_mask = 1}); }).code() == perfsift::ErrorCode::usage);
}
#else
void check_unwinder() {}
#endif

}  // namespace

int main(int count, char** arguments) try {
  perfsift::Recording recording(arguments[1]);
  const std::string symfs = arguments[2];
  if (std::string(arguments[3]) == "offcpu") {
    std::fputs(perfsift::OffCpu(recording).folded().c_str(), stdout);
    return 0;
  }
  if (std::string(arguments[3]) == "fold") return fold(recording, symfs, {arguments + 4, arguments + count});
  const perfsift::SampleOptions options = named_below(symfs);
  check_errors(recording, arguments[3]);
  check_stacks(recording, options);
  check_timeline(recording);
  check_addresses(recording, options);
  check_off_cpu(arguments[4]);
  check_sampling();
  check_unwinder();
  CHECK(recording.stats().damage.empty() && recording.stats().samples == perfsift::Columns(recording).size());
  CHECK(!recording.info().perf_version.empty());
  const perfsift::Timeline outlives = perfsift::Recording(arguments[1]).timeline();
  CHECK(!outlives.threads().empty());
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
