// A recording in pipe form that comes from a pipe: `perf record -o - | perfsift …`.
//
// The stream is read once, while it is visited. Memory does not grow with the length of the stream; the timeline grows
// with the number of processes and mappings.
#pragma once

#include "reader/input_file.h"
#include "reader/ordered_delivery.h"
#include "reader/record_decompressor.h"
#include "reader/recording_base.h"

namespace perfsift::reader {

class StreamedRecording : public RecordingBase {
 public:
  // `input` must be a recording in pipe form.
  StreamedRecording(InputFile input, const OpenOptions& options);

  bool streamed() const override { return true; }
  // One visitor, in order. Both functions throw InputError when the stream has been visited before.
  void visit_parallel(unsigned threads, const MakeVisitor& make) override;
  void visit_in_order(OrderedVisitor& visitor) override;

 private:
  bool fill();
  void take_records(OrderedDelivery& delivery);
  void take_expanded(OrderedDelivery& delivery);
  void take_record(Record& record, OrderedDelivery& delivery);
  void before_delivery(const Record& record, Moment moment, const SampleId& id);
  void add_damage_of_container();
  void add_damage_of_trace();

  std::unique_ptr<ByteSource> source_;
  BufferedRecords records_;
  RecordDecompressor decompressor_;
  std::uint64_t position_ = 0;
  std::uint64_t expanding_ = 0;  // offset in the stream of the COMPRESSED record that was expanded last
  bool visited_ = false;
};

}  // namespace perfsift::reader
