#include "reader/temporary_file.h"

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/page_size.h"
#include "tests/support/temporary.h"

namespace perfsift::reader {
namespace {

using ::testing::HasSubstr;

// A value for TMPDIR, as long as the object lives.
class FolderForTemporaryFiles {
 public:
  explicit FolderForTemporaryFiles(const std::string& folder) { setenv("TMPDIR", folder.c_str(), 1); }
  ~FolderForTemporaryFiles() { before_ ? setenv("TMPDIR", before_->c_str(), 1) : unsetenv("TMPDIR"); }
  FolderForTemporaryFiles(const FolderForTemporaryFiles&) = delete;
  FolderForTemporaryFiles& operator=(const FolderForTemporaryFiles&) = delete;

 private:
  std::optional<std::string> before_ =
      std::getenv("TMPDIR") ? std::optional<std::string>(std::getenv("TMPDIR")) : std::nullopt;
};

std::vector<std::byte> kept_of(TemporaryFile& file) {
  const std::vector<std::byte> first(5000, std::byte{1});
  file.append(first);
  const Mapped more = file.extend(1);
  more.writable().front() = std::byte{2};
  const Mapped all = file.map();
  return {all.bytes().begin(), all.bytes().end()};
}

std::string error_of_extending(TemporaryFile& file) {
  try {
    file.extend(std::size_t{1} << 46);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(TemporaryFile, IsInMemoryWhereThereIsNoFolder) {
  const test::TemporaryDirectory directory;
  std::vector<std::vector<std::byte>> kept;
  for (const char* const folder : {"", "/missing"}) {
    const FolderForTemporaryFiles there(directory.path().string() + folder);
    TemporaryFile file;
    kept.push_back(kept_of(file));
    EXPECT_THAT(error_of_extending(file), HasSubstr("cannot extend a temporary file "));
    EXPECT_THAT(error_of_extending(file), HasSubstr(*folder == 0 ? "below " : "in memory, as there is no folder"));
  }
  const std::size_t second = (5000 + page_size() - 1) / page_size() * page_size();
  ASSERT_EQ(kept[0].size(), second + page_size());
  EXPECT_EQ(kept[0][second], std::byte{2});
  EXPECT_EQ(kept[0], kept[1]);
}

}  // namespace
}  // namespace perfsift::reader
