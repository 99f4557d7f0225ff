#include "options/access_options.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "options/number_option.h"

namespace perfsift::options {
void AccessOptions::add_to(po::options_description& description, bool node) {
  auto add = description.add_options();
  add("min-latency", whole_number(least_latency_),
      "only memory accesses with at least this latency, in the unit of the recording");
  add("level", po::value(&levels_)->value_name("LEVEL")->composing(),
      "only accesses served by this level: l1, lfb, l2, l3, ram, local_ram, remote_ram, remote_cache, …");
  if (node) add("node", whole_number(node_), "only accesses to data on this NUMA node");
}

std::vector<filter::FilterText> AccessOptions::texts() const {
  std::vector<filter::FilterText> texts;
  const auto add = [&](const char* option, std::string text) {
    texts.push_back({.origin = option, .text = std::move(text)});
  };
  if (least_latency_) add("--min-latency", fmt::format("weight >= {}", *least_latency_));
  if (!levels_.empty()) add("--level", fmt::format("mem.lvl in {{{}}} && !mem.miss", fmt::join(levels_, ", ")));
  if (node_) add("--node", fmt::format("mem.node == {}", *node_));
  return texts;
}

}  // namespace perfsift::options
