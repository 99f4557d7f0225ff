// The categories of perf c2c, for people and for programs.

#include <array>
#include <cstdint>
#include <string_view>

#include "output/memory/memory_text.h"

namespace perfsift::output {
namespace {

using analysis::AccessCounts;

struct Category {
  std::string_view key;   // the key in JSON
  std::string_view text;  // the label; indented below its total
  std::uint64_t AccessCounts::*count;
};

constexpr std::array categories = {
    Category{"records", "accesses", &AccessCounts::records},
    Category{"locked", "  locked", &AccessCounts::locked},
    Category{"blocked_by_data", "  blocked by data", &AccessCounts::blocked_by_data},
    Category{"blocked_by_address", "  blocked by an address", &AccessCounts::blocked_by_address},
    Category{"loads", "loads", &AccessCounts::loads},
    Category{"load_fill_buffer", "  fill buffer hit", &AccessCounts::load_fill_buffer},
    Category{"load_l1", "  L1 hit", &AccessCounts::load_l1},
    Category{"load_l2", "  L2 hit", &AccessCounts::load_l2},
    Category{"load_llc", "  last-level cache hit", &AccessCounts::load_llc},
    Category{"local_hitm", "  local HITM", &AccessCounts::local_hitm},
    Category{"remote_hitm", "  remote HITM", &AccessCounts::remote_hitm},
    Category{"local_peer", "  local peer cache", &AccessCounts::local_peer},
    Category{"remote_peer", "  remote peer cache", &AccessCounts::remote_peer},
    Category{"load_remote_cache", "  remote cache hit", &AccessCounts::load_remote_cache},
    Category{"load_local_ram", "  local RAM", &AccessCounts::load_local_ram},
    Category{"load_remote_ram", "  remote RAM", &AccessCounts::load_remote_ram},
    Category{"load_exclusive", "  RAM, line exclusive", &AccessCounts::load_exclusive},
    Category{"load_shared", "  RAM, line shared", &AccessCounts::load_shared},
    Category{"load_io", "  I/O memory", &AccessCounts::load_io},
    Category{"load_uncached", "  uncached memory", &AccessCounts::load_uncached},
    Category{"load_miss", "  miss", &AccessCounts::load_miss},
    Category{"loads_without_address", "  without an address", &AccessCounts::loads_without_address},
    Category{"stores", "stores", &AccessCounts::stores},
    Category{"store_l1_hit", "  L1 hit", &AccessCounts::store_l1_hit},
    Category{"store_l1_miss", "  L1 miss", &AccessCounts::store_l1_miss},
    Category{"store_unknown_level", "  level not known", &AccessCounts::store_unknown_level},
    Category{"store_uncached", "  uncached memory", &AccessCounts::store_uncached},
    Category{"stores_without_address", "  without an address", &AccessCounts::stores_without_address},
    Category{"neither", "not known to be a load or a store", &AccessCounts::neither},
    Category{"unmapped", "code or data in no mapping", &AccessCounts::unmapped},
    Category{"unknown_value", "values that are unknown here", &AccessCounts::unknown_value},
};

}  // namespace

Json access_counts_json(const AccessCounts& counts) {
  Json json;
  for (const Category& category : categories) json[std::string(category.key)] = counts.*category.count;
  return json;
}

Json unknown_values_json(const analysis::UnknownValues& values) {
  Json json = Json::array();
  for (const auto& [value, accesses] : values.rows()) {
    json.push_back({{"part", value.part}, {"value", value.value}, {"accesses", accesses}});
  }
  return json;
}

void write_access_counts(const AccessCounts& counts, TextWriter& out) {
  constexpr std::size_t label_width = 36, number_width = 12;
  for (const Category& category : categories) {
    const std::uint64_t count = counts.*category.count;
    if (count == 0) continue;
    out.left(category.text, label_width);
    out.decimal(count, number_width);
    out.character('\n');
  }
}

}  // namespace perfsift::output
