// An expression of the filter language, reduced to what is still open for the samples of one event.
//
// The name of an event and the fields of its tracepoint are known before the first sample. So
// `event == "cycles" || prev_pid == 7` is true for all samples of cycles, `prev_pid == 7` for samples of
// sched:sched_switch, and false for all other events.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "filter/filter.h"
#include "filter/predicate.h"
#include "reader/format/event.h"
#include "reader/tracepoint.h"

namespace perfsift::record {

// Refers to the filter's predicates, which must live longer.
struct Condition {
  enum class Kind : std::uint8_t { yes, no, leaf, all, any, not_ };
  Kind kind = Kind::yes;
  const filter::Predicate* leaf = nullptr;
  std::vector<Condition> parts;  // all, any: at least two; not_: one

  static Condition constant(bool holds) { return {.kind = holds ? Kind::yes : Kind::no, .leaf = nullptr, .parts = {}}; }
  bool is_yes() const { return kind == Kind::yes; }
  bool is_no() const { return kind == Kind::no; }
  // The parts that must all hold; none for yes.
  std::vector<Condition> conjuncts() const;
  // The condition in the filter language; empty for yes. There is no text for no.
  std::string text() const;
  // The facts that the condition asks for, bits by Fact, and whether it asks for fields of tracepoints.
  std::uint64_t facts() const;
  bool asks_tracepoint() const;
};

// What is known of the samples of an event before the first one.
struct KnownEvent {
  std::string name;
  bool is_tracepoint = false;
  const reader::TracepointFormat* format = nullptr;  // of a tracepoint; nullptr: unknown
};

Condition condition_of(const filter::Filter& filter, const KnownEvent& event);
// All of them hold.
Condition joined(std::vector<Condition> conjuncts);

}  // namespace perfsift::record
