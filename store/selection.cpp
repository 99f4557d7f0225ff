#include "store/selection.h"

#include <limits>

namespace perfsift::store {

// A recording without the label has the value ''.
const char* const conditions_on_recordings =
    "NOT removed AND arrayAll((name, values) -> has(arrayMap(v -> unhex(v), values), labels[unhex(name)]), "
    "{label_names:Array(String)}, {label_values:Array(Array(String))})";

// The service is the first column by which samples are ordered.
const char* const conditions_on_samples =
    "(empty({services:Array(String)}) OR service IN arrayMap(v -> unhex(v), {services:Array(String)})) AND "
    "(empty({events:Array(String)}) OR event IN arrayMap(v -> unhex(v), {events:Array(String)})) AND "
    "(empty({threads:Array(String)}) OR thread IN arrayMap(v -> unhex(v), {threads:Array(String)})) AND "
    "(empty({cgroups:Array(String)}) OR cgroup IN arrayMap(v -> unhex(v), {cgroups:Array(String)})) AND "
    "time >= fromUnixTimestamp({from:UInt32}) AND time < fromUnixTimestamp({to:UInt32})";

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
