// The rows of perfsift report for programs, as JSON and CSV.

#include <string_view>

#include "base/printable.h"
#include "output/csv.h"
#include "output/report/report_table.h"
#include "output/table/key_columns.h"

namespace perfsift::output {
namespace {

using analysis::Amount;
using analysis::percent_of;
using analysis::ReportRow;
using analysis::ReportTable;

Json row_json(const ReportRow& row, const ReportTable& table, const ReportContents& contents) {
  Json json;
  add_key_members(contents.keys, row.cells, json);
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

void write_json(const Json& json, TextWriter& out) {
  out.text(json.dump(2, ' ', true, Json::error_handler_t::replace));
  out.character('\n');
}

Json report_json(const ReportContents& contents) {
  Json events = Json::array();
  for (const ReportTable& table : contents.tables) {
    Json rows = Json::array();
    for (const ReportRow& row : first_rows(table.rows, contents.limit)) rows.push_back(row_json(row, table, contents));
    events.push_back({{"event", table.event_name},
                      {"samples", table.all.samples},
                      {"value", table.all.value},
                      {"unit", table.unit},
                      {"row_count", table.rows.size()},
                      {"rows", std::move(rows)}});
  }
  return {{"events", std::move(events)}, {"notes", contents.notes}};
}

void write_report_csv(const ReportContents& contents, TextWriter& out) {
  out.text("event,self_percent,self_value,self_samples,total_percent,total_value,total_samples,inlined");
  end_csv_header(contents.keys, EventColumn::first, out);
  for (const ReportTable& table : contents.tables) {
    for (const ReportRow& row : first_rows(table.rows, contents.limit)) {
      out.text(csv_name(printable(table.event_name)));
      out.character(',');
      write_amount(row.self, table.all, out);
      write_amount(row.total, table.all, out);
      out.text(row.inlined ? "yes" : "no");
      end_csv_row(contents.keys, row.cells, EventColumn::first, out);
    }
  }
}

}  // namespace perfsift::output
