// Cache lines for programs, as JSON and CSV.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.h"
#include "output/csv.h"
#include "output/memory/line_text.h"
#include "output/memory/memory_text.h"
#include "output/memory/padding_advice.h"
#include "output/table/key_columns.h"

namespace perfsift::output {
namespace {

using analysis::CacheLine;
using analysis::LineAccesses;
using analysis::LineCode;
using analysis::LineOffset;
using analysis::LineThread;

void add_accesses(const LineAccesses& accesses, Json& json) {
  json["local_hitm"] = accesses.local_hitm;
  json["remote_hitm"] = accesses.remote_hitm;
  json["local_peer"] = accesses.local_peer;
  json["remote_peer"] = accesses.remote_peer;
  json["loads"] = accesses.loads;
  json["stores"] = accesses.stores;
  json["others"] = accesses.others;
  json["weight"] = accesses.weight;
}

Json offset_json(const LineOffset& offset) {
  Json threads = Json::array(), code = Json::array();
  for (const LineThread& thread : offset.threads) {
    Json json = {{"tid", thread.tid}, {"thread", thread.name}};
    add_accesses(thread.accesses, json);
    threads.push_back(std::move(json));
  }
  for (const LineCode& function : offset.code) {
    Json json = {{"symbol", function.symbol}, {"dso", function.dso}};
    add_accesses(function.accesses, json);
    code.push_back(std::move(json));
  }
  Json json = {{"offset", offset.offset},
               {"symbol", offset.symbol},
               {"member", offset.member},
               {"declaration", offset.declaration}};
  add_accesses(offset.accesses, json);
  json["threads"] = std::move(threads);
  json["code"] = std::move(code);
  json["cpus"] = offset.cpus;
  json["cpu_nodes"] = Json::array();
  for (const std::uint32_t node : offset.nodes) json["cpu_nodes"].push_back(std::to_string(node));
  return json;
}

Json line_json(const CacheLine& line, std::uint64_t line_size) {
  Json json = {{"address", line.address}, {"data", line.variable}, {"kind", line.kind}, {"node", line.node}};
  add_accesses(line.accesses, json);
  json["threads"] = line.threads;
  json["cpus"] = line.cpus;
  json["sharing"] = analysis::name_of(line.sharing);
  json["false_share_percent"] = line.false_share;
  const analysis::ShareInterval false_share = false_share_of(line);
  json["false_share_low"] = line.disturbed != 0 ? Json(false_share.low) : Json();
  json["false_share_high"] = line.disturbed != 0 ? Json(false_share.high) : Json();
  json["stores_known"] = !line.stores_not_known;
  json["disturbed"] = line.disturbed;
  json["reason"] = reason_of(line);
  json["advice"] = padding_advice(line, line_size);
  json["offsets"] = Json::array();
  for (const LineOffset& offset : line.offsets) json["offsets"].push_back(offset_json(offset));
  return json;
}

}  // namespace

Json lines_json(const LineContents& contents) {
  Json lines = Json::array();
  for (const CacheLine& line : first_rows(contents.lines.lines(), contents.limit)) {
    lines.push_back(line_json(line, contents.lines.line_size()));
  }
  return {{"samples", contents.report.all.amount.samples},
          {"counts", access_counts_json(contents.report.counts)},
          {"unknown_values", unknown_values_json(contents.report.unknown)},
          {"line_size", contents.lines.line_size()},
          {"line_count", contents.lines.lines().size()},
          {"lines", std::move(lines)},
          {"notes", contents.notes}};
}

void write_lines_csv(const LineContents& contents, TextWriter& out) {
  out.text(
      "line,data,kind,node,sharing,false_share_percent,offset,symbol,tid,thread,local_hitm,remote_hitm,local_peer,"
      "remote_peer,loads,stores,others,weight,member,declaration,stores_known\r\n");
  for (const CacheLine& line : first_rows(contents.lines.lines(), contents.limit)) {
    for (const LineOffset& offset : line.offsets) {
      for (const LineThread& thread : offset.threads) {
        const LineAccesses& of = thread.accesses;
        out.format("0x{:x},{},{},{},{},{:.6f},0x{:x},{},{},{},", line.address, csv_name(printable(line.variable)),
                   line.kind, line.node, analysis::name_of(line.sharing), line.false_share, offset.offset,
                   csv_name(printable(offset.symbol)), thread.tid, csv_name(printable(thread.name)));
        out.format("{},{},{},{},{},{},{},{},{},{},{}\r\n", of.local_hitm, of.remote_hitm, of.local_peer, of.remote_peer,
                   of.loads, of.stores, of.others, of.weight, csv_name(printable(offset.member)),
                   csv_name(printable(offset.declaration)), !line.stores_not_known);
      }
    }
  }
}

}  // namespace perfsift::output
