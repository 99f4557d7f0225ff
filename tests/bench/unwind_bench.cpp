// unwind_bench RECORDING: unwinds every sample of a --call-graph dwarf recording several times, on one thread, and
// prints the times. The first pass compiles the unwind rules. Later passes find all rules in memory.
#include <cstdio>
#include <ctime>
#include <map>
#include <memory>
#include <vector>

#include "analysis/samples/user_state.h"
#include "reader/recording.h"

namespace perfsift {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Sums {
  std::size_t samples = 0, frames = 0;
  std::map<symbolize::StackEnd, std::size_t> ends;
  std::uint64_t check = 0;
};

class Unwinding : public reader::SampleVisitor {
 public:
  Unwinding(const reader::Recording& recording, symbolize::Unwinder* unwinder, Sums& sums)
      : recording_(recording), unwinder_(unwinder), sums_(sums) {}

  void sample(const reader::Sample& sample) override {
    const auto state = analysis::user_state(sample, recording_.features().arch);
    if (!state) return;
    ++sums_.samples;
    if (unwinder_ == nullptr) return touch(sample.user_stack);
    const auto thread = recording_.timeline().thread(sample.pid, sample.tid, sample.moment);
    unwinder_->unwind(*state, analysis::TimelineSpace(recording_.timeline(), thread.maps), stack_);
    sums_.frames += stack_.frames.size();
    for (const symbolize::Frame& frame : stack_.frames) sums_.check += frame.address;
    ++sums_.ends[stack_.end];
  }

 private:
  // The cost of reading the same stacks from the file without unwinding.
  void touch(Bytes stack) {
    for (std::size_t at = 0; at < stack.size(); at += 64) sums_.check += std::to_integer<unsigned>(stack[at]);
  }

  const reader::Recording& recording_;
  symbolize::Unwinder* unwinder_;
  symbolize::UnwoundStack stack_;
  Sums& sums_;
};

void visit(reader::Recording& recording, symbolize::Unwinder* unwinder, const char* what) {
  Sums sums;
  const double before = cpu_seconds();
  recording.visit_parallel(1, [&](unsigned) { return std::make_unique<Unwinding>(recording, unwinder, sums); });
  const double seconds = cpu_seconds() - before;
  std::printf("%-14s %.4f s CPU  %zu samples  %zu frames", what, seconds, sums.samples, sums.frames);
  if (sums.frames != 0) std::printf("  %.1f million frames/s ", static_cast<double>(sums.frames) / seconds * 1e-6);
  for (const auto& [end, count] : sums.ends) std::printf("  end %d: %zu", static_cast<int>(end), count);
  std::printf("  (%llx)\n", static_cast<unsigned long long>(sums.check));
}

}  // namespace
}  // namespace perfsift

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "Usage: unwind_bench RECORDING\n");
    return 2;
  }
  const auto recording = perfsift::reader::Recording::open(argv[1]);
  perfsift::symbolize::UnwindTables tables;
  perfsift::symbolize::Unwinder unwinder(tables);
  perfsift::visit(*recording, nullptr, "only reading");
  perfsift::visit(*recording, nullptr, "only reading");
  perfsift::visit(*recording, &unwinder, "cold");
  for (int i = 0; i < 5; ++i) perfsift::visit(*recording, &unwinder, "warm");
}
