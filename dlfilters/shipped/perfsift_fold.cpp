// perfsift-fold.so: perf script folds its samples, and prints none of them.

#include <cstdio>
#include <map>
#include <optional>
#include <tuple>

#include "analysis/profile/stack_sums.h"
#include "analysis/samples/event_selection.h"
#include "analysis/samples/stack_options.h"
#include "base/error.h"
#include "dlfilters/module/filter_options.h"
#include "dlfilters/module/module.h"
#include "dlfilters/module/perf_filter.h"
#include "dlfilters/module/perf_frames.h"
#include "options/command_line.h"
#include "options/folded_stack_options.h"
#include "output/files/run_files.h"
#include "output/folded/folded.h"

namespace perfsift::dlfilter {

constinit const ModuleDescription module_description{
    .name = "perfsift-fold.so",
    .summary = "writes folded stacks, the input of flame graphs, instead of samples",
    .help =
        "perf script --dlfilter perfsift-fold.so [--dlarg OPTION]...\n"
        "The options are those of perfsift fold, for example:\n"
        "  --dlarg --output=out.folded\n"
        "  --dlarg --filter --dlarg 'comm == \"nginx*\"'\n"
        "--dlarg --help lists them; see perfsift-dlfilters(7)."};

namespace {

using namespace analysis;  // NOLINT(google-build-using-namespace): what this module is made of
using namespace output;    // NOLINT(google-build-using-namespace)
namespace po = options::po;

struct FoldOptions {
  StackOptions stacks;
  std::string output = OutputFile::standard_output;
  std::vector<std::string> events;
  FilterOptions filters;

  // False if the options asked for help, which has been printed.
  bool parse(const std::vector<std::string>& arguments);
};

bool FoldOptions::parse(const std::vector<std::string>& arguments) {
  po::options_description description("Options");
  auto add = description.add_options();
  add("output,o", po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("event,e", po::value(&events)->value_name("NAME")->composing(),
      "only this event; may be a glob, and given several times");
  options::FoldedStackOptions folding(options::FoldedStackOptions::NamedBy::perf);
  folding.add_to(description);
  filters.add_to(description);
  if (!options::parse(arguments, std::string("Usage: ") + module_description.help + "\n", description)) return false;
  stacks = folding.stacks();
  check_output_of_module(output);
  return true;
}

// Frames for the names of threads.
class ThreadFrames {
 public:
  ThreadFrames(FrameTable& frames, const StackOptions& options) : frames_(frames), options_(options) {}

  // Nothing for a thread without a name.
  std::optional<FrameId> of(std::string_view comm, const reader::Sample& sample) {
    const std::int32_t pid = options_.pid || options_.tid ? sample.pid : 0;
    const std::int32_t tid = options_.tid ? sample.tid : 0;
    const auto [known, is_new] = known_.try_emplace({comm.data(), pid, tid});
    if (!is_new) return known->second;
    const std::string text = thread_frame(comm, pid, tid, options_);
    if (!text.empty()) known->second = frames_.intern(text);
    return known->second;
  }

 private:
  FrameTable& frames_;
  const StackOptions& options_;
  std::map<std::tuple<const char*, std::int32_t, std::int32_t>, std::optional<FrameId>> known_;
};

class FoldModule : public Module {
 public:
  explicit FoldModule(FoldOptions options)
      : options_(std::move(options)),
        out_(options_.output),
        filter_(options_.filters.texts()),
        selection_(options_.events),
        sums_(profile_),
        frames_(profile_.frames(), options_.stacks.frames),
        threads_(profile_.frames(), options_.stacks),
        stack_(options_.stacks.shape, profile_.frames()),
        truncated_(profile_.frames().intern("[truncated]")) {}

  bool keeps_early(PerfSample& sample) override { return filter_.keeps_early(sample); }

  // perf prints none.
  bool keeps(PerfSample& sample) override {
    if (!filter_.keeps(sample)) return false;
    const auto event = event_of(sample);
    if (!event) return false;
    stack_.begin();
    add_frames(sample);
    if (stack_.unwanted()) return false;
    const auto comm = options_.stacks.comm ? threads_.of(sample.comm(), sample.recorded()) : std::nullopt;
    const std::uint64_t value = weight_of(sample.recorded(), options_.stacks.weight);
    sums_.add(*event, stack_.finish(comm), {.samples = 1, .value = value});
    return false;
  }

  void finish() override {
    const bool several_events = profile_.events_with_stacks().size() > 1;
    std::fflush(stdout);  // what perf has printed comes first
    write_folded(profile_, {.event_frame = several_events}, out_);
    out_.commit();
  }

 private:
  // Nothing: the sample does not count.
  std::optional<EventId> event_of(PerfSample& sample) {
    const std::string_view name = sample.event();
    const auto [known, is_new] = events_.try_emplace(name.data());
    if (is_new) {
      if (const auto counted_as = selection_(name)) known->second = profile_.event(*counted_as);
    }
    return known->second;
  }

  void add_frames(PerfSample& sample) {
    const std::vector<PerfSample::Frame>& all = sample.frames();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool kernel = is_kernel_mode(all[i].mode);
      if (stack_.wants(kernel)) stack_.add(frames_.of(sample, i), kernel);
    }
    if (sample.stack_is_cut() && stack_.wants(false)) stack_.add(truncated_, false);
  }

  const FoldOptions options_;
  OutputFile out_;
  PerfFilter filter_;
  const EventSelection selection_;
  Profile profile_;
  StackSums sums_;
  PerfFrames frames_;
  ThreadFrames threads_;
  StackBuilder stack_;
  const FrameId truncated_;
  std::map<const char*, std::optional<EventId>> events_;  // by name
};

}  // namespace

std::unique_ptr<Module> make_module(const std::vector<std::string>& arguments) {
  FoldOptions options;
  if (!options.parse(arguments)) return nullptr;
  return std::make_unique<FoldModule>(std::move(options));
}

}  // namespace perfsift::dlfilter
