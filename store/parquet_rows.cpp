#include "store/parquet_rows.h"

#include <string_view>

#include <fmt/format.h>

#include "store/shards.h"
#include "store/wanted_rows.h"

namespace perfsift::store {
namespace {

// SQL: a column as UTF-8.
std::string utf8(std::string_view column) {
  return fmt::format(
      "if(isValidUTF8({0}), toString({0}), arrayStringConcat(arrayMap(byte -> if(reinterpretAsUInt8(byte) < 128, byte, "
      "concat('\\\\x', lower(hex(byte)))), arrayMap(at -> substring(toString({0}), at, 1), range(1, length({0}) + "
      "1)))))",
      column);
}

// A stack without frames has one row here, whose place is 0. Tables replace equal rows only some time after they were
// added: ANY takes one of them.
std::string frames_of_stacks(const Selection& selection) {
  return fmt::format(
      "SELECT stack_id, place, function_id FROM (SELECT id AS stack_id, any(frames) AS ids FROM stacks WHERE {} GROUP "
      "BY "
      "id) LEFT ARRAY JOIN ids AS function_id, arrayEnumerate(ids) AS place",
      wanted_stacks("samples", selection));
}

std::string names_of_stacks(const Selection& selection) {
  return fmt::format(
      "SELECT stack_id, 1 AS has_stack, arraySort(groupArrayIf((place, name, binary_path), place != 0)) AS frames FROM "
      "({}) AS p LEFT ANY JOIN (SELECT id AS function_id, {} AS name, {} AS binary_path, 1 AS is_known FROM functions) "
      "AS f USING function_id WHERE throwIf(place != 0 AND is_known = 0, 'a function is missing') = 0 GROUP BY "
      "stack_id",
      frames_of_stacks(selection), utf8("name"), utf8("binary"));
}

std::string labels_of_loads(const Selection& selection) {
  return fmt::format(
      "SELECT load, leftPad(lower(hex(id)), 32, '0') AS recording, mapFromArrays(arrayMap(k -> {}, mapKeys(labels)), "
      "arrayMap(v -> {}, mapValues(labels))) AS texts FROM {}",
      utf8("k"), utf8("v"), selection.wanted_recordings());
}

std::string units_of_loads(const Selection& selection) {
  return fmt::format("SELECT load, event, {} AS unit_text FROM events WHERE {}", utf8("unit"), wanted_loads(selection));
}

// The samples, with the labels and units of their loads.
std::string samples_of_loads(const Selection& selection) {
  return fmt::format(
      "SELECT recording, texts, service, event, unit_text, time, thread, cgroup, stack AS stack_id, samples, value "
      "FROM "
      "(SELECT recording, texts, load, service, event, time, thread, cgroup, stack, samples, value FROM "
      "(SELECT load, service, event, time, thread, cgroup, stack, samples, value FROM samples WHERE {} "
      "ORDER BY service, event, time, load, stack, thread, cgroup) AS s INNER JOIN ({}) AS r USING load) AS t "
      "LEFT ANY JOIN ({}) AS e USING (load, event)",
      wanted_samples(selection), labels_of_loads(selection), units_of_loads(selection));
}

// One thread keeps the order of the samples, without sorting rows that have whole stacks.
std::string statement(const Selection& selection) {
  return fmt::format(
      "SELECT recording, texts['host'] AS host, {} AS service, texts['version'] AS version, texts AS labels, "
      "{} AS event, unit_text AS unit, toDateTime64(time, 3, 'UTC') AS time, {} AS thread, {} AS cgroup, "
      "frames[-1].2 AS function, frames[-1].3 AS dso, frames.2 AS stack, frames.3 AS dsos, samples, value "
      "FROM ({}) AS s LEFT ANY JOIN ({}) AS n USING stack_id "
      "WHERE throwIf(has_stack = 0, 'a stack is missing') = 0 "
      "SETTINGS max_threads = 1, output_format_parquet_string_as_string = 1, "
      "output_format_parquet_compression_method = 'zstd' FORMAT Parquet",
      utf8("s.service"), utf8("s.event"), utf8("s.thread"), utf8("s.cgroup"), samples_of_loads(selection),
      names_of_stacks(selection));
}

}  // namespace

std::vector<std::string> parquet_rows(Engine& engine, const Selection& selection) {
  const std::string state = state_of(engine, selection);
  (void)recordings_in(state);
  std::vector<std::string> files = engine.query_shards(statement(selection), selection.parameters());
  check_unchanged(engine, selection, state);
  return files;
}

}  // namespace perfsift::store
