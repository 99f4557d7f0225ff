// Payloads as text or as JSON Lines, one line for each.
//
//   [001]   8123.004512  tid 4711  seq=12 state=WAITING name=worker     text: what perfsift script shows, shorter
//   {"time":8123004512000,"cpu":1,"pid":4700,"tid":4711,"fields":{"seq":12,"state":"WAITING","name":"worker"}}
//
// Without a type, a payload is its bytes in hexadecimal: "bytes" instead of "fields".
#pragma once

#include <cstdint>

#include "output/text_writer.h"
#include "reader/format/sample.h"
#include "record/bpf/payload_format.h"
#include "record/rings/record_sink.h"

namespace perfsift::tools {

// Not thread-safe.
class PayloadPrinter : public record::RecordSink {
 public:
  // `event`: of the samples. `format`: nullptr: the payloads have no type. All must outlive this object.
  PayloadPrinter(const reader::Event& event, const record::PayloadFormat* format, bool json, output::TextWriter& out)
      : event_(event), format_(format), json_(json), out_(out) {}

  void records(std::size_t ring, Bytes records) override;
  void round() override { out_.flush(); }

 private:
  void print_text(const reader::Sample& sample);
  void print_json(const reader::Sample& sample);
  void print_fields(Bytes payload);

  const reader::Event& event_;
  const record::PayloadFormat* format_;
  const bool json_;
  output::TextWriter& out_;
  reader::SampleDecoder decoder_;
  reader::Sample sample_;
};

}  // namespace perfsift::tools
