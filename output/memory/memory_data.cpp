// Memory accesses for programs, as JSON and CSV.

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/printable.h"
#include "output/csv.h"
#include "output/memory/access_numbers.h"
#include "output/memory/memory_text.h"
#include "output/table/key_columns.h"

namespace perfsift::output {
namespace {

using analysis::AccessSums;
using analysis::MemoryRow;
using analysis::MemoryTable;

Json latency_json(const Distribution& latency) {
  if (latency.count() == 0) return nullptr;
  Json json = {{"samples", latency.count()},
               {"mean", static_cast<double>(latency.sum()) / static_cast<double>(latency.count())}};
  for (const double percent : shown_percentiles) {
    const auto value = latency.known_percentile(percent);
    json[fmt::format("p{:g}", percent)] = value ? Json(*value) : Json(nullptr);
  }
  json["max"] = latency.max();
  // Pairs of a power of two, and the number of latencies from this power to the next.
  Json powers = Json::array();
  const auto counts = latency.powers();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) powers.push_back({i == 0 ? 0 : std::uint64_t{1} << i, counts[i]});
  }
  json["histogram"] = std::move(powers);
  return json;
}

void add_sums(const AccessSums& sums, const MemoryContents& contents, Json& json) {
  const analysis::ShareInterval share = share_of(sums, contents.report.all, contents.order);
  json["samples"] = sums.amount.samples;
  json["weight"] = sums.amount.value;
  json["loads"] = sums.loads;
  json["stores"] = sums.stores;
  json["percent"] = share.share;
  json["low"] = share.low;
  json["high"] = share.high;
  json["latency"] = latency_json(sums.latency);
}

Json table_json(const MemoryTable& table, const MemoryContents& contents) {
  Json rows = Json::array();
  for (const MemoryRow& row : first_rows(table.rows, contents.limit)) {
    Json json;
    add_key_members(table.keys, row.cells, json);
    add_sums(row.sums, contents, json);
    rows.push_back(std::move(json));
  }
  return {{"keys", names_of(table.keys)}, {"row_count", table.rows.size()}, {"rows", std::move(rows)}};
}

}  // namespace

Json memory_json(const MemoryContents& contents) {
  const analysis::MemoryReport& report = contents.report;
  Json tables = Json::array();
  for (const MemoryTable& table : report.tables) tables.push_back(table_json(table, contents));
  return {{"samples", report.all.amount.samples},
          {"weight", report.all.amount.value},
          {"shares_of", contents.order == analysis::MemoryOrder::weight ? "weight" : "samples"},
          {"counts", access_counts_json(report.counts)},
          {"unknown_values", unknown_values_json(report.unknown)},
          {"served", {{"on_own_node", report.local}, {"from_other_node", report.remote}}},
          {"pages",
           {{"on_own_node", report.on_own_node},
            {"on_other_node", report.on_other_node},
            {"unknown", report.node_unknown}}},
          {"skipped", report.skipped},
          {"latency", latency_json(report.all.latency)},
          {"tables", std::move(tables)},
          {"notes", contents.notes}};
}

void write_memory_csv(const MemoryContents& contents, TextWriter& out) {
  const MemoryTable& table = contents.report.tables.front();
  out.text("percent,low,high,samples,weight,loads,stores,latency_samples,mean,p50,p90,p99,p99.9,max");
  end_csv_header(table.keys, EventColumn::among_keys, out);
  for (const MemoryRow& row : first_rows(table.rows, contents.limit)) {
    const analysis::ShareInterval share = share_of(row.sums, contents.report.all, contents.order);
    const Distribution& latency = row.sums.latency;
    out.format("{:.6f},{:.6f},{:.6f},{},{},{},{},{},", share.share, share.low, share.high, row.sums.amount.samples,
               row.sums.amount.value, row.sums.loads, row.sums.stores, latency.count());
    if (latency.count() != 0) {
      out.format("{:.3f}", static_cast<double>(latency.sum()) / static_cast<double>(latency.count()));
    }
    for (const double percent : shown_percentiles) {
      const auto value = latency.known_percentile(percent);
      out.format(",{}", value ? std::to_string(*value) : "");
    }
    out.format(",{}", latency.count() != 0 ? std::to_string(latency.max()) : "");
    end_csv_row(table.keys, row.cells, EventColumn::among_keys, out);
  }
}

}  // namespace perfsift::output
