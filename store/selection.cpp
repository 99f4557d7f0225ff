#include "store/selection.h"

#include <limits>

namespace perfsift::store {

// A recording without the label has the value ''.
const char* const condition_on_recordings =
    "NOT removed AND arrayAll((name, values) -> has(arrayMap(v -> unhex(v), values), labels[unhex(name)]), "
    "{label_names:Array(String)}, {label_values:Array(Array(String))})";

const char* const condition_on_beginnings =
    "toUnixTimestamp64Nano(began) - if(bucket = 0, 0, toUnixTimestamp64Nano(began) % (toInt64(greatest(bucket, 1)) * "
    "1000000000)) >= {from:UInt32} * 1000000000 AND toUnixTimestamp64Nano(began) + if(bucket = 0, 0, "
    "toInt64(bucket) * 1000000000 - 1 - toUnixTimestamp64Nano(began) % (toInt64(greatest(bucket, 1)) * 1000000000)) < "
    "{to:UInt32} * 1000000000";

// FINAL: the newest row of each.
std::string Selection::wanted_recordings() const {
  if (!kept_recordings.empty()) return kept_recordings;
  return std::string("recordings FINAL WHERE ") + condition_on_recordings;
}

std::string Selection::further_condition_on_samples() const {
  std::string condition;
  if (from) condition += " AND time >= fromUnixTimestamp({from:UInt32})";
  if (to) condition += " AND time < fromUnixTimestamp({to:UInt32})";
  // The engine uses its index for a set that a query gives, and not for an array.
  if (labels.contains("service")) condition += " AND service IN (SELECT unhex(arrayJoin({services:Array(String)})))";
  if (!events.empty()) condition += " AND event IN (SELECT unhex(arrayJoin({events:Array(String)})))";
  if (!threads.empty()) condition += " AND thread IN (SELECT unhex(arrayJoin({threads:Array(String)})))";
  if (!cgroups.empty()) condition += " AND cgroup IN (SELECT unhex(arrayJoin({cgroups:Array(String)})))";
  return condition;
}

Parameters Selection::parameters() const {
  std::vector<std::string> names, services;
  std::vector<std::vector<std::string>> values;
  for (const auto& [name, wanted] : labels) {
    names.push_back(name);
    values.push_back(wanted);
    if (name == "service") services = wanted;
  }
  Parameters parameters;
  parameters.texts("label_names", names);
  parameters.texts("label_values", std::span<const std::vector<std::string>>(values));
  parameters.texts("services", services);
  parameters.texts("events", events);
  parameters.texts("threads", threads);
  parameters.texts("cgroups", cgroups);
  parameters.number("from", from.value_or(0));
  parameters.number("to", to.value_or(std::numeric_limits<std::uint32_t>::max()));
  return parameters;
}

}  // namespace perfsift::store
