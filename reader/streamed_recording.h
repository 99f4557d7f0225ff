// A recording in pipe form that comes from a pipe: `perf record -o - | perfsift …`.
//
// It is read once, while it is visited, in memory that does not grow with its length (the timeline grows with the
// number of processes and mappings it tells of).
#pragma once

#include "reader/input_file.h"
#include "reader/ordered_delivery.h"
#include "reader/record_decompressor.h"
#include "reader/recording_base.h"

namespace perfsift::reader {

class StreamedRecording : public RecordingBase {
 public:
  // `start`: the first 16 bytes, already read.
  StreamedRecording(InputFile input, Bytes start, const OpenOptions& options);

  bool streamed() const override { return true; }
  // One visitor, in order. Both throw InputError when the stream has been visited before.
  void visit_parallel(unsigned threads,
                      const std::function<std::unique_ptr<SampleVisitor>(unsigned worker)>& make) override;
  void visit_in_order(OrderedVisitor& visitor) override;

 private:
  bool fill();
  void take_records(RecordBuffer& buffer, OrderedDelivery& delivery, bool compressed_allowed);
  void take_record(const Record& record, OrderedDelivery& delivery, bool compressed_allowed);
  void skip_trailing();
  void take_end();

  std::unique_ptr<ByteSource> source_;
  TransientBuffer buffer_;
  RecordDecompressor decompressor_{std::make_unique<TransientBuffer>()};
  std::uint64_t position_ = 0;
  std::uint64_t offset_ = pipe_header_size;  // in the stream, of what is unread
  std::uint64_t trailing_ = 0;               // bytes still to come that follow a record and are not needed
  bool visited_ = false;
};

}  // namespace perfsift::reader
