#include "analysis/gate/reasons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/gate/replicates.h"
#include "base/counted.h"
#include "base/path.h"

namespace perfsift::analysis {
namespace {

constexpr std::array<std::string_view, 15> tolerable{"lost",    "throttled", "damaged", "cut",    "unnamed",
                                                     "machine", "host",      "cpu",     "kernel", "frequency",
                                                     "spread",  "history",   "build",   "few",    "stacks"};

class Reasons {
 public:
  Reasons(const GateSide& before, const GateSide& after, const std::set<std::string, std::less<>>& allowed)
      : before_(before), after_(after), allowed_(allowed) {}

  void add(std::string_view key, std::string text, std::string advice) {
    reasons_.push_back({.key = std::string(key),
                        .text = std::move(text),
                        .advice = std::move(advice),
                        .tolerated = allowed_.contains(key) && std::ranges::find(tolerable, key) != tolerable.end()});
  }

  void samples(const GateSide& side, std::string_view name) {
    if (side.samples() == 0 && side.interrupts() != 0) {
      return add("samples", fmt::format("all samples of the {} were taken in interrupts, which are left out", name),
                 "record the program itself; --interrupts keep compares interrupts, too");
    }
    if (side.samples() == 0) {
      return add("samples", fmt::format("the {} has no samples", name),
                 "perfsift info shows what was recorded and what was lost; a filter may have left out everything");
    }
    for (const Run& run : side.runs) {
      if (run.samples() == 0)
        add("samples", fmt::format("{}: no samples", run.name), "leave this run out, or record it again");
    }
  }

  void quality() {
    for_each_run([&](const Run& run) {
      if (run.quality) missing(run, *run.quality);
      if (run.throttled != 0 &&
          100 * static_cast<double>(run.throttled) > QualityLimits::throttled * static_cast<double>(run.samples())) {
        add("throttled", fmt::format("{}: the kernel stopped the event {}", run.name, counted(run.throttled, "time")),
            "record with a lower frequency");
      }
      if (run.damaged)
        add("damaged", run.name + ": a part of the recording cannot be read", "record it again, or copy it again");
    });
  }

  void environments(std::string_view event) {
    differing("machine", "machines", [](const Environment& of) { return of.machine; });
    differing("cpu", "CPUs", [](const Environment& of) {
      return of.cpus && !of.cpu.empty() ? fmt::format("{} x {}", *of.cpus, of.cpu) : of.cpu;
    });
    differing("host", "hosts", [](const Environment& of) { return of.hostname; });
    differing("kernel", "kernels", [](const Environment& of) { return of.kernel; });
    const auto setting_of = [event](const Environment& of) {
      const auto setting = std::ranges::find(of.events, event, &EventSetting::name);
      return setting != of.events.end() ? &*setting : nullptr;
    };
    differing("frequency", "sampling rates", [&](const Environment& of) {
      const EventSetting* setting = setting_of(of);
      if (setting == nullptr) return std::string();
      return setting->is_frequency ? fmt::format("{} samples a second", setting->every)
                                   : fmt::format("a sample every {}", setting->every);
    });
    differing("stacks", "ways of recording stacks (--call-graph)", [&](const Environment& of) {
      const EventSetting* setting = setting_of(of);
      return setting != nullptr ? setting->stacks : std::string();
    });
  }

  // Binaries that keep frame pointers on one side only were compiled with other options: their stacks, and their costs,
  // cannot be compared.
  void builds() {
    const std::map<std::string, double> before = without_frame_pointers(before_),
                                        after = without_frame_pointers(after_);
    const auto share_in = [](const std::map<std::string, double>& side, const std::string& binary) {
      const auto found = side.find(binary);
      return found == side.end() ? 0 : found->second;
    };
    const auto compare = [&](const std::map<std::string, double>& some, const std::map<std::string, double>& others,
                             std::string_view side) {
      for (const auto& [binary, percent] : some) {
        if (percent < QualityLimits::build || share_in(others, binary) > QualityLimits::build / 10) continue;
        add("build",
            fmt::format("{} keeps no frame pointer in the {} only, where {:.3g} % of the stacks end there", binary,
                        side, percent),
            same_options);
      }
    };
    compare(before, after, "baseline");
    compare(after, before, "candidate");
  }

  // A candidate that was compiled as no run of the baseline was.
  void compilers() {
    const std::map<std::string, Words> before = compiled(before_), after = compiled(after_);
    for (const auto& [binary, ways] : after) {
      const auto known = before.find(binary);
      if (known == before.end()) continue;
      for (const std::string& way : ways) {
        if (!known->second.contains(way))
          add("build", compiled_apart(binary, *known->second.rbegin(), way), same_options);
      }
    }
  }

  void spread(const Rules& rules) {
    if (rules.per_run && spread_of(before_, after_) != Spread::repeats) {
      add("repeats", "runs can be compared only where they are repeated",
          "record at least two runs on each side, or compare shares (--per share)");
    } else if (spread_of(before_, after_) == Spread::draw) {
      add("spread", "the noise is unknown: there are neither repeated runs nor times of samples",
          "record several runs on each side, or use recordings, which have times");
    }
  }

  std::vector<Reason> take() { return std::move(reasons_); }

 private:
  using Words = std::set<std::string>;
  static constexpr const char* same_options = "compile both sides with the same options";

  // How each binary was compiled.
  static std::map<std::string, Words> compiled(const GateSide& side) {
    std::map<std::string, Words> all;
    for (const Run& run : side.runs) {
      if (!run.environment) continue;
      for (const auto& [binary, how] : run.environment->compiled) all[binary].insert(how);
    }
    return all;
  }

  // "GNU 12.2.0 -O2" in parts: the compiler, and each option.
  static Words parts_of(std::string_view how) {
    Words parts;
    while (!how.empty()) {
      const std::size_t end = std::min(how.find(" -"), how.size());
      parts.emplace(how.substr(0, end));
      how.remove_prefix(std::min(end + 1, how.size()));
    }
    return parts;
  }

  static std::string compiled_apart(const std::string& binary, std::string_view before, std::string_view after) {
    const Words old_parts = parts_of(before), new_parts = parts_of(after);
    std::vector<std::string> removed, added;
    std::ranges::set_difference(old_parts, new_parts, std::back_inserter(removed));
    std::ranges::set_difference(new_parts, old_parts, std::back_inserter(added));
    std::vector<std::string> sides;
    if (!removed.empty()) sides.push_back(fmt::format("with {} in the baseline", fmt::join(removed, " ")));
    if (!added.empty()) sides.push_back(fmt::format("with {} in the candidate", fmt::join(added, " ")));
    return fmt::format("{} was compiled {}{}", binary, fmt::join(sides, ", "), sides.size() == 1 ? " only" : "");
  }

  // In percent of the stacks of a side, by the file name of the binary.
  static std::map<std::string, double> without_frame_pointers(const GateSide& side) {
    std::map<std::string, double> shares;
    double stacks = 0;
    for (const Run& run : side.runs) {
      if (!run.quality) continue;
      stacks += static_cast<double>(run.quality->callchains);
      for (const auto& [place, count] : run.quality->incomplete) {
        if (place.reason == StackTail::frame_pointer_missing)
          shares[std::string(base_name(place.binary))] += static_cast<double>(count);
      }
    }
    for (auto& [binary, share] : shares) share = stacks > 0 ? 100 * share / stacks : 0;
    return shares;
  }

  void for_each_run(const std::function<void(const Run&)>& use) const {
    for (const GateSide* side : {&before_, &after_}) {
      for (const Run& run : side->runs) use(run);
    }
  }

  void missing(const Run& run, const Quality& quality) {
    const auto over = [&](std::string_view key, double percent, double limit, std::string_view what,
                          std::string_view advice) {
      if (percent > limit)
        add(key, fmt::format("{}: {:.3g} % of {}, more than {:.3g} %", run.name, percent, what, limit),
            std::string(advice));
    };
    over("lost", std::max({quality.lost_samples_percent(), quality.lost_records_percent(), quality.skipped_percent()}),
         QualityLimits::lost, "the samples or records were lost", "record with a larger buffer (-m), or less often");
    over("cut", quality.truncated_percent(), QualityLimits::cut, "the stacks were cut",
         "record larger stacks, or with frame pointers; --incomplete shows where stacks end");
    over("unnamed", quality.unresolved_percent(), QualityLimits::unnamed, "the frames have no name",
         "--unresolved shows what is missing");
  }

  // Values that are known and not all the same.
  void differing(std::string_view key, std::string_view what,
                 const std::function<std::string(const Environment&)>& value_of) {
    std::vector<std::string> values;
    for_each_run([&](const Run& run) {
      const std::string value = run.environment ? value_of(*run.environment) : std::string();
      if (!value.empty() && std::ranges::find(values, value) == values.end()) values.push_back(value);
    });
    if (values.size() > 1)
      add(key, fmt::format("the runs have different {}: {}", what, fmt::join(values, ", ")), "record all runs alike");
  }

  const GateSide& before_;
  const GateSide& after_;
  const std::set<std::string, std::less<>>& allowed_;
  std::vector<Reason> reasons_;
};

}  // namespace

std::span<const std::string_view> tolerable_reasons() { return tolerable; }

std::vector<Reason> reasons_against(const GateSide& before, const GateSide& after, std::string_view event,
                                    const Rules& rules, const std::set<std::string, std::less<>>& allowed) {
  Reasons reasons(before, after, allowed);
  reasons.samples(before, "baseline");
  reasons.samples(after, "candidate");
  reasons.quality();
  reasons.environments(event);
  reasons.builds();
  reasons.compilers();
  reasons.spread(rules);
  return reasons.take();
}

std::vector<Reason> reasons_about(const GateSide& candidate, const std::set<std::string, std::less<>>& allowed) {
  const GateSide nothing;
  Reasons reasons(nothing, candidate, allowed);
  reasons.samples(candidate, "candidate");
  reasons.quality();
  return reasons.take();
}

std::optional<Reason> nothing_tested(const Verdict& compared, const std::set<std::string, std::less<>>& allowed) {
  const Rules& rules = compared.rules;
  Reason reason{.key = "few", .tolerated = allowed.contains("few")};
  if (compared.tests != 0) return std::nullopt;
  if (compared.one_function) {
    reason.text = "all samples are in one function, whose share cannot change";
    reason.advice = "compare repeated runs that do the same work (--per run), or record more of the program";
  } else if (compared.most_untested != 0) {
    const double times = static_cast<double>(rules.min_samples) / static_cast<double>(compared.most_untested);
    const auto needed = [times](std::uint64_t samples) { return std::ceil(times * static_cast<double>(samples)); };
    reason.text =
        fmt::format("no function could be tested: none has {} samples on both sides together, the most frequent one {}",
                    rules.min_samples, compared.most_untested);
    reason.advice = fmt::format(
        "record longer: about {:.0f} samples before and {:.0f} after are the least; "
        "--min-samples says how many a test needs",
        needed(compared.before.samples), needed(compared.after.samples));
  } else {
    return std::nullopt;  // no function has a share of the minimum effect on either side: none can have changed so much
  }
  return reason;
}

Reason different_events(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  return {.key = "event",
          .text = fmt::format("no event is on both sides: the baseline has {}, the candidate has {}",
                              fmt::join(before, ", "), fmt::join(after, ", ")),
          .advice = "record both sides with the same event",
          .tolerated = false};
}

}  // namespace perfsift::analysis
