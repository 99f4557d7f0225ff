#include "output/fleet/fleet_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/duration.h"
#include "base/printable.h"
#include "output/gate/verdict_text.h"
#include "store/fleet_sums.h"

namespace perfsift::output {
namespace {

using analysis::Estimate;
using analysis::Finding;
using analysis::FindingKind;

std::string percent(double share) { return fmt::format("{:.2f}", 100 * share); }

// "service shop", or what stands for it.
std::string service_text(std::string_view service) {
  return service.empty() ? "recordings without a service" : "service " + printable(service);
}
std::string host_text(std::string_view host) { return host.empty() ? "(no host)" : printable(host); }

bool is_change(const Finding& finding) {
  return finding.kind == FindingKind::dearer || finding.kind == FindingKind::added ||
         finding.kind == FindingKind::cheaper || finding.kind == FindingKind::gone;
}

class FleetText {
 public:
  FleetText(const FleetContents& contents, TextWriter& out) : contents_(contents), out_(out) {}

  void write() {
    headline();
    functions();
    out_.text("\nWhat changed\n");
    changes();
    out_.text("\nOdd hosts\n");
    odd_hosts();
    if (!contents_.notes.empty()) out_.character('\n');
    for (const std::string& note : contents_.notes) out_.format("{}\n", printable(note));
  }

 private:
  std::string confidence() const { return fmt::format("{:.10g} %", 100 - 100 * contents_.rules.interval_level); }
  std::size_t shown(std::size_t rows) const { return contents_.limit != 0 ? std::min(contents_.limit, rows) : rows; }
  void tell_of_more(std::size_t rows) {
    if (shown(rows) < rows) out_.format("  {} more (--limit 0 shows all)\n", rows - shown(rows));
  }
  std::string amount_text(const analysis::Amount& amount) const {
    return contents_.in_nanoseconds ? fmt::format("{:.2f}", static_cast<double>(amount.value) / 1e9)
                                    : std::to_string(amount.samples);
  }

  void headline() {
    out_.format("{}: {}, {}, {} of {}", printable(contents_.store), counted(contents_.hosts, "host"),
                counted(contents_.recordings, "recording"), counted(contents_.all.samples, "sample"),
                printable(contents_.event));
    if (contents_.in_nanoseconds) out_.format(", {} CPU seconds", amount_text(contents_.all));
    out_.character('\n');
  }

  void functions() {
    out_.format("\nFunctions that cost most, without their callees\n{:>7}  {:>18}  {:>12}  {:>6}  function\n", "self %",
                confidence() + " interval", contents_.in_nanoseconds ? "CPU seconds" : "samples", "hosts");
    for (std::size_t i = 0; i < shown(contents_.functions.size()); ++i) {
      const analysis::FunctionCost& cost = contents_.functions[i].cost;
      out_.format("{:>7}  {:>18}  {:>12}  {:>6}  {}\n", percent(cost.share.value),
                  fmt::format("{} to {}", percent(cost.share.low), percent(cost.share.high)), amount_text(cost.amount),
                  cost.hosts, name_text(cost.function));
    }
    tell_of_more(contents_.functions.size());
    if (contents_.others.samples != 0) {
      const double share = static_cast<double>(contents_.others.value) /
                           static_cast<double>(std::max<std::uint64_t>(contents_.all.value, 1));
      out_.format("{:>7}  {:>18}  {:>12}  {:>6}  functions with less than {:.10g} % of their service\n", percent(share),
                  "", amount_text(contents_.others), "", 100 * store::least_of_service);
    }
    out_.format("  {}\n", contents_.command);
  }

  void changes() {
    if (!contents_.no_comparison.empty()) out_.format("  {}\n", contents_.no_comparison);
    for (const FleetComparison& comparison : contents_.comparisons) write(comparison);
  }

  void write(const FleetComparison& comparison) {
    const FleetSide &before = comparison.before, &after = comparison.after;
    out_.format("{}: ", service_text(comparison.service));
    if (!comparison.verdict) {
      out_.format("not compared: {}\n", printable(comparison.why_not));
      return;
    }
    out_.format("{} ({}", printable(after.name), counted(after.hosts, "host"));
    if (after.began) out_.format(", since {:%Y-%m-%dT%H:%M:%SZ}", began(after));
    out_.format(") against {} ({})\n", printable(before.name), counted(before.hosts, "host"));
    reasons(*comparison.verdict);
    findings(comparison);
  }

  static std::tm began(const FleetSide& side) {
    return fmt::gmtime(static_cast<std::time_t>(*side.began / one_second));
  }

  void reasons(const analysis::Verdict& verdict) {
    std::size_t untolerated = 0;
    for (const analysis::Reason& reason : verdict.reasons) {
      if (reason.tolerated || ++untolerated > shown(verdict.reasons.size())) continue;
      out_.format("  cannot judge: {}: {}\n", reason.key, printable(reason.text));
    }
    if (untolerated > shown(verdict.reasons.size()))
      out_.format("  cannot judge: {} more reasons\n", untolerated - shown(verdict.reasons.size()));
  }

  void findings(const FleetComparison& comparison) {
    const analysis::Verdict& verdict = *comparison.verdict;
    const auto changes = static_cast<std::size_t>(std::ranges::count_if(verdict.findings, is_change));
    std::size_t rows = 0;
    for (const Finding& finding : verdict.findings) {
      if (!is_change(finding) || rows++ >= shown(changes)) continue;
      out_.format("  {}\n    {} before, {} after; adjusted p = {:.2g}\n", finding_sentence(finding, verdict.rules),
                  counted(finding.before.samples, "sample"), finding.after.samples, finding.adjusted_p);
    }
    tell_of_more(changes);
    const auto undecided = std::ranges::count(verdict.findings, FindingKind::undecided, &Finding::kind);
    if (changes == 0 && comparison.is_judged()) {
      out_.format("  no function changed by {} % of total cost or more, of {}\n", percent(verdict.rules.min_effect),
                  counted(verdict.tests, "test"));
    }
    if (undecided != 0)
      out_.format("  undecided, as hosts differ too much: {}\n",
                  counted(static_cast<std::uint64_t>(undecided), "function"));
    out_.format("  {}\n", comparison.command);
  }

  void odd_hosts() {
    for (const JudgedHosts& hosts : contents_.judged_hosts) {
      if (hosts.judged != 0 && hosts.too_few_samples == 0) continue;
      out_.format("{}: ", service_text(hosts.service));
      if (hosts.judged == 0) {
        out_.format("not judged, as {} with {} samples or more are needed; it has {}\n",
                    counted(contents_.rules.min_hosts, "host"), contents_.rules.min_samples,
                    hosts.all - hosts.too_few_samples);
      } else {
        out_.format("{} not judged, as each has fewer than {} samples\n", counted(hosts.too_few_samples, "host"),
                    contents_.rules.min_samples);
      }
    }
    const std::size_t judged = contents_.hosts_judged();
    if (judged == 0) return;
    if (contents_.odd_hosts.empty()) out_.format("  none of {}\n", counted(judged, "host"));
    for (std::size_t i = 0; i < shown(contents_.odd_hosts.size()); ++i) write(contents_.odd_hosts[i]);
    tell_of_more(contents_.odd_hosts.size());
  }

  void write(const OddHostRow& row) {
    const Estimate& distance = row.distance.distance;
    out_.format("{}, host {}{}: {} % of its samples are elsewhere than usual (median of hosts: {} %)\n",
                service_text(row.service), host_text(row.host), row.side.empty() ? "" : ", only " + printable(row.side),
                percent(row.distance.elsewhere), percent(row.usual_elsewhere));
    if (const auto& function = row.distance.function) {
      const Estimate& effect = function->effect;
      out_.format("  {}: {:+.2f} % of its samples beyond the usual {} % ({} interval {:+.2f} % to {:+.2f} %)\n",
                  name_text(function->function), 100 * effect.value, percent(function->usual), confidence(),
                  100 * effect.low, 100 * effect.high);
    }
    out_.format("  distance {:.3f} ({} interval {:.3f} to {:.3f}), usual {:.3f}; adjusted p = {:.2g}\n  {}\n",
                distance.value, confidence(), distance.low, distance.high, row.usual, row.adjusted_p, row.command);
  }

  const FleetContents& contents_;
  TextWriter& out_;
};

}  // namespace

void write_fleet_text(const FleetContents& contents, TextWriter& out) { FleetText(contents, out).write(); }

}  // namespace perfsift::output
