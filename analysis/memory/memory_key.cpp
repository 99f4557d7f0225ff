#include "analysis/memory/memory_key.h"

#include <array>
#include <cstddef>

namespace perfsift::analysis {
namespace {

constexpr std::array<std::string_view, 36> names_of_keys = {"op",
                                                            "mem",
                                                            "snoop",
                                                            "tlb",
                                                            "locked",
                                                            "blocked",
                                                            "symbol",
                                                            "dso",
                                                            "srcline",
                                                            "symbol_iaddr",
                                                            "code_page_size",
                                                            "symbol_daddr",
                                                            "variable",
                                                            "member",
                                                            "field",
                                                            "declaration",
                                                            "kind",
                                                            "dso_daddr",
                                                            "section",
                                                            "range",
                                                            "daddr",
                                                            "phys_daddr",
                                                            "dcacheline",
                                                            "page",
                                                            "data_page_size",
                                                            "node",
                                                            "comm",
                                                            "pid",
                                                            "tgid",
                                                            "cpu",
                                                            "cpu_node",
                                                            "cgroup",
                                                            "event",
                                                            "local_weight",
                                                            "local_ins_lat",
                                                            "local_p_stage_cyc"};
static_assert(names_of_keys.size() == static_cast<std::size_t>(MemoryKey::local_p_stage_cyc) + 1);

}  // namespace

std::string_view name_of(MemoryKey key) { return names_of_keys[static_cast<std::size_t>(key)]; }

const MemoryKeys& all_memory_keys() {
  static const MemoryKeys all = [] {
    MemoryKeys keys;
    for (std::size_t i = 0; i < names_of_keys.size(); ++i) keys.push_back(static_cast<MemoryKey>(i));
    return keys;
  }();
  return all;
}

}  // namespace perfsift::analysis
