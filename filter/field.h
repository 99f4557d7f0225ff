// The catalogue of properties: the fields that an expression knows, with the names that they have elsewhere. There is a
// table of the fields of samples, and one of the fields of intervals.
//
// A field is a fact of the sample, or decoded from a fact (mem.op from data_src). A name that is not in the table
// counts as a field of a tracepoint.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "filter/sample_facts.h"

namespace perfsift::filter {

// The subject of an expression.
enum class Subject : std::uint8_t {
  sample,
  interval,  // in which a thread was off its CPU; what is not in its table is nothing
};

// The type of values that a field can be compared with.
enum class FieldType : std::uint8_t {
  id,       // a number that counts nothing: plain numbers only
  count,    // numbers, sizes (64k), durations (50us)
  address,  // numbers, sizes
  time,     // numbers of nanoseconds, durations, shares of the recording (10%)
  ratio,    // decimal numbers
  name,     // text: == takes globs
  path,     // text: == takes globs; a pattern without a slash is compared with the last part of the path
  event,    // text: == takes globs; a pattern without modifiers (cycles) also means the event with them (cycles:u)
  words,    // some of the words of the field, several at once: == asks whether one of them is the given one
  flag,     // true or false by itself
};

// The cost of a field, ascending. Cheap parts of an expression are evaluated first.
enum class Cost : std::uint8_t {
  record,      // copied from the sample
  thread,      // a look at who was running
  tracepoint,  // a field of the raw data
  symbol,      // where an address lies and which symbol covers it; remembered by address
  line,        // debug information
  stack,       // every frame's symbol; of DWARF stacks they are unwound first
};

// The text of a number where it is a cell or a member: see analysis/samples/number_text.h.
enum class NumberForm : std::uint8_t { decimal, hexadecimal, page_size, transaction };

// A word of a field of words, and the bits of the decoded fact that mean it.
struct Word {
  std::string_view name;
  std::uint64_t bits;
};
using Decode = std::uint64_t (*)(std::uint64_t fact);

struct Field {
  std::string_view name;
  std::string_view perf_name;  // in perf's record-time filters, by which the field is known, too; empty: not there
  FieldType type;
  Cost cost;
  Fact fact;
  std::string_view help;           // one line
  std::span<const Word> words;     // of words; of a flag the one that means true
  Decode decode;                   // from the fact to what is compared; nullptr: the fact itself
  std::optional<int> frame;        // the fact is that of a frame: 0 the leaf, 1 its caller, -1 the root
  std::string_view not_in_perf;    // why a dlfilter cannot know it; empty: it can
  std::string_view sort_key = {};  // of perfsift report, where perf has its own name for many; empty: no key
  NumberForm form = NumberForm::decimal;

  // Whether the field is only a part of its fact.
  bool is_decoded() const { return decode != nullptr || !words.empty(); }
};

std::span<const Field> fields(Subject subject = Subject::sample);
// Finds a field by its name or its perf_name, or returns nullptr.
const Field* find_field(std::string_view name, Subject subject = Subject::sample);
// The field with the name nearest to `name`; nothing if no name is near.
std::optional<std::string_view> nearest_field(std::string_view name, Subject subject = Subject::sample);

// The field of samples that is a key of --sort and has this fact. There must be one.
const Field& sort_field(Fact fact);

std::string_view name_of(FieldType type);
std::string_view name_of(Cost cost);

}  // namespace perfsift::filter
