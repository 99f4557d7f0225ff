#include "reader/streamed_recording.h"

#include <array>
#include <utility>

#include "base/error.h"

namespace perfsift::reader {
namespace {

constexpr std::size_t read_size = std::size_t{64} << 10;  // the capacity of a pipe

Damage damage_of_stream(const std::string& path, const Skipped& skipped) {
  const char* what = "not a record: skipped to where records go on";
  if (skipped.to_the_end) what = "the stream ends in the middle of a record";
  if (skipped.to_the_end && skipped.bytes == 0) what = "the stream ends in the data of an AUXTRACE record";
  return {.file = path,
          .offset = pipe_header_size + skipped.offset,
          .bytes = skipped.bytes,
          .records = skipped.to_the_end && skipped.bytes != 0 ? 1u : 0u,
          .what = what};
}

FileHeader read_header(InputFile& input) {
  std::array<std::byte, pipe_header_size> start{};
  return parse_file_header(Bytes(start).first(read_fully(*input.source, start)), input.path);
}

}  // namespace

StreamedRecording::StreamedRecording(InputFile input, const OpenOptions& options)
    : RecordingBase(input.path, read_header(input), options),
      source_(std::move(input.source)),
      records_(std::make_unique<TransientBuffer>(), header_.order, BufferedRecords::Content::recording,
               [this](const Skipped& skipped) { add_damage(damage_of_stream(path_, skipped)); }),
      decompressor_(BufferedRecords(
                        std::make_unique<TransientBuffer>(), header_.order, BufferedRecords::Content::expanded,
                        [this](const Skipped& skipped) { add_damage(damage_of_expanded(path_, expanding_, skipped)); }),
                    expanded_) {
  timeline_.set_recorded_seconds(input.modified_seconds);
}

void StreamedRecording::visit_parallel(unsigned threads, const MakeVisitor& make) {
  visit_samples(true, threads, make);
}

void StreamedRecording::visit_in_order(OrderedVisitor& visitor) {
  if (visited_) throw InputError(path_ + ": a stream can be read only once; save it to a file first");
  visited_ = true;
  OrderedDelivery delivery(events_, deferred_, visitor,
                           {.before_record = [this](const Record& record, Moment moment,
                                                    const SampleId& id) { before_delivery(record, moment, id); },
                            .copy_records = true});
  while (fill()) take_records(delivery);
  records_.end();
  take_records(delivery);
  decompressor_.end();
  take_expanded(delivery);
  delivery.finish();

  add_damage_of_stream(path_, decompressor_);
  add_damage_of_container();
  add_damage_of_trace();
  stats_.out_of_order = delivery.out_of_order();
  set_delivery_counts(delivery.counts());
  publish_counts();
}

// Reads the bytes that are there; false at the end of the stream.
bool StreamedRecording::fill() {
  report_progress(-1);
  const std::size_t got = source_->read(records_.buffer().room(read_size));
  records_.buffer().filled(got);
  return got != 0;
}

void StreamedRecording::take_records(OrderedDelivery& delivery) {
  Record record;
  while (records_.next(record)) {
    if (is_compressed(record.header.type)) {
      take(record);
      expanding_ = pipe_header_size + records_.offset() - record_header_size - record.payload.size();
      decompressor_.begin(record, expanding_, expansion_limits(expanding_ + record.payload.size()));
      take_expanded(delivery);
    } else {
      take_record(record, delivery);
    }
  }
}

void StreamedRecording::take_expanded(OrderedDelivery& delivery) {
  Record record;
  while (decompressor_.next(record)) take_record(record, delivery);
}

void StreamedRecording::take_record(Record& record, OrderedDelivery& delivery) {
  record.position = position_;
  position_ += record_header_size + record.payload.size();
  if (record.header.type == RecordType::sample) {
    take_sample(record);
  } else {
    take(record);
  }
  delivery.take(record);
}

// Called at the moment at which a record that is not a sample takes effect.
void StreamedRecording::before_delivery(const Record& record, Moment moment, const SampleId& id) {
  if (!timeline_.apply(record, moment)) ++stats_.malformed[record.header.type];
  if (record.header.type == RecordType::callchain_deferred) deferred_.remove(record, id.tid);
}

// The data of a trace is passed over while a stream is read.
void StreamedRecording::add_damage_of_trace() {
  if (!wants_trace()) return;
  add_damage(
      {.file = path_, .what = "the Arm SPE trace of a stream is not decoded; save the recording to a file first"});
}

void StreamedRecording::add_damage_of_container() {
  std::string what = source_->damage();
  if (!what.empty())
    add_damage({.file = path_, .offset = pipe_header_size + records_.offset(), .what = std::move(what)});
}

}  // namespace perfsift::reader
