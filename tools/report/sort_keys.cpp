#include "tools/report/sort_keys.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "tools/refused_keys.h"

namespace perfsift::tools {
namespace {

using analysis::SortKey;

const std::vector<RefusedKeys>& refused_keys_of_report() {
  static const std::vector<RefusedKeys> refused = {
      {"every row has these amounts; --order self or total says which comes first",
       {"overhead", "overhead_children", "sample", "period"}},
      {"--sort comm,dso with --kernel-only or --user-only separates the parts",
       {"overhead_sys", "overhead_us", "overhead_guest_sys", "overhead_guest_us"}},
      {"the key of threads is pid, as in perf report, and the key of processes is tgid", {"tid"}},
      {"--callers FUNCTION shows who calls a function", {"parent"}},
      {"sort by cpu or socket; perfsift info --header shows the topology", {"node"}},
      {"it multiplies the number of each sample by the samples of the row; --sort local_weight has the number itself",
       {"weight", "weight1"}},
      {"it multiplies the number of each sample by the samples of the row; --sort local_ins_lat has the number itself",
       {"ins_lat", "weight2"}},
      {"it multiplies the number of each sample by the samples of the row; --sort local_p_stage_cyc has the number "
       "itself",
       {"p_stage_cyc", "retire_lat", "weight3"}},
      {"rows would hardly have more than one sample; perfsift script -F trace prints it", {"trace", "trace_fields"}},
      {"it says how many threads ran at the same time, which reports do not compute",
       {"parallelism", "latency", "latency_children"}},
      {"it belongs to vector operations in traces of Arm SPE, which are not read", {"simd"}},
      {"it distinguishes no more samples than the name does", {"symbol_size", "dso_size"}},
      {"it is the number of the namespace of control groups; --sort cgroup shows the control group", {"cgroup_id"}},
      {"it belongs to recorded branches (perf record -b), which reports do not read",
       {"dso_from", "dso_to", "symbol_from", "symbol_to", "srcline_from", "srcline_to", "addr_from", "addr_to",
        "mispredict", "abort", "in_tx", "cycles", "ipc_lbr", "ipc_null", "callchain_branch_predicted",
        "callchain_branch_abort", "callchain_branch_cycles"}},
      {"it belongs to memory accesses; perfsift mem --sort has it",
       {"type", "typeoff", "typecln", "symoff", "symbol_daddr", "dso_daddr", "locked", "tlb", "mem", "snoop",
        "dcacheline", "symbol_iaddr", "phys_daddr", "data_page_size", "blocked", "op", "cache", "memory", "dtlb"}},
  };
  return refused;
}

std::optional<SortKey> key_of(std::string_view name) {
  if (name == "sym") return SortKey::symbol;
  if (name == "local_retire_lat") return analysis::find_key("local_p_stage_cyc");  // perf's word for it on Intel
  return analysis::find_key(name);
}

[[noreturn]] void refuse(std::string_view name) {
  std::vector<std::string_view> keys;
  for (const SortKey key : analysis::all_keys()) keys.push_back(analysis::name_of(key));
  refuse_key(name, refused_keys_of_report(), keys);
}

}  // namespace

analysis::RowOrder row_order(const std::string& text) {
  if (text != "self" && text != "total") throw UsageError("--order " + text + ": there are self and total");
  return text == "total" ? analysis::RowOrder::total : analysis::RowOrder::self;
}

analysis::FrameDetail detail_for(const std::vector<SortKey>& keys) {
  return std::ranges::any_of(keys, analysis::needs_lines) ? analysis::FrameDetail::line
                                                          : analysis::FrameDetail::function;
}

bool need_table(const std::vector<SortKey>& keys) {
  return std::ranges::any_of(keys, [](SortKey key) {
    return key == SortKey::comm || key == SortKey::comm_nodigit || analysis::needs_table(key);
  });
}

std::vector<filter::Fact> numbers_behind(const std::vector<SortKey>& keys) {
  std::vector<filter::Fact> numbers;
  for (const SortKey key : keys) {
    if (const auto number = analysis::number_behind(key)) numbers.push_back(*number);
  }
  return numbers;
}

std::vector<std::string> labels_behind(const std::vector<SortKey>& keys) {
  std::vector<std::string> labels;
  for (const SortKey key : keys) {
    if (analysis::is_label(key)) labels.emplace_back(analysis::name_of(key));
  }
  return labels;
}

bool is_comparable(SortKey key) { return !analysis::needs_table(key) && key != SortKey::srcline; }

std::vector<SortKey> sort_keys(const std::string& list) {
  std::vector<SortKey> keys;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    const std::optional<SortKey> key = key_of(name);
    if (!key) refuse(name);
    if (std::ranges::count(keys, *key) != 0) throw UsageError("--sort: " + name + " is there twice");
    keys.push_back(*key);
  }
  if (keys.empty()) throw UsageError("--sort: name at least one key, such as symbol");
  return keys;
}

}  // namespace perfsift::tools
