#include "tools/record/recorded_folder.h"

#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/error.h"
#include "reader/recording.h"
#include "reader/writer/records/process.h"
#include "tests/support/temporary.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

reader::HeaderContent header_of_a_clock() {
  reader::EventAttr attr;
  attr.type = reader::event_type::software;
  attr.sample_type = reader::sample_bit::ip | reader::sample_bit::tid | reader::sample_bit::time;
  reader::HeaderContent header;
  header.events.push_back({.attr = reader::encode_event_attr(attr, 128, ByteOrder::native), .ids = {7}});
  return header;
}

std::vector<std::byte> renamed_thread(std::int32_t tid, std::string_view name) {
  return reader::encode_comm({.pid = tid, .tid = tid, .name = name, .exec = false}, {});
}

class RecordedFolderTest : public ::testing::TestWithParam<std::optional<int>> {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    const auto recording = reader::Recording::open(path_, {});
    recording->visit_records([&](const reader::Record& record) {
      if (const auto named = reader::decode_comm(record)) names.emplace_back(named->name);
    });
    EXPECT_EQ(recording->features().dir_format, 1u);
    return names;
  }

  test::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() / "perf.data";
};

// While a file grows, it takes room ahead.
TEST_P(RecordedFolderTest, KeepsNoMoreRoomThanItNeeds) {
  RecordedFolder folder(path_, header_of_a_clock(), GetParam(), 1);
  folder.appear();
  std::vector<std::byte> records;
  const std::vector<std::byte> record = renamed_thread(2, "one");
  while (records.size() < std::size_t{1} << 20) records.insert(records.end(), record.begin(), record.end());
  folder.ring(0).write(records);
  folder.finish();
  struct stat status {};
  ASSERT_EQ(stat((path_ + "/data.0").c_str(), &status), 0);
  constexpr std::int64_t bytes_of_block = 512, most_of_file_system = 1 << 16;
  EXPECT_LE(status.st_blocks * bytes_of_block, status.st_size + most_of_file_system);
}

TEST_P(RecordedFolderTest, HasAFileForEachRingAndIsReadAsOneRecording) {
  RecordedFolder folder(path_, header_of_a_clock(), GetParam(), 2);
  folder.records(0, renamed_thread(1, "before"));
  folder.appear();
  folder.ring(1).write(renamed_thread(2, "one"));
  folder.ring(0).write(renamed_thread(3, "zero"));
  folder.finish();
  EXPECT_THAT(names(), ElementsAre("before", "zero", "one"));
  std::vector<std::string> files;
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(path_)) {
    files.push_back(entry.path().filename());
    EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write);
    if (files.back() != "data") bytes += entry.file_size();
  }
  EXPECT_THAT(files, UnorderedElementsAre("data", "data.0", "data.1"));
  EXPECT_EQ(folder.ring(0).size() + folder.ring(1).size(), bytes);
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_all);
}

// What a recorder leaves that is killed.
TEST_P(RecordedFolderTest, IsWholeWithoutAnEnd) {
  RecordedFolder folder(path_, header_of_a_clock(), GetParam(), 2);
  folder.records(0, renamed_thread(1, "before"));
  folder.appear();
  EXPECT_THAT(names(), ElementsAre("before"));
  folder.ring(1).write(renamed_thread(2, "one"));
  folder.ring(1).flush();
  EXPECT_THAT(names(), ElementsAre("before", "one"));
}

// A limit of the size of files is as good as a full disk.
TEST_P(RecordedFolderTest, EndsWithTheLastRecordThatHasRoom) {
  RecordedFolder folder(path_, header_of_a_clock(), GetParam(), 1);
  folder.records(0, renamed_thread(1, "before"));
  folder.appear();
  folder.ring(0).write(renamed_thread(1, "first"));
  folder.ring(0).flush();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 20'001, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(
      {
        // Compressed, many different records make less than a record each.
        for (std::int32_t tid = 2; tid < 100'000; ++tid) {
          folder.ring(0).write(renamed_thread(tid * 7919, fmt::format("{:x}", tid * 2654435761u)));
          if (tid % 1000 == 0) folder.ring(0).flush();
        }
      },
      Error);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_LE(fs::file_size(path_ + "/data.0"), 20'000u);
  const auto recording = reader::Recording::open(path_, {});
  if (!GetParam()) {
    EXPECT_THAT(recording->stats().damage, ::testing::IsEmpty());
  }
  EXPECT_GT(names().size(), GetParam() ? 1u : 400u);
}

TEST_P(RecordedFolderTest, KeepsWhatStoodThere) {
  directory_.write("perf.data", "old");
  {
    RecordedFolder failed(path_, header_of_a_clock(), GetParam(), 2);
    failed.records(0, renamed_thread(1, "never seen"));
  }
  EXPECT_TRUE(fs::is_regular_file(path_));
  for (int time = 0; time < 3; ++time) {
    RecordedFolder folder(path_, header_of_a_clock(), GetParam(), 2);
    folder.appear();
    folder.finish();
  }
  EXPECT_TRUE(fs::exists(path_ + ".old/data.1"));
  directory_.write("other/letters", "precious");
  EXPECT_THROW(RecordedFolder(directory_.path() / "other", header_of_a_clock(), GetParam(), 2), Error);
}

INSTANTIATE_TEST_SUITE_P(Compressed, RecordedFolderTest, ::testing::Values(std::nullopt, 1));

}  // namespace
}  // namespace perfsift::tools
