#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/bpf.h>
#include <perfsift/error.h>
#include <perfsift/payloads.h>
#include <perfsift/perfsift.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/owned.h"
#include "base/page_size.h"

namespace perfsift {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const auto one_page = static_cast<std::uint32_t>(page_size());  // the least that a ring buffer can have

// A map of this process; not open: the kernel refuses.
FileDescriptor made_map(bpf_map_type type, std::uint32_t entries, std::uint32_t key = 0, std::uint32_t value = 0) {
  bpf_attr attr{};
  attr.map_type = type;
  attr.key_size = key;
  attr.value_size = value;
  attr.max_entries = entries;
  return FileDescriptor(static_cast<int>(syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof attr)));
}

// "CODE: MESSAGE" of the error that the reader throws.
std::string refusal_of(const PayloadOptions& options) {
  try {
    PayloadReader reader(options);
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.code())) + ": " + error.what();
  }
  return "none";
}

TEST(PayloadReader, NeedsOneMap) {
  EXPECT_THAT(refusal_of({}), HasSubstr("1: a map, or the descriptor of a map"));
  EXPECT_THAT(refusal_of({.map = "events", .descriptor = 0}), HasSubstr("1: a map, or the descriptor of a map"));
}

TEST(PayloadReader, RefusesWhatIsNoRing) {
  const FileDescriptor file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_THAT(refusal_of({.map = "/dev/null/map"}), HasSubstr("/dev/null/map: "));
  EXPECT_NE(refusal_of({.descriptor = file.get()}), "none");
  const FileDescriptor array = made_map(BPF_MAP_TYPE_ARRAY, 1, sizeof(std::uint32_t), sizeof(std::uint32_t));
  if (!array) GTEST_SKIP() << "BPF maps cannot be made here";
  EXPECT_THAT(refusal_of({.descriptor = array.get()}), HasSubstr("1: descriptor"));
  EXPECT_THAT(refusal_of({.descriptor = array.get()}), HasSubstr("a map of the type array"));
}

TEST(PayloadReader, ReadsAMapOfThisProcess) {
  FileDescriptor map = made_map(BPF_MAP_TYPE_RINGBUF, one_page);
  if (!map) GTEST_SKIP() << "BPF maps cannot be made here";
  EXPECT_THAT(refusal_of({.descriptor = map.get(), .type = "event"}), HasSubstr("1: type event: "));
  PayloadReader reader({.descriptor = map.get()});
  map = {};  // the reader has its own
  reader.wait(std::chrono::milliseconds(1));
  EXPECT_THAT(reader.take().payloads(), IsEmpty());
  EXPECT_THAT(reader.fields(), IsEmpty());
  ASSERT_THAT(reader.counts(), SizeIs(1));
  EXPECT_EQ(reader.counts().front().cpu, -1);
  EXPECT_EQ(reader.counts().front().lost, std::nullopt);
}

TEST(PayloadReader, ArraysCannotBePeekedAt) {
  const FileDescriptor map = made_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 1, sizeof(std::uint32_t), sizeof(std::uint32_t));
  if (!map) GTEST_SKIP() << "BPF maps cannot be made here";
  EXPECT_THAT(refusal_of({.descriptor = map.get(), .peek = true}), HasSubstr("it has one reader"));
}

TEST(PayloadReaderInC, GivesErrorsAndSurvivesWrongHandles) {
  perfsift_error* error = nullptr;
  EXPECT_EQ(perfsift_payload_reader_new(nullptr, &error), nullptr);
  EXPECT_EQ(perfsift_error_code(error), PERFSIFT_ERROR_USAGE);
  perfsift_error_free(error);
  auto* const wrong = reinterpret_cast<perfsift_payload_reader*>(&error);
  EXPECT_EQ(perfsift_payload_reader_take(wrong, nullptr), nullptr);
  EXPECT_EQ(perfsift_payload_reader_rings(wrong), 0u);
  EXPECT_EQ(perfsift_payload_reader_fields(wrong), 0u);
  EXPECT_EQ(perfsift_payload_reader_note(wrong, 0), nullptr);
  EXPECT_EQ(perfsift_payloads_count(nullptr), 0u);
  perfsift_payload_reader_free(wrong);
  perfsift_payloads_free(nullptr);
}

TEST(PayloadReaderInC, ReadsAMapOfThisProcess) {
  const FileDescriptor map = made_map(BPF_MAP_TYPE_RINGBUF, one_page);
  if (!map) GTEST_SKIP() << "BPF maps cannot be made here";
  perfsift_payload_options options = PERFSIFT_PAYLOAD_OPTIONS_INIT;
  options.descriptor = map.get();
  perfsift_payload_reader* const reader = perfsift_payload_reader_new(&options, nullptr);
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(perfsift_payload_reader_wait(reader, 1, nullptr), PERFSIFT_OK);
  perfsift_payloads* const payloads = perfsift_payload_reader_take(reader, nullptr);
  EXPECT_EQ(perfsift_payloads_count(payloads), 0u);
  perfsift_payload payload = PERFSIFT_PAYLOAD_INIT;
  EXPECT_EQ(perfsift_payloads_get(payloads, 0, &payload, nullptr), PERFSIFT_ERROR_USAGE);
  std::uint64_t number = 0;
  EXPECT_EQ(perfsift_payloads_number(payloads, 0, "x", &number, nullptr), PERFSIFT_ERROR_USAGE);
  ASSERT_EQ(perfsift_payload_reader_rings(reader), 1u);
  perfsift_payload_counts counts = PERFSIFT_PAYLOAD_COUNTS_INIT;
  EXPECT_EQ(perfsift_payload_reader_counts(reader, 0, &counts, nullptr), PERFSIFT_OK);
  EXPECT_EQ(counts.lost, PERFSIFT_NONE);
  EXPECT_EQ(perfsift_payload_reader_counts(reader, 1, &counts, nullptr), PERFSIFT_ERROR_USAGE);
  perfsift_payloads_free(payloads);
  perfsift_payload_reader_free(reader);
}

}  // namespace
}  // namespace perfsift
