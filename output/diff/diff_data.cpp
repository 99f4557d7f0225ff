// The changes of perfsift diff for programs: JSON and CSV.

#include <string_view>

#include "base/printable.h"
#include "output/csv.h"
#include "output/diff/diff_table.h"
#include "output/report/report_table.h"
#include "output/table/key_columns.h"

namespace perfsift::output {
namespace {

using analysis::Change;
using analysis::ChangeOf;
using analysis::ComparedRow;
using analysis::ComparedTable;
using analysis::percent_of;

std::string_view presence_of(const ComparedRow& row) {
  if (row.is_new()) return "new";
  return row.is_gone() ? "gone" : "both";
}

std::string_view unit_of(ChangeOf what) { return what == ChangeOf::shares ? "percent" : "value"; }

Json change_json(const Change& change, const ComparedTable& table) {
  return {{"before", amount_json(change.before, table.before)},
          {"after", amount_json(change.after, table.after)},
          {"delta", change.delta},
          {"low", change.low},
          {"high", change.high},
          {"significant", change.significant}};
}

Json row_json(const ComparedRow& row, const ComparedTable& table, const DiffContents& contents) {
  Json json;
  add_key_members(contents.keys, row.cells, json);
  json["inlined"] = row.inlined;
  json["presence"] = presence_of(row);
  json["self"] = change_json(row.self, table);
  json["total"] = change_json(row.total, table);
  return json;
}

void write_change(const Change& change, const ComparedTable& table, TextWriter& out) {
  out.format("{:.6f},{:.6f},", percent_of(change.before, table.before), percent_of(change.after, table.after));
  out.format("{},{},{},{},", change.before.value, change.after.value, change.before.samples, change.after.samples);
  out.format("{:.6f},{:.6f},{:.6f},{},", change.delta, change.low, change.high, change.significant ? "yes" : "no");
}

}  // namespace

Json diff_json(const DiffContents& contents) {
  Json events = Json::array();
  for (const ComparedTable& table : contents.tables) {
    Json rows = Json::array();
    for (const ComparedRow& row : first_rows(table.rows, contents.limit))
      rows.push_back(row_json(row, table, contents));
    events.push_back({{"event", table.event_name},
                      {"before", {{"samples", table.before.samples}, {"value", table.before.value}}},
                      {"after", {{"samples", table.after.samples}, {"value", table.after.value}}},
                      {"row_count", table.rows.size()},
                      {"rows", std::move(rows)}});
  }
  return {{"delta_unit", unit_of(contents.what)}, {"events", std::move(events)}, {"notes", contents.notes}};
}

void write_diff_csv(const DiffContents& contents, TextWriter& out) {
  out.text("event,presence");
  for (const char* part : {"self", "total"}) {
    for (const char* column : {"percent_before", "percent_after", "value_before", "value_after", "samples_before",
                               "samples_after", "delta", "delta_low", "delta_high", "significant"}) {
      out.format(",{}_{}", part, column);
    }
  }
  out.text(",inlined");
  end_csv_header(contents.keys, EventColumn::first, out);
  for (const ComparedTable& table : contents.tables) {
    for (const ComparedRow& row : first_rows(table.rows, contents.limit)) {
      out.format("{},{},", csv_name(printable(table.event_name)), presence_of(row));
      write_change(row.self, table, out);
      write_change(row.total, table, out);
      out.text(row.inlined ? "yes" : "no");
      end_csv_row(contents.keys, row.cells, EventColumn::first, out);
    }
  }
}

}  // namespace perfsift::output
