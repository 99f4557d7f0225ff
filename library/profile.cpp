#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <perfsift/profile.h>

#include "analysis/collect/stack_collector.h"
#include "analysis/profile/quality.h"
#include "analysis/profile/sorted_stacks.h"
#include "analysis/samples/event_selection.h"
#include "library/access.h"
#include "library/recording_state.h"
#include "library/translated.h"
#include "output/files/output_file.h"
#include "output/folded/folded.h"

namespace perfsift::v0 {
namespace detail {

struct ProfileState {
  analysis::Profile profile;
  ProfileQuality quality;
  bool comm = true;  // the first frame of a stack is the thread
  unsigned threads = 1;
};

namespace {

analysis::StackOptions stack_options(const ProfileOptions& options) {
  if (options.kernel_only && options.user_only) {
    throw Error(ErrorCode::usage, "kernel_only and user_only together leave no frames");
  }
  analysis::StackOptions stacks;
  stacks.weight = options.weight == Weight::samples ? analysis::Weight::samples : analysis::Weight::period;
  stacks.comm = options.comm;
  stacks.pid = options.pid;
  stacks.tid = options.tid;
  if (options.kernel_only) stacks.shape.part = analysis::StackPart::kernel_only;
  if (options.user_only) stacks.shape.part = analysis::StackPart::user_only;
  stacks.frames.demangling = demangle_style(options.samples.demangling);
  stacks.frames.inlines = options.samples.inlines;
  stacks.frames.annotate_kernel = stacks.frames.annotate_jit = options.annotate;
  stacks.frames.annotate_inline = stacks.frames.annotate_guess = options.annotate;
  stacks.unwind.max_frames = options.samples.max_frames;
  return stacks;
}

void check_events(const analysis::EventSelection& selection, const RecordingState& recording) {
  std::vector<std::string> names;
  for (const Event& event : recording.events) names.push_back(event.name);
  const std::string wrong = selection.unmatched(names);
  if (wrong.empty()) return;
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  throw Error(ErrorCode::usage, "events: '" + wrong + "': no such event; there are " + all, recording.path);
}

ProfileQuality quality_of(const analysis::StackCollector& collector, const reader::Recording& recording) {
  const analysis::CollectCounts& counts = collector.counts();
  const reader::Losses& losses = recording.stats().losses;
  ProfileQuality quality{.samples = counts.samples,
                         .lost_samples = losses.lost_samples,
                         .lost_records = losses.lost_records,
                         .truncated_stacks = counts.truncated,
                         .frames = counts.frames};
  for (std::size_t i = 1; i < counts.remarks.size(); ++i) {
    if (collector.remarks()[i].reason != symbolize::Missing::none) quality.unnamed_frames += counts.remarks[i];
  }
  return quality;
}

std::shared_ptr<const ProfileState> collect(RecordingState& recording, const ProfileOptions& options) {
  const Visit only(recording);
  auto state = std::make_shared<ProfileState>();
  state->comm = options.comm;
  state->threads = thread_count(options.threads);
  const std::shared_ptr<SymbolizerState> symbolizer = recording.symbolizer_of(options.samples.symbolizer);
  const analysis::EventSelection events(options.events);
  check_events(events, recording);
  analysis::StackCollector collector(
      *recording.recording, symbolizer->symbolizer, state->profile, stack_options(options),
      [&](const reader::Event& event) { return events(event.name); }, sample_filter(options.samples.filter));
  collector.collect(state->threads);
  state->quality = quality_of(collector, *recording.recording);
  return state;
}

// Calls visit(frames, amount) for each distinct stack in order; the first frame is the event.
template <typename Rank, typename Visit>
void visit_sorted(const analysis::SortedStacks<Rank>& stacks, const analysis::RankedFrames& ranks, Visit&& visit) {
  typename analysis::SortedStacks<Rank>::Sorter sorter;
  std::vector<analysis::FrameId> frames;
  for (std::size_t range = 0; range < stacks.ranges(); ++range) {
    const auto sorted = stacks.sort(range, sorter);
    for (std::size_t i = 0; i < sorted.size();) {
      const auto& stack = *sorted[i].stack;
      analysis::Amount amount = *stack.amount;
      while (++i < sorted.size() && sorted[i].again) amount += *sorted[i].stack->amount;
      frames.clear();
      for (std::uint32_t at = 0; at < stack.depth; ++at) frames.push_back(ranks.frame(stack.rank(at)));
      visit(frames, amount);
    }
  }
}

template <typename Visit>
void visit_stacks(const ProfileState& state, Visit&& visit) {
  const analysis::RankedFrames ranks(state.profile.frames(), analysis::StackOrder::lines);
  analysis::with_sorted_stacks(state.profile, true, ranks, state.threads,
                               [&](const auto& stacks) { visit_sorted(stacks, ranks, visit); });
}

Amount public_amount(const analysis::Amount& amount) { return {.samples = amount.samples, .value = amount.value}; }

// Sums by function.
class FunctionSums {
 public:
  explicit FunctionSums(const ProfileState& state) : frames_(state.profile.frames()), threads_(state.comm ? 1 : 0) {}

  // `stack`: the event, the thread if stacks have it, and the functions.
  void add(std::span<const analysis::FrameId> stack, const analysis::Amount& amount) {
    const auto functions = stack.subspan(1 + threads_);
    ++stack_;
    for (const analysis::FrameId function : functions) {
      Sum& sum = sum_of(stack.front(), function);
      if (std::exchange(sum.stack, stack_) != stack_) sum.total += amount;
    }
    Sum& leaf = sum_of(stack.front(), functions.empty() ? no_stack : functions.back());
    leaf.self += amount;
    if (functions.empty()) leaf.total += amount;
  }

  std::vector<ProfileFunction> functions() const {
    std::vector<ProfileFunction> functions;
    for (const auto& [key, sum] : sums_) {
      const auto function = static_cast<analysis::FrameId>(key);
      functions.push_back({.event = frames_.text(static_cast<analysis::FrameId>(key >> 32)),
                           .function = function == no_stack ? "[no stack]" : frames_.text(function),
                           .self = public_amount(sum.self),
                           .total = public_amount(sum.total)});
    }
    std::ranges::sort(functions, [](const ProfileFunction& a, const ProfileFunction& b) {
      return std::tuple(a.event, b.self.value, b.total.value, a.function) <
             std::tuple(b.event, a.self.value, a.total.value, b.function);
    });
    return functions;
  }

 private:
  static constexpr analysis::FrameId no_stack = ~analysis::FrameId{0};

  struct Sum {
    analysis::Amount self, total;
    std::uint64_t stack = 0;  // the last one that was added to `total`
  };

  Sum& sum_of(analysis::FrameId event, analysis::FrameId function) {
    return sums_[std::uint64_t{event} << 32 | function];
  }

  const analysis::FrameTable& frames_;
  const std::size_t threads_;  // frames of threads in a stack
  std::unordered_map<std::uint64_t, Sum> sums_;
  std::uint64_t stack_ = 0;
};

output::FoldedOptions folded_options(const ProfileState& state) {
  return {.threads = state.threads, .event_frame = state.profile.events_with_stacks().size() > 1};
}

}  // namespace
}  // namespace detail

Profile::Profile(Recording& recording, const ProfileOptions& options)
    : state_(detail::translated(recording.path(),
                                [&] { return detail::collect(*detail::Access::of(recording), options); })) {}
Profile::Profile(const Profile&) = default;
Profile& Profile::operator=(const Profile&) = default;
Profile::~Profile() = default;

std::vector<std::string_view> Profile::events() const {
  return detail::translated([&] {
    std::vector<std::string_view> names;
    for (const analysis::EventId event : state_->profile.events_with_stacks()) {
      names.push_back(state_->profile.events()[event]);
    }
    return names;
  });
}

Amount Profile::total(std::string_view event) const {
  return detail::translated([&] {
    analysis::Amount total;
    for (const analysis::StackList::Entry* stack : state_->profile.stacks()) {
      const analysis::EventId id = state_->profile.callers(stack->callers).event;
      if (state_->profile.events()[id] == event) total += stack->amount;
    }
    return detail::public_amount(total);
  });
}

ProfileQuality Profile::quality() const { return state_->quality; }

void Profile::for_each_stack(const std::function<void(const ProfileStack& stack)>& visit) const {
  detail::translated([&] {
    std::vector<std::string_view> texts;
    detail::visit_stacks(*state_, [&](std::span<const analysis::FrameId> frames, const analysis::Amount& amount) {
      texts.clear();
      for (const analysis::FrameId frame : frames) texts.push_back(state_->profile.frames().text(frame));
      detail::call_user(visit, ProfileStack{.event = texts.front(),
                                            .frames = std::span(texts).subspan(1),
                                            .amount = detail::public_amount(amount)});
    });
  });
}

std::vector<ProfileFunction> Profile::functions() const {
  return detail::translated([&] {
    detail::FunctionSums sums(*state_);
    detail::visit_stacks(*state_, [&](std::span<const analysis::FrameId> frames, const analysis::Amount& amount) {
      sums.add(frames, amount);
    });
    return sums.functions();
  });
}

std::string Profile::folded() const {
  return detail::translated([&] {
    std::string text;
    output::write_folded(state_->profile, detail::folded_options(*state_),
                         [&](std::string_view piece) { text += piece; });
    return text;
  });
}

void Profile::write_folded(const std::string& path) const {
  detail::translated(path, [&] {
    output::OutputFile out(path);
    output::write_folded(state_->profile, detail::folded_options(*state_), out);
    out.commit();
  });
}

}  // namespace perfsift::v0
