#include "store/hosts.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/profile/quality_facts.h"
#include "store/engine/row_binary.h"
#include "store/wanted_rows.h"

namespace perfsift::store {
namespace {

constexpr std::string_view before_host = "host=";

// The value of a label that all recordings of a host have, or none.
std::string only_label(std::string_view name) {
  return fmt::format("if(uniqExact(labels['{0}']) = 1, any(labels['{0}']), '')", name);
}

// Of lost callers there is a row for each function of a load: most rows, and a gate does not look at them.
void add_quality(Engine& engine, const Selection& selection, std::vector<analysis::Run>& hosts) {
  const std::string answer = engine.query(
      fmt::format("SELECT host, fact, reason, place, sum(count) FROM (SELECT load, fact, reason, place, count FROM "
                  "quality WHERE fact != 'lost_caller' AND {}) AS q INNER JOIN ({}) AS r USING load "
                  "GROUP BY host, fact, reason, place ORDER BY host, fact, reason, place",
                  wanted_loads(selection), hosts_of_loads(selection)),
      selection.parameters());
  auto run = hosts.begin();
  for (RowReader row(answer); !row.at_end();) {
    const std::string_view host = row.text();
    analysis::QualityFact fact;
    fact.fact = row.text();
    fact.reason = row.text();
    fact.place = row.text();
    fact.count = row.u64();
    while (run != hosts.end() && host_of(*run) < host) ++run;
    if (run != hosts.end() && host_of(*run) == host) analysis::add(fact, *run->quality);
  }
}

}  // namespace

std::string hosts_of_loads(const Selection& selection) {
  return fmt::format("SELECT load, labels['host'] AS host FROM {}", selection.wanted_recordings());
}

std::string_view host_of(const analysis::Run& run) {
  return std::string_view(run.name).substr(std::min(run.name.size(), before_host.size()));
}

std::vector<analysis::Run> describe_hosts(Engine& engine, const Selection& selection) {
  const std::string answer =
      engine.query(fmt::format("SELECT labels['host'] AS host, {}, {} FROM {} GROUP BY host ORDER BY host",
                               only_label("kernel"), only_label("machine"), selection.wanted_recordings()),
                   selection.parameters());
  std::vector<analysis::Run> hosts;
  for (RowReader row(answer); !row.at_end();) {
    analysis::Run& host = hosts.emplace_back();
    host.name = fmt::format("{}{}", before_host, row.text());
    host.environment.emplace();
    host.environment->kernel = row.text();
    host.environment->machine = row.text();
    host.quality.emplace();
  }
  add_quality(engine, selection, hosts);
  return hosts;
}

}  // namespace perfsift::store
