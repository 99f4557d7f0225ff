#include "options/access_options.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/printable.h"

namespace perfsift::options {
namespace {

// The value of an option: a number without a sign.
std::uint64_t number_in(const std::string& text, const char* option) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || read != end)
    throw UsageError(printable(fmt::format("{} {}: a number is expected, without a sign", option, text)));
  return number;
}

}  // namespace

void AccessOptions::add_to(po::options_description& description, bool node) {
  auto add = description.add_options();
  const auto number = [](const char* option, std::optional<std::uint64_t>& value) {
    return po::value<std::string>()->value_name("N")->notifier(
        [option, &value](const std::string& text) { value = number_in(text, option); });
  };
  add("min-latency", number("--min-latency", least_latency_),
      "only memory accesses that took at least N, in the unit of the recording");
  add("level", po::value(&levels_)->value_name("LEVEL")->composing(),
      "only accesses that this level served: l1, lfb, l2, l3, ram, local_ram, remote_ram, remote_cache, …");
  if (node) add("node", number("--node", node_), "only accesses to data on this NUMA node");
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
