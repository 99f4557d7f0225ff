#include "tools/fleet/fleet_questions.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/fleet/host_comparison.h"
#include "analysis/profile/profile.h"
#include "base/error.h"
#include "output/quality/quality_lines.h"
#include "store/collector.h"
#include "store/fleet_sums.h"
#include "store/hosts.h"
#include "store/wanted_rows.h"
#include "tools/fleet/fleet_commands.h"

namespace perfsift::tools {
namespace {

using analysis::HostProfiles;
using store::FleetFunction;
using store::FleetFunctions;
using store::StoreUrl;

StoreUrl with_label(StoreUrl url, const std::string& name, const std::string& value) {
  url.selection.labels[name] = {value};
  return url;
}

// The event that is looked at: the one of the address, or that which other commands show first.
const store::StoredEvent& event_of(const store::StoredRecordings& stored, const store::Selection& selection) {
  if (selection.events.size() > 1)
    throw UsageError("fleet: looks at one event; the address of the store names several");
  const auto event = selection.events.empty()
                         ? stored.events.begin()
                         : std::ranges::find(stored.events, selection.events.front(), &store::StoredEvent::name);
  if (event == stored.events.end()) throw InputError("the recordings have no samples of this event");
  return *event;
}

// One set of recordings of a service.
struct Side {
  output::FleetSide about;
  StoreUrl url;           // whose selection has the event that is looked at
  std::string part = {};  // see store::FleetSums; empty: all samples of the address
};
using Sides = std::pair<Side, Side>;

class FleetQuestions {
 public:
  FleetQuestions(store::Engine& engine, const StoreUrl& url, const FleetSides& sides)
      : engine_(engine), url_(url), sides_(sides) {}

  output::FleetContents ask(const std::function<void(std::string_view service)>& tell) {
    begin();
    const std::vector<std::string> services = store::services_of(engine_, wanted_.selection);
    if (services.empty())
      throw InputError("no sample in the store has these labels and times; perfsift store list shows all");
    rules_of_services(services.size());
    for (const std::string& service : services) {
      tell(service);
      ask_about(service);
    }
    finish();
    return std::move(contents_);
  }

 private:
  // Describes the recordings, and chooses the event.
  void begin() {
    const store::StoredRecordings stored = store::describe(engine_, url_.selection);
    const store::StoredEvent& event = event_of(stored, url_.selection);
    state_ = stored.state;
    wanted_ = url_;
    wanted_.selection.events = {event.name};
    contents_.store = url_.text();
    contents_.event = event.name;
    contents_.unit = event.type.unit;
    contents_.in_nanoseconds = event.type.unit == "nanoseconds" || analysis::is_clock(event.name);
    contents_.recordings = stored.recordings;
    contents_.command = flame_command_line(shown(wanted_));
    if (stored.events.size() > 1 && url_.selection.events.empty())
      contents_.notes.push_back(
          fmt::format("samples of {} only; event=NAME in the address chooses another event", event.name));
    for (std::string& line : output::quality_lines(stored.quality)) contents_.notes.push_back(std::move(line));
  }

  // False alarms in any service count together.
  void rules_of_services(std::size_t services) {
    rules_.level = analysis::Rules().level / static_cast<double>(services);
    rules_.with_interrupts = true;  // functions without callers do not tell what ran in an interrupt
  }

  // The address without the event that was chosen here: other commands choose the same.
  StoreUrl shown(StoreUrl url) const {
    url.selection.events = url_.selection.events;
    return url;
  }

  void ask_about(const std::string& service) {
    const StoreUrl of_service = with_label(wanted_, "service", service);
    store::FleetSums sums(engine_, of_service.selection, {.versions = !sides_.are_given(), .since = sides_.since});
    auto sides = sides_of(of_service, sums);
    std::optional<store::FleetSums> of_baseline;
    if (sides && !sides_.baseline.empty())
      of_baseline.emplace(engine_, sides->first.url.selection, store::FleetParts());
    std::vector<HostProfiles> profiles = profiles_of(sums, sides, of_baseline);
    add_service(service, profiles.front());
    if (!sides) return;
    compare(service, *sides, profiles[1], profiles[2]);
  }

  // The profiles of a service, and of both sides in the same functions: those that matter in any of the three.
  static std::vector<HostProfiles> profiles_of(store::FleetSums& sums, const std::optional<Sides>& sides,
                                               std::optional<store::FleetSums>& of_baseline) {
    if (sides && !of_baseline) sums.keep_sides({sides->first.part, sides->second.part});
    if (of_baseline) sums.keep_sides({sides->second.part});
    std::vector<FleetFunctions> functions = sums.functions_that_matter();
    FleetFunctions in_any = functions.front();
    if (of_baseline) add_functions(of_baseline->functions_that_matter().front(), in_any);
    for (const FleetFunctions& of_side : std::span(functions).subspan(1)) add_functions(of_side, in_any);
    for (FleetFunctions& of_side : std::span(functions).subspan(1)) of_side = in_any;
    std::vector<HostProfiles> profiles = sums.host_profiles(functions);
    if (of_baseline) {
      std::vector<HostProfiles> before = of_baseline->host_profiles(std::span(&in_any, 1));
      profiles.insert(profiles.begin() + 1, std::move(before.front()));
    }
    return profiles;
  }

  void add_service(const std::string& service, const HostProfiles& all) {
    costs_.add(service, all);
    distances_.push_back(analysis::host_distances(all, contents_.rules));
    names_.push_back(all.hosts);
    services_.push_back(service);
    only_after_.emplace_back();
    contents_.judged_hosts.push_back({.service = service,
                                      .judged = distances_.back().hosts.size(),
                                      .too_few_samples = distances_.back().too_few_samples,
                                      .all = all.hosts.size()});
  }

  // The sides of a service; nothing if there are no two.
  std::optional<Sides> sides_of(const StoreUrl& url, const store::FleetSums& sums) const {
    Side before{.about = {}, .url = url, .part = {}}, after = before;
    if (sides_.since) {
      const std::string time = store::time_text(*sides_.since);
      before.about.name = "before " + time;
      after.about.name = "from " + time + " on";
      before.url.selection.to = std::min(url.selection.to.value_or(*sides_.since), *sides_.since);
      after.url.selection.from = std::max(url.selection.from.value_or(*sides_.since), *sides_.since);
      before.part = store::before_time;
      after.part = store::after_time;
      return Sides(before, after);
    }
    if (!sides_.baseline.empty()) {
      before.about.name = sides_.baseline;
      after.about.name = "the address";
      before.url.selection = store::with_query(url.selection, sides_.baseline);
      return Sides(before, after);
    }
    const std::vector<store::StoredVersion> versions = sums.versions();
    if (versions.size() < 2) return std::nullopt;
    take_version(versions[versions.size() - 2], before);
    take_version(versions.back(), after);
    return Sides(before, after);
  }

  static void take_version(const store::StoredVersion& version, Side& side) {
    side.about.name = "version " + version.name;
    side.about.began = version.began;
    side.url = with_label(side.url, "version", version.name);
    side.part = version.name;
  }

  void compare(const std::string& service, Sides& sides, const HostProfiles& first, const HostProfiles& second) {
    auto& [before, after] = sides;
    before.about.hosts = first.hosts.size();
    after.about.hosts = second.hosts.size();
    std::ranges::set_difference(second.hosts, first.hosts, std::inserter(only_after_.back(), only_after_.back().end()));
    output::FleetComparison comparison{.service = service,
                                       .before = before.about,
                                       .after = after.about,
                                       .why_not = why_not(before.about, after.about),
                                       .verdict = {},
                                       .command = diff_command_line(shown(before.url), shown(after.url))};
    if (comparison.why_not.empty()) {
      comparison.verdict =
          analysis::compare_hosts({.profiles = first, .hosts = runs_of(before, first)},
                                  {.profiles = second, .hosts = runs_of(after, second)}, contents_.event, rules_);
    }
    contents_.comparisons.push_back(std::move(comparison));
  }

  static void add_functions(const FleetFunctions& more, FleetFunctions& functions) {
    std::set<std::uint64_t> known;
    for (const FleetFunction& function : functions) known.insert(function.key);
    for (const FleetFunction& function : more) {
      if (known.insert(function.key).second) functions.push_back(function);
    }
  }

  static std::string why_not(const output::FleetSide& before, const output::FleetSide& after) {
    constexpr std::uint64_t fewest = 4;  // the repeats from which a gate knows the spread: see analysis::spread_of()
    if (before.hosts == 0) return fmt::format("no samples: {}", before.name);
    if (after.hosts == 0) return fmt::format("no samples: {}", after.name);
    if (before.hosts + after.hosts >= fewest) return {};
    return fmt::format("{} hosts on both sides together do not tell how much hosts differ; {} do",
                       before.hosts + after.hosts, fewest);
  }

  // What is known of the hosts' recordings, in the order of the profiles.
  std::vector<analysis::Run> runs_of(const Side& side, const HostProfiles& profiles) const {
    std::vector<analysis::Run> known = store::describe_hosts(engine_, side.url.selection);
    std::vector<analysis::Run> runs(profiles.hosts.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto run = std::ranges::lower_bound(known, profiles.hosts[i], {}, store::host_of);
      if (run != known.end() && store::host_of(*run) == profiles.hosts[i]) runs[i] = std::move(*run);
    }
    return runs;
  }

  void finish() {
    store::check_unchanged(engine_, url_.selection, state_);
    contents_.hosts = costs_.hosts();
    contents_.all = costs_.all();
    contents_.others = costs_.others();
    for (analysis::FunctionCost& cost : costs_.take(contents_.rules.interval_level)) {
      const std::string command = flame_command_line(shown(wanted_), cost.function.name);
      contents_.functions.push_back({.cost = std::move(cost), .command = command});
    }
    find_odd_hosts();
    if (contents_.comparisons.empty()) {
      contents_.no_comparison =
          "nothing to compare: no service has two versions (label version); --since TIME compares two times, and "
          "--baseline NAME=VALUE other recordings";
    }
  }

  void find_odd_hosts() {
    const auto odd = analysis::odd_hosts(distances_, contents_.rules);
    for (std::size_t service = 0; service < odd.size(); ++service) {
      for (const analysis::OddHost& host : odd[service]) add_odd_host(service, host);
    }
    std::ranges::stable_sort(contents_.odd_hosts, std::ranges::greater{},
                             [](const output::OddHostRow& row) { return row.distance.distance.value; });
  }

  void add_odd_host(std::size_t service, const analysis::OddHost& odd) {
    const analysis::HostDistances& distances = distances_[service];
    const analysis::HostDistance& distance = distances.hosts[odd.index];
    const std::string& name = names_[service][distance.host];
    const StoreUrl usual = with_label(shown(wanted_), "service", services_[service]);
    output::OddHostRow row{.service = services_[service],
                           .host = name,
                           .distance = distance,
                           .usual = distances.usual,
                           .usual_elsewhere = distances.usual_elsewhere,
                           .adjusted_p = odd.adjusted_p,
                           .side = {},
                           .command = diff_command_line(usual, with_label(usual, "host", name))};
    if (only_after_[service].contains(name)) row.side = side_after(services_[service]);
    contents_.odd_hosts.push_back(std::move(row));
  }

  std::string side_after(const std::string& service) const {
    const auto found = std::ranges::find(contents_.comparisons, service, &output::FleetComparison::service);
    return found != contents_.comparisons.end() ? found->after.name : std::string();
  }

  store::Engine& engine_;
  const StoreUrl& url_;
  const FleetSides& sides_;
  StoreUrl wanted_;  // with the event that is looked at
  std::string state_;
  analysis::Rules rules_;
  analysis::FleetCosts costs_;
  // By service.
  std::vector<std::string> services_;
  std::vector<std::vector<std::string>> names_;  // of hosts
  std::vector<analysis::HostDistances> distances_;
  std::vector<std::set<std::string>> only_after_;  // hosts of the side `after` only
  output::FleetContents contents_;
};

}  // namespace

output::FleetContents ask_fleet(store::Engine& engine, const StoreUrl& url, const FleetSides& sides,
                                const std::function<void(std::string_view service)>& tell) {
  output::FleetContents contents;
  store::read_unchanged([&] { contents = FleetQuestions(engine, url, sides).ask(tell); });
  return contents;
}

}  // namespace perfsift::tools
