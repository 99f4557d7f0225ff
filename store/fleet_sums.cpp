#include "store/fleet_sums.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
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

// The samples of each host in each function itself, by the key of the function. Tables replace equal rows only some
// time after they were added: ANY takes one of them. Stacks and functions that are missing are an error, as a smaller
// sum would look whole. A stack without frames has the key of a function without a name.
std::string sums_of_functions(const Selection& selection) {
  const std::string keys = fmt::format(
      "SELECT stack, if(function = 0, sipHash64('', ''), key) AS key, 1 AS has_stack FROM "
      "(SELECT id AS stack, frames[-1] AS function FROM stacks WHERE {}) AS k LEFT ANY JOIN "
      "(SELECT id AS function, {} AS key, 1 AS is_known FROM functions) AS f "
      "USING function WHERE throwIf(function != 0 AND is_known = 0, 'a function is missing') = 0",
      wanted_stacks("samples", selection), key_of_function);
  return fmt::format(
      "SELECT host, key, sum(s.samples) AS samples, sum(s.value) AS value FROM "
      "(SELECT load, key, sum(toUInt128(t.samples)) AS samples, sum(toUInt128(t.value)) AS value FROM "
      "(SELECT stack, load, samples, value FROM samples WHERE {}) AS t LEFT ANY JOIN ({}) AS f USING stack "
      "WHERE throwIf(has_stack = 0, 'a stack is missing') = 0 GROUP BY load, key) AS s INNER JOIN ({}) AS h USING load "
      "GROUP BY host, key",
      wanted_samples(selection), keys, hosts_of_loads());
}

// The samples on each shard.
std::vector<std::uint64_t> samples_of(Engine& engine, const Selection& selection) {
  std::vector<std::uint64_t> samples;
  for (const std::string& answer : engine.query_shards(
           fmt::format("SELECT sum(toUInt128(samples)) FROM samples WHERE {}", wanted_samples(selection)),
           selection.parameters())) {
    RowReader row(answer);
    samples.push_back(small_sum(row));
  }
  return samples;
}

struct FunctionOfShards {
  FleetFunction function;
  std::uint64_t samples = 0;
};

void add_functions(const std::string& answer, std::unordered_map<std::uint64_t, FunctionOfShards>& functions) {
  for (RowReader row(answer); !row.at_end();) {
    const std::uint64_t key = row.u64();
    auto& [function, samples] = functions[key];
    function.key = key;
    function.name.name = row.text();
    function.name.binary = row.text();
    if (function.name.name.empty()) function.name.name = analysis::no_stack_frame;
    samples += small_sum(row);
  }
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

std::vector<StoredVersion> versions_of(Engine& engine, const Selection& selection) {
  std::map<std::string, std::uint64_t> versions;
  for (const std::string& answer : engine.query_shards(
           fmt::format(
               "SELECT labels['version'] AS version, toUInt64(toUnixTimestamp64Nano(min(began))) FROM recordings "
               "FINAL WHERE {} AND load IN (SELECT load FROM samples WHERE {}) AND version != '' "
               "GROUP BY version",
               condition_on_recordings, wanted_samples(selection)),
           selection.parameters())) {
    for (RowReader row(answer); !row.at_end();) {
      std::string name(row.text());
      const std::uint64_t began = row.u64();
      const auto [version, is_new] = versions.emplace(std::move(name), began);
      version->second = std::min(version->second, began);
    }
  }
  std::vector<StoredVersion> in_order;
  for (const auto& [name, began] : versions) in_order.push_back({.name = name, .began = began});
  std::ranges::stable_sort(in_order, [](const StoredVersion& a, const StoredVersion& b) {
    return a.began != b.began ? a.began < b.began : strverscmp(a.name.c_str(), b.name.c_str()) < 0;
  });
  return in_order;
}

// A function with a share of all samples has that share, divided by the number of shards, on one shard at least.
std::vector<FleetFunction> functions_that_matter(Engine& engine, const Selection& selection) {
  const std::vector<std::uint64_t> on_shards = samples_of(engine, selection);
  const auto all = static_cast<double>(std::accumulate(on_shards.begin(), on_shards.end(), std::uint64_t{0}));
  const auto shards = static_cast<double>(on_shards.size());
  Parameters parameters = selection.parameters();
  parameters.number("least", static_cast<std::uint64_t>(all * least_of_service / shards));
  parameters.number("most_functions", most_functions_of_hosts + static_cast<std::uint64_t>(shards / least_of_service));
  const std::string keys = fmt::format(
      "SELECT key, sum(samples) AS of_function FROM (SELECT key, samples, samples / sum(samples) OVER (PARTITION BY "
      "host) AS share FROM ({})) GROUP BY key HAVING of_function >= {{least:UInt64}} OR max(share) >= {} "
      "ORDER BY of_function >= {{least:UInt64}} DESC, max(share) DESC, key LIMIT {{most_functions:UInt64}}",
      sums_of_functions(selection), least_of_host);
  const std::string sql = fmt::format(
      "SELECT key, name, file_name, of_function FROM ({}) AS k LEFT ANY JOIN "
      "(SELECT {} AS key, name, splitByChar('/', binary)[-1] AS file_name FROM functions) AS f USING key",
      keys, key_of_function);
  std::unordered_map<std::uint64_t, FunctionOfShards> functions;
  for (const std::string& answer : engine.query_shards(sql, parameters)) add_functions(answer, functions);
  std::vector<FunctionOfShards> sorted;
  for (auto& [key, function] : functions) sorted.push_back(std::move(function));
  std::ranges::sort(sorted, [](const FunctionOfShards& a, const FunctionOfShards& b) {
    return std::pair(b.samples, a.function.key) < std::pair(a.samples, b.function.key);
  });
  std::vector<FleetFunction> result;
  for (FunctionOfShards& each : sorted) result.push_back(std::move(each.function));
  return result;
}

analysis::HostProfiles host_profiles(Engine& engine, const Selection& selection,
                                     std::span<const FleetFunction> functions) {
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<std::uint64_t> keys;
  for (const FleetFunction& function : functions) {
    keys.push_back(function.key);
    numbers.emplace(function.key, static_cast<std::uint32_t>(keys.size()));
  }
  Parameters parameters = selection.parameters();
  parameters.numbers("keys", keys);
  const auto shards =
      engine.query_shards(fmt::format("SELECT host, if(key IN (SELECT arrayJoin({{keys:Array(UInt64)}})), key, 0) AS "
                                      "one, sum(samples), sum(value) FROM ({}) "
                                      "GROUP BY host, one ORDER BY host, one",
                                      sums_of_functions(selection)),
                          parameters);
  CellsOfHosts sums;
  for (const std::string& answer : shards) {
    for (RowReader row(answer); !row.at_end();) {
      auto& cells = sums[std::string(row.text())];
      const auto known = numbers.find(row.u64());
      const std::uint32_t function = known != numbers.end() ? known->second : analysis::HostProfiles::others;
      const std::uint64_t samples = small_sum(row);
      cells[function] += {.samples = samples, .value = small_sum(row)};
    }
  }
  return profiles_of(sums, functions);
}

}  // namespace perfsift::store
