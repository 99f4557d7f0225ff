#include "tools/sort/refused_keys.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "base/error.h"
#include "base/printable.h"
#include "output/table/key_columns.h"

namespace perfsift::tools {
namespace {

using analysis::RowsOf;

struct RefusedKeys {
  std::optional<RowsOf> rows;  // where they are refused; nothing: in all tables
  std::string_view reason;
  std::vector<std::string_view> names;
};

const std::vector<RefusedKeys>& refused_keys() {
  static const std::vector<RefusedKeys> refused = {
      {RowsOf::samples,
       "every row has these amounts; --order self or total says which comes first",
       {"overhead", "overhead_children", "sample", "period"}},
      {RowsOf::samples,
       "--sort comm,dso with --kernel-only or --user-only separates the parts",
       {"overhead_sys", "overhead_us", "overhead_guest_sys", "overhead_guest_us"}},
      {RowsOf::samples, "the key of threads is pid, as in perf report, and the key of processes is tgid", {"tid"}},
      {RowsOf::samples, "--callers FUNCTION shows who calls a function", {"parent"}},
      {RowsOf::samples, "sort by cpu or socket; perfsift info --header shows the topology", {"node"}},
      {RowsOf::samples,
       "it multiplies the number of each sample by the samples of the row; --sort local_weight has the number itself",
       {"weight", "weight1"}},
      {RowsOf::samples,
       "it multiplies the number of each sample by the samples of the row; --sort local_ins_lat has the number itself",
       {"ins_lat", "weight2"}},
      {RowsOf::samples,
       "it multiplies the number of each sample by the samples of the row; --sort local_p_stage_cyc has the number "
       "itself",
       {"p_stage_cyc", "retire_lat", "weight3"}},
      {RowsOf::samples,
       "rows would hardly have more than one sample; perfsift script -F trace prints it",
       {"trace", "trace_fields"}},
      {RowsOf::samples,
       "it says how many threads ran at the same time, which reports do not compute",
       {"parallelism", "latency", "latency_children"}},
      {RowsOf::samples,
       "it belongs to recorded branches (perf record -b), which reports do not read",
       {"dso_from", "dso_to", "symbol_from", "symbol_to", "srcline_from", "srcline_to", "addr_from", "addr_to",
        "mispredict", "abort", "in_tx", "cycles", "ipc_lbr", "ipc_null", "callchain_branch_predicted",
        "callchain_branch_abort", "callchain_branch_cycles"}},
      {RowsOf::samples,
       "it is the number of the namespace of control groups; --sort cgroup shows the control group",
       {"cgroup_id"}},
      {RowsOf::samples,
       "it belongs to memory accesses; perfsift mem --sort has it",
       {"type", "typeoff", "typecln", "symoff", "cache", "memory", "dtlb"}},
      {RowsOf::accesses, "--raw prints the time of each access, and --time chooses some", {"time"}},
      {RowsOf::accesses,
       "member and field show the part of a variable, by debug information",
       {"type", "typeoff", "typecln", "symoff"}},
      {RowsOf::accesses, "sort by cpu or cpu_node; perfsift info --header shows the topology", {"socket"}},
      {RowsOf::accesses, "perfsift script -F prints it", {"trace", "trace_fields", "cgroup_id"}},
      {RowsOf::accesses, "perfsift report knows it", {"parent", "overhead", "overhead_children", "sample", "period"}},
      {std::nullopt, "it belongs to vector operations in traces of Arm SPE, which are not read", {"simd"}},
      {std::nullopt, "it distinguishes no more than the name does", {"symbol_size", "dso_size"}},
  };
  return refused;
}

// The reason why these rows do not have a key that perf, or another command, has.
std::optional<std::string_view> reason_for(RowsOf rows, std::string_view name) {
  const auto some = std::ranges::find_if(refused_keys(), [&](const RefusedKeys& keys) {
    return keys.rows.value_or(rows) == rows && std::ranges::count(keys.names, name) != 0;
  });
  if (some != refused_keys().end()) return some->reason;
  const bool samples = rows == RowsOf::samples;
  if (!analysis::find_key(samples ? RowsOf::accesses : RowsOf::samples, name)) return std::nullopt;
  return samples ? "it belongs to memory accesses; perfsift mem --sort has it" : "perfsift report knows it";
}

}  // namespace

void refuse_key(RowsOf rows, std::string_view name) {
  if (const auto reason = reason_for(rows, name)) throw UsageError(fmt::format("--sort {}: {}", name, *reason));
  const std::vector<std::string_view> keys = output::names_of(analysis::keys_of(rows));
  const std::string_view near = nearest(name, keys);
  throw UsageError(
      printable(fmt::format("--sort {}: no such key{}; there are {}", name,
                            near.empty() ? "" : fmt::format(", did you mean {}?", near), fmt::join(keys, ", "))));
}

}  // namespace perfsift::tools
