// Writes a recording again, in every form. The new recording must be read with the same results as the first.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/error.h"
#include "reader/writer/recording_writer.h"
#include "tests/reader/reading.h"

using namespace perfsift;

// libtraceevent leaks memory when it cannot parse a description.
extern "C" const char* __lsan_default_suppressions() { return "leak:libtraceevent"; }

namespace {

class MemorySink : public reader::ByteSink {
 public:
  std::vector<std::byte> bytes;

  void write(Bytes more) override { bytes.insert(bytes.end(), more.begin(), more.end()); }
  void write_at(std::uint64_t offset, Bytes other) override {
    if (offset + other.size() > bytes.size()) std::abort();
    std::ranges::copy(other, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  }
};

std::vector<std::byte> rewritten(const reader::Recording& recording, const reader::WriteOptions& options) {
  MemorySink sink;
  reader::RecordingWriter writer(header_content(recording), options, sink);
  recording.visit_records([&](const reader::Record& record) { writer.write(record); });
  writer.finish();
  return std::move(sink.bytes);
}

void expect_same(const test::Seen& found, const test::Seen& expected) {
  if (found.samples != expected.samples || found.stats.damage.size() != 0) std::abort();
}

// In a pipe, an event may come after its first records, which is not possible in a file. A deferred callchain then
// belongs to another thread.
bool tells_events_late(const reader::Recording& recording) {
  bool any = false, late = false;
  recording.visit_records([&](const reader::Record& record) {
    any |= static_cast<std::uint32_t>(record.header.type) < reader::first_user_record;
    late |= any && record.header.type == reader::RecordType::header_attr;
  });
  return late;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    const test::FileInMemory recording(std::vector<std::byte>(bytes, bytes + size));
    if (tells_events_late(*recording)) return 0;
    const test::Seen seen = test::see(*recording);
    const auto file = rewritten(*recording, {});
    expect_same(test::read_file(file), seen);
    expect_same(test::read_file(rewritten(*recording, {.compression_level = 1})), seen);
    if (rewritten(*test::FileInMemory(file), {}) != file) std::abort();  // the first rewrite has corrected all damage
    // The header of a file may have data that a pipe cannot have. Header data that is also in records is written once
    // in a pipe. The pipe form is read as a file, like the input: a stream forgets a deferred callchain after delivery,
    // although a later sample may have the same cookie.
    if (!recording->header().pipe)
      expect_same(test::read_file(rewritten(*recording, {.form = reader::WriteForm::pipe})), seen);
  } catch (const Error&) {
  }
  return 0;
}
