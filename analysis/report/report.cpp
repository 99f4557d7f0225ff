#include "analysis/report/report.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "analysis/report/event_amounts.h"
#include "analysis/report/focus.h"
#include "analysis/samples/number_text.h"
#include "analysis/samples/stack_builder.h"
#include "analysis/table/sorted_rows.h"
#include "base/duration.h"
#include "base/large_vector.h"

namespace perfsift::analysis {
namespace {

constexpr std::uint32_t nothing = ~std::uint32_t{0};
constexpr std::uint64_t no_interval = ~std::uint64_t{0};

// "worker-17" -> "worker-<N>", as perf writes the name.
std::string without_numbers(std::string_view comm) {
  std::string text;
  for (const char byte : comm) {
    if (byte < '0' || byte > '9') {
      text += byte;
    } else if (!text.ends_with("<N>")) {
      text += "<N>";
    }
  }
  return text;
}

// The latest names of threads and processes, which perf report shows for all their samples. The latest name of a thread
// is its name at its last sample. A process has the name of its first thread. If that is not known, it has the name of
// another thread with samples.
class LatestNames {
 public:
  explicit LatestNames(const SampleTable& table) {
    std::vector<When> last(table.contexts().size());
    for (const SampleRow& sample : table.samples()) {
      When& when = last[sample.context];
      when = std::max(when, {sample.time == reader::no_time ? 0 : sample.time, sample.position});
    }
    for (std::size_t i = 0; i < last.size(); ++i) {
      const SampleContext& context = table.contexts()[i];
      take(threads_[context.tid], {last[i], context.comm});
      const bool is_first = context.pid == context.tid;
      take(processes_[context.pid], {is_first, {last[i], context.comm}});
    }
    for (const auto& [pid, name] : table.process_names()) processes_[pid].second.second = name;
  }

  std::string_view of_thread(const SampleContext& context) const { return threads_.at(context.tid).second; }
  std::string_view of_process(const SampleContext& context) const { return processes_.at(context.pid).second.second; }

 private:
  using When = std::pair<std::uint64_t, std::uint64_t>;  // time, and position of the record
  using Name = std::pair<When, std::string_view>;

  template <typename Known>
  static void take(Known& known, const Known& other) {
    known = std::max(known, other);
  }

  std::map<std::int32_t, Name> threads_;
  std::map<std::int32_t, std::pair<bool, Name>> processes_;
};

}  // namespace

double percent_of(const Amount& part, const Amount& all) {
  return all.value != 0 ? 100 * static_cast<double>(part.value) / static_cast<double>(all.value) : 0;
}

bool ReportTable::totals_are_selves() const {
  return std::ranges::all_of(rows, [](const ReportRow& row) { return row.self == row.total; });
}

// Samples that differ only in their stacks form a group: they have the same event, and equal cells for the keys that
// are not keys of functions.
class Report::Builder {
 public:
  Builder(const Profile& profile, const ReportShape& shape, Report& report)
      : profile_(profile), shape_(shape), report_(report), functions_of_frames_(profile.frames().size()) {}

  void add_rows(const SampleTable& table) {
    const std::vector<const StackList::Entry*> stacks = profile_.stacks();
    if (wants(Key::pid) || wants(Key::tgid)) names_.emplace(table);
    numbers_ = table.numbers();
    parts_.reserve(table.samples().size() + table.sums().size());
    for (const SampleRow& sample : table.samples()) {
      const StackList::Entry* const stack = stack_of(stacks, sample.stack);
      add_part(stack, sample.stack, group_of(table, sample, stack), {.samples = 1, .value = sample.value});
    }
    for (const SumRow& sum : table.sums()) {
      const SampleRow sample{.context = sum.context, .cpu = sum.cpu, .event = sum.event};
      const StackList::Entry* const stack = stack_of(stacks, sum.stack);
      const bool has_context = sum.context != SumRow::no_context;
      add_part(stack, sum.stack, has_context ? group_of(table, sample, stack) : group_of(stack), sum.amount);
    }
  }

  void add_stacks() {
    std::uint32_t number = 0;
    Amount frameless;
    for (const StackList& list : profile_.lists()) {
      frameless += list.frameless();
      for (const StackList::Entry& entry : list.entries()) add_part(&entry, number++, group_of(&entry), entry.amount);
    }
    if (frameless != Amount()) add_part(nullptr, nothing, group_of(nullptr), frameless);
  }

  void build() {
    join_equal_parts();
    for (auto part = parts_.begin(); part != parts_.end();) {
      const auto end = std::find_if(part, parts_.end(), [&](const Part& other) { return other.group != part->group; });
      add_group(std::span<const Part>(part, end));
      part = end;
    }
    sort_tables();
  }

 private:
  // The samples of a group with the same stack.
  struct Part {
    std::uint32_t group = 0;
    std::uint32_t stack = nothing;
    const StackList::Entry* entry = nullptr;  // nullptr: no frames
    Amount amount;
  };

  // The row of a function: the cells of the keys of functions.
  struct Function {
    TupleNumbers::Tuple cells;
    ReportRow row;                    // of the current group
    std::uint32_t seen_in = nothing;  // the last part whose amount was added to the row's total
    bool used = false;
    bool all_inlined = true;
  };

  // The stack of a row. nullptr: no frames.
  static const StackList::Entry* stack_of(const std::vector<const StackList::Entry*>& stacks, std::uint32_t stack) {
    return stack < stacks.size() ? stacks[stack] : nullptr;
  }

  void add_part(const StackList::Entry* entry, std::uint32_t stack, std::uint32_t group, const Amount& amount) {
    parts_.push_back({.group = group, .stack = stack, .entry = entry, .amount = amount});
  }

  // The text of an interrupt, which replaces the thread and its process. Empty if the stack is not that of an
  // interrupt.
  std::string_view interrupt_of(const StackList::Entry* stack) const {
    if (!shape_.interrupts_apart || stack == nullptr) return {};
    const std::string_view root = comm_of(profile_.callers(stack->callers).frames, stack->leaf);
    return std::ranges::count(InterruptFrames::texts, root) != 0 ? root : std::string_view();
  }

  std::uint32_t group_of(const SampleTable& table, const SampleRow& sample, const StackList::Entry* stack) {
    const std::uint64_t interval =
        wants(Key::time) && sample.time != reader::no_time ? sample.time / shape_.time_quantum : no_interval;
    const auto cpu = wants(Key::cpu) ? sample.cpu : -1;
    const std::string_view interrupt = interrupt_of(stack);
    const auto [known, is_new] =
        groups_of_samples_.try_emplace({sample.context, sample.event, cpu, interval, interrupt}, nothing);
    if (!is_new) return known->second;
    const SampleContext& context = table.contexts()[sample.context];
    return known->second = group_with(sample.event, [&](Key key) {
             return is_of_threads(key) && !interrupt.empty() ? std::string(interrupt)
                                                             : cell(key, context, cpu, interval);
           });
  }

  static bool is_of_threads(Key key) {
    return key == Key::comm || key == Key::comm_nodigit || key == Key::pid || key == Key::tgid;
  }
  bool wants(Key key) const { return std::ranges::count(shape_.keys, key) != 0; }

  std::string cell(Key key, const SampleContext& context, std::int32_t cpu, std::uint64_t interval) const {
    switch (key) {
      case Key::comm:
        return context.comm;
      case Key::comm_nodigit:
        return without_numbers(context.comm);
      case Key::pid:
        return fmt::format("{}:{}", context.tid, names_->of_thread(context));
      case Key::tgid:
        // Text inputs may have threads without their processes. Threads that have ended have neither number.
        if (context.pid < 0 && context.tid >= 0) return std::string(unknown);
        return fmt::format("{}:{}", context.pid, names_->of_process(context));
      case Key::cpu:
        return cpu >= 0 ? fmt::format("{}", cpu) : std::string(unknown);
      case Key::cgroup:
        return context.cgroup.empty() ? std::string(unknown) : context.cgroup;
      case Key::time:
        return time_text(interval);
      default:
        return is_label(key) ? label_cell(key, context) : number_cell(*number_behind(key), context);
    }
  }

  static std::string label_cell(Key key, const SampleContext& context) {
    const auto label = std::ranges::find(context.labels, name_of(key), &OtherLabel::key);
    return label != context.labels.end() && !label->text.empty() ? label->text : std::string(unknown);
  }

  std::string number_cell(filter::Fact number, const SampleContext& context) const {
    const auto place = static_cast<std::size_t>(std::ranges::find(numbers_, number) - numbers_.begin());
    if (place >= context.numbers.size() || !context.numbers[place]) return std::string(unknown);
    return number_text(filter::sort_field(number).form, *context.numbers[place]);
  }

  std::string time_text(std::uint64_t interval) const {
    return interval != no_interval ? seconds_text(interval * shape_.time_quantum) : std::string(unknown);
  }

  // The group of samples with a known stack only.
  std::uint32_t group_of(const StackList::Entry* stack) {
    if (stack == nullptr) return group_of(event_of_frameless(profile_), unknown);
    const Callers& callers = profile_.callers(stack->callers);
    return group_of(callers.event, comm_of(callers.frames, stack->leaf));
  }

  // The order of frames is that of StackBuilder::finish(): the control group, then the thread, then functions.
  std::string_view comm_of(std::span<const FrameId> callers, FrameId leaf) const {
    const auto is_thread = [&](FrameId frame) { return profile_.frames().origin(frame).kind == FrameKind::thread; };
    for (const FrameId frame : callers.first(std::min<std::size_t>(callers.size(), 2))) {
      if (is_thread(frame)) return profile_.frames().text(frame);
    }
    return is_thread(leaf) ? profile_.frames().text(leaf) : unknown;
  }

  std::uint32_t group_of(EventId event, std::string_view comm) {
    const bool named = wants(Key::comm) || wants(Key::comm_nodigit);
    const std::uint32_t comm_number = named ? report_.texts_.of(comm) : 0;
    const auto [known, is_new] = groups_of_stacks_.try_emplace({event, comm_number}, nothing);
    if (is_new) {
      known->second = group_with(event, [&](Key key) {
        if (key == Key::comm_nodigit) return without_numbers(comm);
        return std::string(key == Key::comm ? comm : unknown);
      });
    }
    return known->second;
  }

  // The number of the group whose cells are cell(key).
  template <typename Cell>
  std::uint32_t group_with(EventId event, Cell&& cell) {
    TupleNumbers::Tuple tuple{event};
    for (const Key key : shape_.keys) {
      if (is_of_functions(key)) continue;
      tuple.push_back(report_.texts_.of(key == Key::event ? std::string(event_name(event)) : cell(key)));
    }
    return groups_.number(tuple);
  }

  void join_equal_parts() {
    std::ranges::sort(parts_, {}, [](const Part& part) { return std::pair(part.group, part.stack); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (kept != 0 && parts_[kept - 1].group == parts_[i].group && parts_[kept - 1].stack == parts_[i].stack) {
        parts_[kept - 1].amount += parts_[i].amount;
      } else {
        parts_[kept++] = parts_[i];
      }
    }
    parts_.resize(kept);
  }

  void add_group(std::span<const Part> parts) {
    used_.clear();
    for (std::size_t i = 0; i < parts.size(); ++i) count_part(parts[i], static_cast<std::uint32_t>(i));
    const TupleNumbers::Tuple& group = groups_.tuple(parts.front().group);
    ReportTable& table = table_of(group.front());
    for (const std::uint32_t number : used_) {
      Function& function = functions_[number];
      function.row.cells = cells(group, function.cells);
      function.row.inlined = function.all_inlined;
      table.all += function.row.self;
      table.rows.push_back(std::move(function.row));
      function = {.cells = std::move(function.cells), .row = {}};
    }
  }

  void count_part(const Part& part, std::uint32_t number) {
    frames_.clear();
    if (part.entry != nullptr) profile_.get_frames(*part.entry, frames_);
    std::uint32_t innermost = nothing;
    for (const FrameId frame : frames_) {
      if (!is_function(profile_.frames().origin(frame))) continue;
      innermost = function_of(frame);
      count(innermost, part.amount, number, profile_.frames().origin(frame).inlined);
    }
    if (innermost == nothing) count(innermost = function_without_stack(), part.amount, number, false);
    functions_[innermost].row.self += part.amount;
  }

  void count(std::uint32_t number, const Amount& amount, std::uint32_t part, bool inlined) {
    Function& function = functions_[number];
    if (!function.used) {
      function.used = true;
      used_.push_back(number);
    }
    function.all_inlined &= inlined;
    if (function.seen_in == part) return;
    function.seen_in = part;
    function.row.total += amount;
  }

  std::uint32_t function_of(FrameId frame) {
    std::optional<std::uint32_t>& known = functions_of_frames_[frame];
    if (!known) known = function_with([&](Key key) { return function_cell(key, frame); });
    return *known;
  }

  std::uint32_t function_without_stack() {
    return function_with([&](Key key) { return std::string(key == Key::symbol ? no_stack : unknown); });
  }

  template <typename Cell>
  std::uint32_t function_with(Cell&& cell) {
    TupleNumbers::Tuple tuple;
    for (const Key key : shape_.keys) {
      if (is_of_functions(key)) tuple.push_back(report_.texts_.of(cell(key)));
    }
    const std::uint32_t number = function_numbers_.number(tuple);
    if (number == functions_.size()) functions_.push_back({.cells = std::move(tuple), .row = {}});
    return number;
  }

  std::string function_cell(Key key, FrameId frame) const {
    const FrameTable& frames = profile_.frames();
    const auto known_or = [](std::string_view text) { return std::string(text.empty() ? unknown : text); };
    switch (key) {
      case Key::symbol:
        return name_of(frames, frame, shape_.names);
      case Key::dso:
        return known_or(binary_name_of(frames, frame, shape_.names));
      case Key::srcfile:
        return known_or(frames.file_of(frame));
      default:
        return frames.file_of(frame).empty() ? std::string(unknown)
                                             : fmt::format("{}:{}", frames.file_of(frame), frames.origin(frame).line);
    }
  }

  // The cells are in the order of the keys. The first number of a group is its event.
  std::vector<std::string_view> cells(const TupleNumbers::Tuple& group, const TupleNumbers::Tuple& function) const {
    std::vector<std::string_view> texts;
    std::size_t of_group = 1, of_function = 0;
    for (const Key key : shape_.keys) {
      texts.push_back(report_.texts_.text(is_of_functions(key) ? function[of_function++] : group[of_group++]));
    }
    return texts;
  }

  ReportTable& table_of(EventId event) {
    const auto known = std::ranges::find(report_.tables_, event, &ReportTable::event);
    if (known != report_.tables_.end()) return *known;
    report_.tables_.push_back({.event = event,
                               .event_name = event_name(event),
                               .unit = profile_.event_type(event).unit,
                               .all = {},
                               .rows = {}});
    return report_.tables_.back();
  }

  // The name of the event's frame.
  std::string_view event_name(EventId event) const { return profile_.frames().text(profile_.event_frame(event)); }

  void sort_tables() {
    const auto amounts = [&](const ReportRow& row) {
      const bool self_first = shape_.order == RowOrder::self;
      const Amount& first = self_first ? row.self : row.total;
      const Amount& second = self_first ? row.total : row.self;
      return std::tuple(first.value, first.samples, second.value, second.samples);
    };
    std::ranges::sort(report_.tables_, {}, &ReportTable::event_name);
    for (ReportTable& table : report_.tables_) sort_rows(table.rows, amounts);
  }

  const Profile& profile_;
  const ReportShape& shape_;
  Report& report_;

  std::vector<filter::Fact> numbers_;  // the numbers of the table
  std::optional<LatestNames> names_;   // for Key::pid and Key::tgid
  LargeVector<Part> parts_;
  TupleNumbers groups_;
  std::map<std::tuple<std::uint32_t, EventId, std::int32_t, std::uint64_t, std::string_view>, std::uint32_t>
      groups_of_samples_;
  std::map<std::pair<EventId, std::uint32_t>, std::uint32_t> groups_of_stacks_;
  TupleNumbers function_numbers_;
  std::vector<Function> functions_;
  std::vector<std::optional<std::uint32_t>> functions_of_frames_;
  std::vector<std::uint32_t> used_;  // functions of the current group
  std::vector<FrameId> frames_;
};

Report::Report(const Profile& profile, const SampleTable* table, const ReportShape& shape) {
  Builder builder(profile, shape, *this);
  if (table != nullptr) {
    builder.add_rows(*table);
  } else {
    builder.add_stacks();
  }
  builder.build();
}

}  // namespace perfsift::analysis
