#include "analysis/gate/stored_runs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "analysis/input/pprof_fields.h"
#include "analysis/profile/quality_facts.h"
#include "base/error.h"
#include "base/number_in.h"
#include "base/printable.h"

namespace perfsift::analysis {
namespace {

constexpr unsigned major_version = 1, minor_version = 1;
constexpr std::string_view version_key = "perfsift-runs=", run_key = "perfsift-run.";

// Words for facts that are texts.
struct EnvironmentText {
  std::string_view key;
  std::string Environment::*text;
};
constexpr EnvironmentText environment_texts[] = {{"hostname", &Environment::hostname},
                                                 {"kernel", &Environment::kernel},
                                                 {"machine", &Environment::machine},
                                                 {"cpu", &Environment::cpu},
                                                 {"command", &Environment::command}};

// The comments of one run.
class RunWriter {
 public:
  RunWriter(std::size_t number, std::vector<std::string>& to)
      : prefix_(fmt::format("{}{}.", run_key, number)), to_(to) {}

  void write(const StoredRun& stored) {
    text("name", stored.run.name);
    fact("samples", stored.samples);
    fact("blocks", stored.run.blocks);
    if (stored.run.throttled != 0) fact("throttled", stored.run.throttled);
    if (stored.run.damaged) fact("damaged", 1);
    if (stored.run.stored_at) fact("stored_at", *stored.run.stored_at);
    if (stored.run.environment) write(*stored.run.environment);
    if (stored.run.quality) write(*stored.run.quality);
  }

 private:
  void write(const Environment& environment) {
    fact("environment", "recorded");
    for (const auto& [key, member] : environment_texts) text(key, environment.*member);
    if (environment.cpus) fact("cpus", *environment.cpus);
    for (const auto& [binary, how] : environment.compiled) fact("compiled", fmt::format("{}/{}", binary, how));
    for (const EventSetting& event : environment.events) {
      fact("event", fmt::format("{} {} {}", event.is_frequency ? "frequency" : "period", event.every, event.name));
      if (!event.stacks.empty()) fact("stacks", fmt::format("{} {}", event.stacks, event.name));
    }
  }

  void write(const Quality& quality) {
    fact("quality", "recorded");
    for (const QualityFact& each : quality_facts(quality)) {
      if (is_quality_number(each.fact)) fact(each.fact, each.count);
      if (!each.reason.empty()) fact(each.fact, fmt::format("{} {} {}", each.count, each.reason, each.place));
    }
  }

  void text(std::string_view key, std::string_view value) {
    if (!value.empty()) fact(key, value);
  }
  template <typename Value>
  void fact(std::string_view key, const Value& value) {
    to_.push_back(fmt::format("{}{}={}", prefix_, key, value));
  }

  const std::string prefix_;
  std::vector<std::string>& to_;
};

[[noreturn]] void refuse(std::string_view comment) {
  throw InputError(
      fmt::format("'{}' is no comment that perfsift writes: the stored runs were changed", printable(comment)));
}

// Removes a word and the blank behind it.
std::string_view take_word(std::string_view& text, char end) {
  const std::string_view word = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

struct ReadRun {
  Run run;
  std::optional<std::uint64_t> samples, blocks;
};

// One comment of a run.
class RunReader {
 public:
  explicit RunReader(std::string_view comment) : comment_(comment) {}

  void read(std::string_view key, std::string_view value, ReadRun& to) const {
    Run& run = to.run;
    if (key == "name") run.name = value;
    if (key == "samples") to.samples = number(value);
    if (key == "blocks") to.blocks = number(value);
    if (key == "throttled") run.throttled = number(value);
    if (key == "damaged") run.damaged = number(value) != 0;
    if (key == "stored_at") run.stored_at = number(value);
    if (key == "environment") run.environment.emplace();
    if (key == "quality") run.quality.emplace();
    if (run.environment) read(key, value, *run.environment);
    if (run.quality) read(key, value, *run.quality);
  }

 private:
  void read(std::string_view key, std::string_view value, Environment& environment) const {
    for (const auto& [text_key, member] : environment_texts) {
      if (key == text_key) environment.*member = value;
    }
    if (key == "cpus") environment.cpus = static_cast<std::uint32_t>(number(value));
    if (key == "compiled") {
      const std::string binary(take_word(value, '/'));
      environment.compiled.emplace(binary, value);
    }
    if (key == "stacks") read_stacks(value, environment);
    if (key != "event") return;
    const bool frequency = take_word(value, ' ') == "frequency";
    const std::uint64_t every = number(take_word(value, ' '));
    environment.events.push_back({.name = std::string(value), .every = every, .is_frequency = frequency});
  }

  // Of an event that was read before.
  static void read_stacks(std::string_view value, Environment& environment) {
    const std::string_view stacks = take_word(value, ' ');
    const auto event = std::ranges::find(environment.events, value, &EventSetting::name);
    if (event != environment.events.end()) event->stacks = stacks;
  }

  void read(std::string_view key, std::string_view value, Quality& quality) const {
    QualityFact fact{.fact = std::string(key)};
    if (is_quality_number(key)) {
      fact.count = number(value);
    } else if (key == "unresolved" || key == "incomplete") {
      fact.count = number(take_word(value, ' '));
      fact.reason = take_word(value, ' ');
      fact.place = value;
    }
    add(fact, quality);
  }

  std::uint64_t number(std::string_view text) const {
    const auto value = number_in<std::uint64_t>(text);
    if (!value) refuse(comment_);
    return *value;
  }

  std::string_view comment_;
};

void check_version(std::string_view comment) {
  std::string_view version = comment.substr(version_key.size());
  const auto major = number_in<std::uint64_t>(take_word(version, '.'));
  if (!major) refuse(comment);
  if (*major > major_version) {
    throw InputError(
        fmt::format("its runs are stored in version {}, and this perfsift reads version {}: use the perfsift "
                    "that wrote it, or a later one",
                    *major, major_version));
  }
}

std::vector<ReadRun> read_comments(std::span<const std::string> comments) {
  std::vector<ReadRun> runs;
  for (const std::string& comment : comments) {
    if (comment.starts_with(version_key)) check_version(comment);
    if (!comment.starts_with(run_key)) continue;
    std::string_view rest = std::string_view(comment).substr(run_key.size());
    const auto number = number_in<std::uint64_t>(take_word(rest, '.'));
    // Each run has several comments.
    if (!number || *number >= comments.size()) refuse(comment);
    if (*number >= runs.size()) runs.resize(*number + 1);
    const std::string_view key = take_word(rest, '=');
    RunReader(comment).read(key, rest, runs[*number]);
  }
  return runs;
}

std::string name_of(const ReadRun& run, std::size_t number) {
  return run.run.name.empty() ? fmt::format("run {}", number)
                              : fmt::format("run {} ('{}')", number, printable(run.run.name));
}

void check_sums(const std::vector<ReadRun>& runs, const std::map<std::uint32_t, std::uint64_t>& samples) {
  for (std::size_t number = 0; number < runs.size(); ++number) {
    const ReadRun& run = runs[number];
    if (!run.samples || !run.blocks || *run.blocks == 0 || *run.blocks > TimeBlocks::count)
      throw InputError(name_of(run, number) + " is not whole: the file was cut or changed");
    const auto found = samples.find(static_cast<std::uint32_t>(number));
    const std::uint64_t here = found == samples.end() ? 0 : found->second;
    if (here != *run.samples) {
      throw InputError(fmt::format("{} was stored with {} samples, and {} are here: the file was cut or changed",
                                   name_of(run, number), *run.samples, here));
    }
  }
  for (const auto& [number, count] : samples) {
    const bool is_empty = number == SumRow::no_run && count == 0;
    if (number >= runs.size() && !is_empty)
      throw InputError(fmt::format("{} samples are of none of its {} runs: the file was changed", count, runs.size()));
  }
}

// Sorts by stack and block. The counts of a stack follow each other in a stored profile, and there are few stacks.
std::vector<BlockCount> sorted(std::span<const BlockCount> counts) {
  std::vector<std::span<const BlockCount>> stacks;
  for (std::size_t begin = 0, end = 0; begin < counts.size(); begin = end) {
    while (end < counts.size() && counts[end].stack == counts[begin].stack) ++end;
    stacks.push_back(counts.subspan(begin, end - begin));
  }
  std::ranges::stable_sort(stacks, {}, [](std::span<const BlockCount> stack) { return stack.front().stack; });
  std::vector<BlockCount> result;
  result.reserve(counts.size());
  for (const std::span<const BlockCount> stack : stacks) result.insert(result.end(), stack.begin(), stack.end());
  const auto key = [](const BlockCount& count) { return std::pair(count.stack, count.block); };
  if (!std::ranges::is_sorted(result, {}, key)) std::ranges::sort(result, {}, key);
  return result;
}

// Several stacks of a profile are one stack of functions.
void join_equal(std::vector<BlockCount>& counts) {
  counts = sorted(counts);
  std::size_t last = 0;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (counts[i].stack == counts[last].stack && counts[i].block == counts[last].block) {
      counts[last].samples += counts[i].samples;
    } else {
      counts[++last] = counts[i];
    }
  }
  if (!counts.empty()) counts.resize(last + 1);
}

}  // namespace

std::vector<std::string> comments_of_runs(std::span<const StoredRun> runs) {
  std::vector<std::string> comments{fmt::format("{}{}.{}", version_key, major_version, minor_version)};
  for (std::size_t number = 0; number < runs.size(); ++number) RunWriter(number, comments).write(runs[number]);
  return comments;
}

bool has_runs(std::span<const std::string> comments) {
  return std::ranges::any_of(comments, [](const std::string& comment) { return comment.starts_with(version_key); });
}

bool has_digest(std::span<const std::string> comments) {
  return std::ranges::any_of(comments, [](const std::string& comment) {
    return comment.starts_with(pprof::digest_comment) ||
           (comment.starts_with(version_key) && comment != fmt::format("{}1.0", version_key));
  });
}

std::vector<Run> stored_runs(std::span<const std::string> comments,
                             const std::map<std::uint32_t, std::uint64_t>& samples) {
  std::vector<ReadRun> read = read_comments(comments);
  check_sums(read, samples);
  std::vector<Run> runs;
  for (ReadRun& run : read) {
    run.run.blocks = static_cast<std::uint32_t>(*run.blocks);
    runs.push_back(std::move(run.run));
  }
  return runs;
}

void count_stored_samples(const SampleTable& table, EventId event, const GateStacks& stacks, std::span<Run> runs) {
  for (Run& run : runs) run.counts.clear();
  for (const SumRow& sum : table.sums()) {
    if (sum.event != event || sum.run >= runs.size() || sum.amount.samples == 0) continue;
    const bool has_stack = sum.stack != SampleRow::no_stack;
    Run& run = runs[sum.run];
    run.counts.push_back({.stack = has_stack ? stacks.stack_of(sum.stack) : GateStacks::no_frames,
                          .block = std::min(sum.block, run.blocks - 1),
                          .samples = sum.amount.samples});
  }
  for (Run& run : runs) join_equal(run.counts);
}

}  // namespace perfsift::analysis
