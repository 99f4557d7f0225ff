// The rows of perfsift report for programs: JSON and CSV.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "base/printable.h"
#include "output/csv.h"
#include "output/report/report_table.h"

namespace perfsift::output {
namespace {

using analysis::Amount;
using analysis::percent_of;
using analysis::ReportRow;
using analysis::ReportTable;

std::span<const ReportRow> rows_of(const ReportTable& table, const ReportContents& contents) {
  const std::span<const ReportRow> rows = table.rows;
  return contents.limit == 0 ? rows : rows.first(std::min(contents.limit, rows.size()));
}

Json row_json(const ReportRow& row, const ReportTable& table, const ReportContents& contents) {
  Json json;
  for (std::size_t i = 0; i < contents.keys.size(); ++i) {
    json[std::string(analysis::name_of(contents.keys[i]))] = row.cells[i];
  }
  json["inlined"] = row.inlined;
  json["self"] = amount_json(row.self, table.all);
  json["total"] = amount_json(row.total, table.all);
  return json;
}

void write_amount(const Amount& amount, const Amount& all, TextWriter& out) {
  out.format("{:.6f},{},{},", percent_of(amount, all), amount.value, amount.samples);
}

}  // namespace

Json amount_json(const Amount& amount, const Amount& all) {
  return {{"percent", percent_of(amount, all)}, {"value", amount.value}, {"samples", amount.samples}};
}

Json report_json(const ReportContents& contents) {
  Json events = Json::array();
  for (const ReportTable& table : contents.report.tables()) {
    Json rows = Json::array();
    for (const ReportRow& row : rows_of(table, contents)) rows.push_back(row_json(row, table, contents));
    events.push_back({{"event", table.event_name},
                      {"samples", table.all.samples},
                      {"value", table.all.value},
                      {"row_count", table.rows.size()},
                      {"rows", std::move(rows)}});
  }
  return {{"events", std::move(events)}, {"notes", contents.notes}};
}

void write_report_csv(const ReportContents& contents, TextWriter& out) {
  out.text("event,self_percent,self_value,self_samples,total_percent,total_value,total_samples,inlined");
  for (const analysis::SortKey key : contents.keys) {
    if (key == analysis::SortKey::event) continue;  // the first column
    out.character(',');
    out.text(analysis::name_of(key));
  }
  out.text("\r\n");
  for (const ReportTable& table : contents.report.tables()) {
    for (const ReportRow& row : rows_of(table, contents)) {
      out.text(csv_name(printable(table.event_name)));
      out.character(',');
      write_amount(row.self, table.all, out);
      write_amount(row.total, table.all, out);
      out.text(row.inlined ? "yes" : "no");
      for (std::size_t i = 0; i < contents.keys.size(); ++i) {
        if (contents.keys[i] == analysis::SortKey::event) continue;
        out.character(',');
        out.text(csv_name(printable(row.cells[i])));
      }
      out.text("\r\n");
    }
  }
}

}  // namespace perfsift::output
