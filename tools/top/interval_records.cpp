#include "tools/top/interval_records.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "base/error.h"
#include "reader/writer/byte_sink.h"
#include "reader/writer/recording_writer.h"
#include "reader/writer/records/header_records.h"
#include "record/rings/pieces.h"

namespace perfsift::tools {
namespace {

// Memory of a size that is known before.
class MemorySink : public reader::ByteSink {
 public:
  explicit MemorySink(std::size_t most) : memory_(reader::new_memory(most)) {}

  void write(Bytes bytes) override {
    write_at(size_, bytes);
    size_ += bytes.size();
  }
  void write_at(std::uint64_t offset, Bytes bytes) override {
    const std::span<std::byte> room = memory_.writable();
    if (offset > room.size() || bytes.size() > room.size() - offset) throw Error("a recording in memory is too large");
    std::ranges::copy(bytes, room.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  reader::Mapped take() && { return std::move(memory_).first(size_); }

 private:
  reader::Mapped memory_;
  std::size_t size_ = 0;
};

// An upper bound of what is written beside the records: attrs, ids and features.
std::size_t bytes_of(const reader::HeaderContent& header) {
  constexpr std::size_t of_the_rest = std::size_t{1} << 16;
  std::size_t bytes = of_the_rest;
  for (const reader::EventEntry& event : header.events) bytes += 1024 + event.ids.size() * sizeof(std::uint64_t);
  for (const auto& [number, content] : header.features) bytes += 1024 + content.size();
  return bytes;
}

}  // namespace

// Runs of records of one kind are added at once.
void IntervalRecords::records(std::size_t /*ring*/, Bytes records) {
  std::size_t begin = 0;
  std::uint64_t samples = 0;
  bool are_names = false;
  const auto end_run = [&](std::size_t end) {
    const Bytes run = records.subspan(begin, end - begin);
    are_names ? names_.add(std::chrono::steady_clock::now(), run) : add_run(run, samples);
    begin = end;
    samples = 0;
  };
  const std::size_t whole =
      record::walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
        const bool names = record::names_later_samples(header.type);
        if (names != are_names) end_run(offset);
        are_names = names;
        if (header.type == reader::RecordType::sample) ++samples;
      });
  end_run(whole);
}

void IntervalRecords::add_run(Bytes records, std::uint64_t samples) {
  if (interval_.records.bytes() + records.size() > most_bytes_) {
    interval_.left_out += samples;
  } else {
    interval_.records.add(records);
  }
}

IntervalSamples IntervalRecords::take() { return std::exchange(interval_, {}); }

reader::InputFile IntervalRecords::recording_of(const IntervalSamples& samples,
                                                const reader::HeaderContent& header) const {
  MemorySink sink(names_.bytes() + samples.records.bytes() + bytes_of(header));
  reader::RecordingWriter writer(header, {.form = reader::WriteForm::file}, sink);
  const auto take = [&](Bytes records) { writer.write_records(records); };
  names_.give_state(take);
  take(reader::encode_finished_init(ByteOrder::native));
  names_.give_records(take);
  samples.records.for_each(take);
  writer.finish();
  reader::InputFile input;
  input.path = "the interval";
  input.mapped = std::move(sink).take();
  // InputFile::modified_seconds stays unknown: the time would make each file another one in each interval, and symbols
  // would be read again. Files are known by device and inode.
  return input;
}

}  // namespace perfsift::tools
