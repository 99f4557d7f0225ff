// Payloads as samples of a tracepoint.
//
// perf and all readers know fields by name only from a description of a tracepoint (the file `format` in tracefs,
// copied into the feature TRACING_DATA); an event of the kind BPF_OUTPUT has no fields for them. So a payload with a
// layout becomes the raw data of a made tracepoint:
//
//      0            8              8 + 8 * bit fields
//      ┌────────────┬──────────────┬───────────────────────┐
//      │ common_*   │ bit fields   │ the payload as it was │
//      └────────────┴──────────────┴───────────────────────┘
//
// A description cannot say that a field has some bits of a byte, so each bit field is a number of 8 bytes in front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "filter/number.h"
#include "reader/tracepoint.h"
#include "record/bpf/payload_layout.h"

namespace perfsift::record {

// The value of a field: nothing if the payload is too short for it. The views live as long as the payload.
using PayloadValue = std::variant<std::monostate, filter::Number, std::string_view, std::vector<filter::Number>, Bytes>;

PayloadValue payload_value(const PayloadField& field, Bytes payload);
// The name of an enumeration for a number; nullptr: there is none.
const std::string* name_of_value(const PayloadField& field, filter::Number value);

// Thread-safe once made.
class PayloadFormat {
 public:
  // The number of the made tracepoint: the highest that its field of 2 bytes can hold, which no kernel gives.
  static constexpr std::uint16_t tracepoint_id = 0xffff;
  static constexpr const char* system = "bpf";

  // `name`: of the map, for the tracepoint. Throws Error if libtraceevent does not take the description.
  PayloadFormat(PayloadLayout layout, std::string_view name);

  const PayloadLayout& layout() const { return layout_; }
  // "bpf:events"
  const std::string& event_name() const { return event_name_; }
  const reader::TracepointDescription& description() const { return description_; }
  const reader::TracepointFormats& formats() const { return formats_; }
  const reader::TracepointFormat& format() const { return *formats_.find(std::int32_t{tracepoint_id}); }

  // Appends the raw data of a sample. Bytes of the payload behind the layout are left out.
  void append_raw(Bytes payload, std::int32_t tid, std::vector<std::byte>& raw) const;
  // The payload in raw data that append_raw() has made; what pads them is left out.
  Bytes payload_in(Bytes raw) const;
  // How much longer than a payload its raw data are.
  std::size_t overhead() const { return payload_at_; }

 private:
  PayloadLayout layout_;
  std::string event_name_;
  std::size_t payload_at_ = 0;
  reader::TracepointDescription description_;
  reader::TracepointFormats formats_;
};

}  // namespace perfsift::record
