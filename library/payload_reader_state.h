// The contents of a PayloadReader and of Payloads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <perfsift/payloads.h>

#include "library/sample_copy.h"
#include "reader/format/event.h"
#include "record/bpf/payload_layout.h"
#include "record/bpf/payload_source.h"
#include "record/bpf/type_choice.h"

namespace perfsift::v0::detail {

// The type of payloads.
struct PayloadTypeState {
  explicit PayloadTypeState(record::PayloadLayout from);

  const record::PayloadField* find(std::string_view name) const;

  const record::PayloadLayout layout;
  std::vector<PayloadField> fields;
};

// The bytes of the payloads are in `records`, the fields' places in `type`.
struct PayloadsState {
  SampleCopy records;
  std::shared_ptr<const PayloadTypeState> type;  // nullptr: none
  std::vector<Payload> payloads;
};

// Not thread-safe.
class PayloadReaderState {
 public:
  explicit PayloadReaderState(const PayloadOptions& options);

  record::PayloadSource& source() { return *source_; }
  const record::PayloadSource& source() const { return *source_; }
  const std::vector<PayloadField>& fields() const;
  const std::vector<std::string>& notes() const { return notes_; }
  PayloadsState take();

 private:
  PayloadReaderState(const PayloadOptions& options, record::RingMap map);

  void choose_type(const SampleCopy& arrived);

  record::TypeChoice types_;
  std::unique_ptr<record::PayloadSource> source_;
  reader::Event event_;
  SampleCopy arrived_;  // and not taken: take() has thrown
  bool has_chosen_ = false;
  std::shared_ptr<const PayloadTypeState> type_;
  std::vector<std::string> notes_;
};

}  // namespace perfsift::v0::detail
