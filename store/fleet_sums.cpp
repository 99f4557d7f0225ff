#include "store/fleet_sums.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "analysis/samples/stack_options.h"
#include "store/engine/row_binary.h"
#include "store/hosts.h"
#include "store/wanted_rows.h"

namespace perfsift::store {
namespace {

// The key of a function, of columns of the table functions.
constexpr const char* key_of_function = "sipHash64(name, splitByChar('/', binary)[-1])";

// SQL: the part that a row belongs to, of columns of the tables samples and recordings.
std::string part_of(const FleetParts& parts) {
  if (parts.since) return "toString(time >= fromUnixTimestamp({since:UInt32}))";
  return parts.versions ? "version" : "''";
}

// The samples of each host in each function itself, by part and by the key of the function. Tables replace equal rows
// only some time after they were added: ANY takes one of them. Stacks and functions that are missing are an error, as a
// smaller sum would look whole. A stack without frames has the key of a function without a name.
std::string cells_of(const Selection& selection, const FleetParts& parts) {
  const std::string keys = fmt::format(
      "SELECT stack, if(function = 0, sipHash64('', ''), key) AS key, 1 AS has_stack FROM "
      "(SELECT id AS stack, frames[-1] AS function FROM stacks WHERE {}) AS k LEFT ANY JOIN "
      "(SELECT id AS function, {} AS key, 1 AS is_known FROM functions) AS f "
      "USING function WHERE throwIf(function != 0 AND is_known = 0, 'a function is missing') = 0",
      wanted_stacks("samples", selection), key_of_function);
  return fmt::format(
      "SELECT {} AS part, host, key, min(began) AS first, sum(toUInt128(t.samples)) AS samples, "
      "sum(toUInt128(t.value)) AS value FROM (SELECT stack, load, time, samples, value FROM samples WHERE {}) AS t "
      "LEFT ANY JOIN ({}) AS f USING stack "
      "INNER JOIN (SELECT load, labels['host'] AS host, labels['version'] AS version, began FROM {}) AS h "
      "USING load WHERE throwIf(has_stack = 0, 'a stack is missing') = 0 GROUP BY part, host, key",
      part_of(parts), wanted_samples(selection), keys, selection.wanted_recordings());
}

Parameters parameters_of(const Selection& selection, const FleetParts& parts) {
  Parameters parameters = selection.parameters();
  parameters.number("since", parts.since.value_or(0));
  return parameters;
}

// SQL: the sides that a part belongs to, one row for each.
constexpr const char* sides_of_part =
    "arrayJoin(arrayConcat([0], arrayFilter(side -> unhex({sides:Array(String)}[side]) = part, "
    "arrayEnumerate({sides:Array(String)}))))";

// SQL: the keys of functions that are frequent on a side, or on one of its hosts, which are few. Arrays keep the cells
// of a host together without sorting them.
std::string keys_that_matter(std::string_view cells) {
  const std::string of_hosts = fmt::format(
      "SELECT side, groupArray((key, samples)) AS cells, sum(samples) AS of_host FROM (SELECT {} AS side, host, key, "
      "sum(samples) AS samples FROM {} GROUP BY side, host, key) GROUP BY side, host",
      sides_of_part, cells);
  return fmt::format(
      "SELECT side, cell.1 AS key, sum(cell.2) AS of_function, of_function >= {{least:Array(UInt64)}}[side + 1] AS "
      "is_frequent, max(cell.2 / of_host) AS largest FROM ({}) ARRAY JOIN cells AS cell GROUP BY side, key "
      "HAVING is_frequent OR largest >= {} ORDER BY is_frequent DESC, largest DESC, key "
      "LIMIT {{most_functions:UInt64}} BY side",
      of_hosts, least_of_host);
}

struct FunctionOfShards {
  FleetFunction function;
  std::uint64_t samples = 0;
};

std::uint32_t side_in(RowReader& row, std::size_t sides) {
  const std::uint32_t side = row.u32();
  if (side >= sides) throw InputError("the engine gives a side that is not there");
  return side;
}

// By side, and by key.
using FunctionsOfSides = std::vector<std::unordered_map<std::uint64_t, FunctionOfShards>>;

void add_functions(const std::string& answer, FunctionsOfSides& functions) {
  for (RowReader row(answer); !row.at_end();) {
    auto& of_side = functions[side_in(row, functions.size())];
    const std::uint64_t key = row.u64();
    auto& [function, samples] = of_side[key];
    function.key = key;
    function.name.name = row.text();
    function.name.binary = row.text();
    if (function.name.name.empty()) function.name.name = analysis::no_stack_frame;
    samples += small_sum(row);
  }
}

FleetFunctions most_frequent_first(std::unordered_map<std::uint64_t, FunctionOfShards> functions) {
  std::vector<FunctionOfShards> sorted;
  for (auto& [key, function] : functions) sorted.push_back(std::move(function));
  std::ranges::sort(sorted, [](const FunctionOfShards& a, const FunctionOfShards& b) {
    return std::pair(b.samples, a.function.key) < std::pair(a.samples, b.function.key);
  });
  FleetFunctions result;
  for (FunctionOfShards& each : sorted) result.push_back(std::move(each.function));
  return result;
}

// By key.
using FunctionNumbers = std::unordered_map<std::uint64_t, std::uint32_t>;

FunctionNumbers numbers_of(std::span<const FleetFunction> functions) {
  FunctionNumbers numbers;
  for (const FleetFunction& function : functions)
    numbers.emplace(function.key, static_cast<std::uint32_t>(numbers.size() + 1));
  return numbers;
}

// Rows of shards, added up: a function may have stacks on each of them.
using CellsOfHosts = std::map<std::string, std::map<std::uint32_t, analysis::Amount>>;

analysis::HostProfiles profiles_of(const CellsOfHosts& sums, std::span<const FleetFunction> functions) {
  analysis::HostProfiles profiles;
  for (const FleetFunction& function : functions) profiles.functions.push_back(function.name);
  for (const auto& [host, cells] : sums) {
    const auto number = static_cast<std::uint32_t>(profiles.hosts.size());
    profiles.hosts.push_back(host);
    for (const auto& [function, amount] : cells)
      profiles.cells.push_back({.host = number, .function = function, .amount = amount});
  }
  return profiles;
}

// The key 0 is that of no function: the sum of all others.
void add_cells(const std::string& answer, std::span<const FunctionNumbers> numbers, std::span<CellsOfHosts> sums) {
  for (RowReader row(answer); !row.at_end();) {
    const std::uint32_t side = side_in(row, sums.size());
    auto& cells = sums[side][std::string(row.text())];
    const auto known = numbers[side].find(row.u64());
    const std::uint32_t function = known != numbers[side].end() ? known->second : analysis::HostProfiles::others;
    const std::uint64_t samples = small_sum(row);
    cells[function] += {.samples = samples, .value = small_sum(row)};
  }
}

}  // namespace

std::vector<std::string> services_of(Engine& engine, const Selection& selection) {
  std::set<std::string> services;
  for (const std::string& answer :
       engine.query_shards(fmt::format("SELECT DISTINCT service FROM samples WHERE {}", wanted_samples(selection)),
                           selection.parameters())) {
    for (RowReader row(answer); !row.at_end();) services.emplace(row.text());
  }
  return {services.begin(), services.end()};
}

FleetSums::FleetSums(Engine& engine, const Selection& selection, const FleetParts& parts)
    : engine_(engine),
      parameters_(parameters_of(selection, parts)),
      cells_(engine, cells_of(selection, parts), parameters_) {
  read_parts();
}

void FleetSums::read_parts() {
  for (const std::string& answer : engine_.query_shards(
           fmt::format("SELECT part, toUInt64(toUnixTimestamp64Nano(min(first))), sum(samples) FROM {} GROUP BY part",
                       cells_.source()),
           parameters_)) {
    for (RowReader row(answer); !row.at_end();) {
      std::string name(row.text());
      const std::uint64_t began = row.u64();
      const auto [part, is_new] = parts_.try_emplace(std::move(name), Part{.began = began});
      part->second.began = std::min(part->second.began, began);
      part->second.samples += small_sum(row);
    }
  }
}

std::vector<StoredVersion> FleetSums::versions() const {
  std::vector<StoredVersion> in_order;
  for (const auto& [name, part] : parts_) {
    if (!name.empty()) in_order.push_back({.name = name, .began = part.began});
  }
  std::ranges::stable_sort(in_order, [](const StoredVersion& a, const StoredVersion& b) {
    return a.began != b.began ? a.began < b.began : strverscmp(a.name.c_str(), b.name.c_str()) < 0;
  });
  return in_order;
}

// A function with a share of all samples has that share, divided by the number of shards, on one shard at least.
std::vector<FleetFunctions> FleetSums::functions_that_matter() {
  const auto shards = static_cast<double>(engine_.shards());
  Parameters parameters = with_sides();
  parameters.numbers("least", least_of_sides(shards));
  parameters.number("most_functions", most_functions_of_hosts + static_cast<std::uint64_t>(shards / least_of_service));
  const std::string sql = fmt::format(
      "SELECT side, key, name, file_name, of_function FROM ({}) AS k LEFT ANY JOIN "
      "(SELECT {} AS key, name, splitByChar('/', binary)[-1] AS file_name FROM functions) AS f USING key",
      keys_that_matter(cells_.source()), key_of_function);
  FunctionsOfSides functions(1 + sides_.size());
  for (const std::string& answer : engine_.query_shards(sql, parameters)) add_functions(answer, functions);
  std::vector<FleetFunctions> result;
  for (auto& of_side : functions) result.push_back(most_frequent_first(std::move(of_side)));
  return result;
}

std::vector<analysis::HostProfiles> FleetSums::host_profiles(std::span<const FleetFunctions> functions) {
  std::vector<FunctionNumbers> numbers;
  std::set<std::uint64_t> keys;
  for (const FleetFunctions& of_side : functions) {
    numbers.push_back(numbers_of(of_side));
    for (const FleetFunction& function : of_side) keys.insert(function.key);
  }
  Parameters parameters = with_sides();
  parameters.numbers("keys", std::vector(keys.begin(), keys.end()));
  std::vector<CellsOfHosts> sums(functions.size());
  for (const std::string& answer : engine_.query_shards(
           fmt::format("SELECT {} AS side, host, if(key IN (SELECT arrayJoin({{keys:Array(UInt64)}})), key, 0) AS one, "
                       "sum(samples), sum(value) FROM {} GROUP BY side, host, one",
                       sides_of_part, cells_.source()),
           parameters)) {
    add_cells(answer, numbers, sums);
  }
  std::vector<analysis::HostProfiles> profiles;
  for (std::size_t side = 0; side < functions.size(); ++side)
    profiles.push_back(profiles_of(sums[side], functions[side]));
  return profiles;
}

Parameters FleetSums::with_sides() const {
  Parameters parameters = parameters_;
  parameters.texts("sides", sides_);
  return parameters;
}

// How many samples a function needs on a shard to be frequent.
std::vector<std::uint64_t> FleetSums::least_of_sides(double shards) const {
  std::uint64_t all = 0;
  for (const auto& [name, part] : parts_) all += part.samples;
  std::vector<std::uint64_t> samples = {all};
  for (const std::string& side : sides_) {
    const auto part = parts_.find(side);
    samples.push_back(part != parts_.end() ? part->second.samples : 0);
  }
  std::vector<std::uint64_t> least;
  for (const std::uint64_t of_side : samples)
    least.push_back(static_cast<std::uint64_t>(static_cast<double>(of_side) * least_of_service / shards));
  return least;
}

}  // namespace perfsift::store
