// The samples of a store as rows of Parquet, which other engines read. The engine writes the format.
//
//   recording  text           the id, as perfsift store list --json has it
//   host, service, version    text: the labels that most questions have; empty without them
//   labels     map            all labels of the recording
//   event, unit               text: the unit of `value`; empty: it counts the event
//   time       timestamp      the beginning of ten seconds, in UTC
//   thread, cgroup            text
//   function, dso             text: of the innermost frame
//   stack, dsos               lists of text, a frame each, root first
//   samples, value            numbers: add them up
//
// Parquet wants texts in UTF-8. Bytes of other texts are written as \xff, as perfsift prints them.
#pragma once

#include <string>
#include <vector>

#include "store/engine/engine.h"
#include "store/selection.h"

namespace perfsift::store {

// The bytes of a file for each shard. The rows are in the order of the table, so that equal stores give equal rows.
// Throws InputError if no recording is wanted or something is missing, and StoreChanged (wanted_rows.h).
std::vector<std::string> parquet_rows(Engine& engine, const Selection& selection);

}  // namespace perfsift::store
