// Which fields of a sample are printed: perf script's -F, and its defaults.
//
// perf keeps one set of fields per type of event (hardware, software, tracepoint, …); all events of
// a type print the same. Asked-for fields that were not recorded are an error, default ones are
// dropped. The rules are those of parse_output_fields(), evsel__check_attr() and
// perf_session__check_output_opt() in tools/perf/builtin-script.c.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/style.h"
#include "reader/format/event.h"

namespace perfsift::output {

enum class Field : std::uint8_t {
  comm,
  tid,
  pid,
  time,
  cpu,
  event,
  trace,
  ip,
  sym,
  srcline,
  dso,
  addr,
  symoff,
  period,
  iregs,
  uregs,
  brstack,
  brstacksym,
  brstackoff,
  data_src,
  weight,
  bpf_output,
  phys_addr,
  misc,
  tod,
  data_page_size,
  code_page_size,
  ins_lat,
  retire_lat,
  cgroup,
  ibs,  // not a field of perf script, which prints the registers with -D only
};

class FieldSet {
 public:
  constexpr FieldSet() = default;
  constexpr FieldSet(std::initializer_list<Field> fields) {
    for (const Field field : fields) add(field);
  }
  constexpr bool has(Field field) const { return (bits_ & bit(field)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr void add(Field field) { bits_ |= bit(field); }
  constexpr void remove(Field field) { bits_ &= ~bit(field); }
  constexpr bool operator==(const FieldSet&) const = default;

 private:
  static constexpr std::uint64_t bit(Field field) { return std::uint64_t{1} << static_cast<unsigned>(field); }
  std::uint64_t bits_ = 0;
};

// The types of events by which perf chooses fields: the kernel's, and perf's own.
enum class OutputType : std::uint8_t { hardware, software, tracepoint, hw_cache, raw, breakpoint, synth, other };
inline constexpr std::size_t output_type_count = 8;

OutputType output_type(const reader::EventAttr& attr);

// Properties of a recording beyond its events.
struct RecordingTraits {
  bool has_clock_data = false;    // CLOCK_DATA: needed for tod
  bool has_auxtrace = false;      // perf then lets some fields pass that only decoding would fill
  bool has_stat = false;          // `perf stat record`: nothing is checked
  bool attributes_first = false;  // pipe form: perf 6.1 adds ip and sym alone where there are callchains
};

// All names of -F.
std::vector<std::string_view> names_of_fields();

using Events = std::vector<std::unique_ptr<reader::Event>>;

// Not thread-safe.
class FieldSelection {
 public:
  explicit FieldSelection(analysis::PerfStyle style = analysis::PerfStyle::newest);

  // One -F argument: "comm,ip", "+srcline", "-period", "trace:comm,trace". Throws UsageError for an
  // unknown field, a field that cannot be printed (saying why), or a mix of both forms.
  void apply(std::string_view argument);

  // Fits the selection to what was recorded. `hide_callchains`: -G. Throws UsageError for a field
  // that was asked for and not recorded, unless `skip_missing`.
  void check(const Events& events, const RecordingTraits& traits, bool hide_callchains, bool skip_missing);

  FieldSet of(const reader::Event& event) const {
    return types_[static_cast<std::size_t>(output_type(event.attr))].fields;
  }
  // Whether -F spoke of this event's type.
  bool chosen_by_user(const reader::Event& event) const {
    return types_[static_cast<std::size_t>(output_type(event.attr))].set;
  }
  // Fields left out by check() because of `skip_missing`, as messages.
  const std::vector<std::string>& skipped() const { return skipped_; }

 private:
  struct TypeSelection {
    FieldSet fields;
    FieldSet asked;    // added by name: missing ones are an error
    FieldSet refused;  // taken away by name
    bool set = false;  // an argument spoke of this type
  };

  TypeSelection& selection(OutputType type) { return types_[static_cast<std::size_t>(type)]; }
  void check_type(TypeSelection& type, const reader::Event& event, const RecordingTraits& traits, bool skip_missing);
  void miss(TypeSelection& type, Field field, const std::string& why, bool skip_missing);
  void add_callchain_fields(const Events& events, const RecordingTraits& traits);

  std::array<TypeSelection, output_type_count> types_;
  std::vector<std::string> skipped_;
};

}  // namespace perfsift::output
