#include "output/fleet/fleet_json.h"

#include <algorithm>

#include "base/printable_utf8.h"
#include "output/gate/verdict_json.h"

namespace perfsift::output {
namespace {

Json json_of(const CostRow& row, const FleetContents& contents) {
  const analysis::FunctionCost& cost = row.cost;
  Json services = Json::array();
  for (const std::string& service : cost.services) services.push_back(printable_utf8(service));
  Json json{{"function", function_json(cost.function)},
            {"samples", cost.amount.samples},
            {"value", cost.amount.value},
            {"seconds", Json()},
            {"share", estimate_json(cost.share)},
            {"hosts", cost.hosts},
            {"services", std::move(services)},
            {"command", row.command}};
  if (contents.in_nanoseconds) json["seconds"] = static_cast<double>(cost.amount.value) / 1e9;
  return json;
}

Json json_of(const FleetSide& side) {
  return {
      {"name", printable_utf8(side.name)}, {"hosts", side.hosts}, {"began", side.began ? Json(*side.began) : Json()}};
}

Json json_of(const FleetComparison& comparison) {
  return {{"service", printable_utf8(comparison.service)},
          {"before", json_of(comparison.before)},
          {"after", json_of(comparison.after)},
          {"why_not", comparison.why_not.empty() ? Json() : Json(printable_utf8(comparison.why_not))},
          {"verdict", comparison.verdict ? verdict_json(*comparison.verdict, {}) : Json()},
          {"command", comparison.command}};
}

Json json_of(const OddHostRow& row) {
  Json json{{"service", printable_utf8(row.service)},
            {"host", printable_utf8(row.host)},
            {"samples", row.distance.samples},
            {"distance", estimate_json(row.distance.distance)},
            {"usual_distance", row.usual},
            {"elsewhere", row.distance.elsewhere},
            {"usual_elsewhere", row.usual_elsewhere},
            {"p", row.distance.p},
            {"adjusted_p", row.adjusted_p},
            {"side", row.side.empty() ? Json() : Json(printable_utf8(row.side))},
            {"function", Json()},
            {"command", row.command}};
  if (const auto& function = row.distance.function) {
    json["function"] = {{"function", function_json(function->function)},
                        {"usual", function->usual},
                        {"effect", estimate_json(function->effect)}};
  }
  return json;
}

Json json_of(const JudgedHosts& hosts) {
  return {{"service", printable_utf8(hosts.service)},
          {"hosts", hosts.all},
          {"judged", hosts.judged},
          {"too_few_samples", hosts.too_few_samples}};
}

template <typename Row>
Json list_of(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) list.push_back(json_of(row));
  return list;
}

}  // namespace

Json fleet_json(const FleetContents& contents) {
  Json functions = Json::array(), notes = Json::array();
  const std::size_t rows =
      contents.limit != 0 ? std::min(contents.limit, contents.functions.size()) : contents.functions.size();
  for (std::size_t i = 0; i < rows; ++i) functions.push_back(json_of(contents.functions[i], contents));
  for (const std::string& note : contents.notes) notes.push_back(printable_utf8(note));
  return {{"store", printable_utf8(contents.store)},
          {"event", printable_utf8(contents.event)},
          {"unit", contents.in_nanoseconds ? "nanoseconds" : printable_utf8(contents.unit)},
          {"recordings", contents.recordings},
          {"hosts", contents.hosts},
          {"samples", contents.all.samples},
          {"value", contents.all.value},
          {"functions", std::move(functions)},
          {"other_functions", {{"samples", contents.others.samples}, {"value", contents.others.value}}},
          {"comparisons", list_of(contents.comparisons)},
          {"no_comparison", contents.no_comparison.empty() ? Json() : Json(contents.no_comparison)},
          {"odd_hosts", list_of(contents.odd_hosts)},
          {"judged_hosts", list_of(contents.judged_hosts)},
          {"rules",
           {{"level", contents.rules.level},
            {"interval_level", contents.rules.interval_level},
            {"min_share", contents.rules.min_share},
            {"min_samples", contents.rules.min_samples},
            {"min_hosts", contents.rules.min_hosts}}},
          {"command", contents.command},
          {"notes", std::move(notes)}};
}

}  // namespace perfsift::output
