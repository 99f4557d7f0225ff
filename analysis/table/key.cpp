#include "analysis/table/key.h"

#include <algorithm>
#include <cstddef>

#include "filter/field.h"

namespace perfsift::analysis {
namespace {

enum class In : std::uint8_t { samples, accesses, both };

struct Row {
  std::string_view name;
  In in;
};

// The order is that of Key.
constexpr Row catalogue[] = {
    {"op", In::accesses},
    {"mem", In::accesses},
    {"snoop", In::accesses},
    {"tlb", In::accesses},
    {"locked", In::accesses},
    {"blocked", In::accesses},
    {"symbol", In::both},
    {"dso", In::both},
    {"srcline", In::both},
    {"srcfile", In::samples},
    {"symbol_iaddr", In::accesses},
    {"symbol_daddr", In::accesses},
    {"variable", In::accesses},
    {"member", In::accesses},
    {"field", In::accesses},
    {"declaration", In::accesses},
    {"kind", In::accesses},
    {"dso_daddr", In::accesses},
    {"section", In::accesses},
    {"range", In::accesses},
    {"daddr", In::accesses},
    {"phys_daddr", In::accesses},
    {"dcacheline", In::accesses},
    {"page", In::accesses},
    {"data_page_size", In::accesses},
    {"node", In::accesses},
    {"comm", In::both},
    {"comm_nodigit", In::samples},
    {"pid", In::both},
    {"tgid", In::both},
    {"cpu", In::both},
    {"cpu_node", In::accesses},
    {"cgroup", In::both},
    {"time", In::samples},
    {"event", In::both},
    {"host", In::samples},
    {"service", In::samples},
    {"version", In::samples},
    {"kernel", In::samples},
    {"machine", In::samples},
};
static_assert(std::size(catalogue) == static_cast<std::size_t>(Key::first_number));

// perf has two names for some keys. Its weight and ins_lat show the average of a row; mem has percentiles for that.
struct OtherName {
  std::string_view other, name;
  In in;
};
constexpr OtherName other_names[] = {
    {"sym", "symbol", In::both},
    {"local_retire_lat", "local_p_stage_cyc", In::both},  // perf's word for it on Intel
    {"level", "mem", In::accesses},
    {"weight", "local_weight", In::accesses},
    {"ins_lat", "local_ins_lat", In::accesses},
    {"p_stage_cyc", "local_p_stage_cyc", In::accesses},
    {"retire_lat", "local_p_stage_cyc", In::accesses},
    {"thread", "pid", In::accesses},
    {"tid", "pid", In::accesses},
    {"line", "srcline", In::accesses},
    {"addr", "daddr", In::accesses},
};

constexpr bool has(In in, RowsOf rows) { return in == In::both || (in == In::accesses) == (rows == RowsOf::accesses); }

Keys all_keys(RowsOf rows) {
  Keys keys;
  for (std::size_t i = 0; i < std::size(catalogue); ++i) {
    if (has(catalogue[i].in, rows)) keys.push_back(static_cast<Key>(i));
  }
  for (const filter::Field& field : filter::fields()) {
    const bool known = rows == RowsOf::samples || filter::is_recorded(field.fact);
    if (known && !field.sort_key.empty()) keys.push_back(key_of(field.fact));
  }
  return keys;
}

}  // namespace

std::string_view name_of(Key key) {
  const std::optional<filter::Fact> number = number_behind(key);
  return number ? filter::sort_field(*number).sort_key : catalogue[static_cast<std::size_t>(key)].name;
}

std::optional<Key> find_key(RowsOf rows, std::string_view name) {
  const auto* const other = std::ranges::find_if(
      other_names, [&](const OtherName& known) { return known.other == name && has(known.in, rows); });
  if (other != std::end(other_names)) name = other->name;
  const auto found = std::ranges::find(keys_of(rows), name, [](Key key) { return name_of(key); });
  return found != keys_of(rows).end() ? std::optional(*found) : std::nullopt;
}

const Keys& keys_of(RowsOf rows) {
  static const Keys samples = all_keys(RowsOf::samples), accesses = all_keys(RowsOf::accesses);
  return rows == RowsOf::samples ? samples : accesses;
}

}  // namespace perfsift::analysis
