#include "output/files/output_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/support/temporary.h"

namespace perfsift::output {
namespace {

namespace fs = std::filesystem;
using fs::perms;

class OutputFileTest : public ::testing::Test {
 protected:
  std::string text_of(const fs::path& path) const {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_.path())) names.push_back(entry.path().filename());
    return names;
  }
  test::TemporaryDirectory directory_;
  std::string path_ = directory_.path() / "out";
};

TEST_F(OutputFileTest, WhatIsNotCommittedLeavesNothingBehind) {
  {
    OutputFile out(path_);
    out.write("half of it");
  }
  EXPECT_THAT(files(), testing::IsEmpty());
}

TEST_F(OutputFileTest, TheOldFileStaysUntilTheNewOneIsWhole) {
  directory_.write("out", "old");
  {
    OutputFile out(path_);
    out.write("half of it");
    EXPECT_EQ(text_of(path_), "old");
  }
  EXPECT_EQ(text_of(path_), "old");

  OutputFile out(path_);
  out.write("all of ");
  out.write("it");
  out.commit();
  EXPECT_EQ(text_of(path_), "all of it");
  EXPECT_THAT(files(), testing::ElementsAre("out"));
}

// Large pieces use disk space only for their content, and for the metadata that the file system needs.
TEST_F(OutputFileTest, LargePiecesLieBehindEachOther) {
  std::string expected;
  OutputFile out(path_);
  for (const std::size_t size : {1u, 300'000u, 5u, 1'000'000u, 262'144u, 700'001u}) {
    const std::string piece(size, static_cast<char>('a' + expected.size() % 26));
    out.write(piece);
    expected += piece;
  }
  out.commit();
  EXPECT_TRUE(text_of(path_) == expected);
  struct stat file {};
  ASSERT_EQ(stat(path_.c_str(), &file), 0);
  constexpr std::int64_t unit = 512, blocks_of_extents = 16 * 4096;
  EXPECT_LE(file.st_blocks * unit, static_cast<std::int64_t>(expected.size()) + blocks_of_extents);
}

TEST_F(OutputFileTest, ANewFileHasTheModeTheUmaskLeaves) {
  const mode_t old = umask(027);
  OutputFile out(path_);
  out.commit();
  umask(old);
  EXPECT_EQ(fs::status(path_).permissions(), perms::owner_read | perms::owner_write | perms::group_read);
}

TEST_F(OutputFileTest, AnOldFileKeepsItsMode) {
  directory_.write("out", "old");
  const perms odd = perms::owner_read | perms::owner_write | perms::others_read;
  fs::permissions(path_, odd);
  OutputFile out(path_);
  out.commit();
  EXPECT_EQ(fs::status(path_).permissions(), odd);
}

// path_of_part() makes such names: see split.cpp.
TEST_F(OutputFileTest, AnOldFileMayHaveALongName) {
  const std::string name(248, 'n');
  directory_.write(name, "old");
  OutputFile out((directory_.path() / name).string());
  out.write("new");
  out.commit();
  EXPECT_EQ(text_of(directory_.path() / name), "new");
  EXPECT_THAT(files(), testing::ElementsAre(name));
}

TEST_F(OutputFileTest, ASymbolicLinkStaysOne) {
  directory_.write("there/real", "old");
  fs::create_symlink("there/real", path_);
  OutputFile out(path_);
  out.write("new");
  out.commit();
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(text_of(directory_.path() / "there/real"), "new");
}

TEST_F(OutputFileTest, AGrowingFileIsThereFromItsAppearanceOn) {
  {
    OutputFile out = OutputFile::growing(path_, 0600);
    out.write("half ");
    EXPECT_THAT(files(), testing::IsEmpty());
    out.appear();
    out.write("of it");
    EXPECT_EQ(text_of(path_), "half of it");
    EXPECT_EQ(fs::status(path_).permissions(), perms::owner_read | perms::owner_write);
  }
  EXPECT_EQ(text_of(path_), "half of it");
}

TEST_F(OutputFileTest, AGrowingFileLeavesTheOldOneUnderAnotherName) {
  directory_.write("out", "old");
  OutputFile out = OutputFile::growing(path_, 0600);
  out.write("new");
  out.appear();
  EXPECT_EQ(text_of(path_), "new");
  EXPECT_EQ(text_of(path_ + ".old"), "old");
  out.commit();
  EXPECT_THAT(files(), testing::UnorderedElementsAre("out", "out.old"));
}

TEST_F(OutputFileTest, AGrowingFileThatNeverAppearsLeavesTheOldOneAsItWas) {
  directory_.write("out", "old");
  OutputFile::growing(path_, 0600).write("new");
  EXPECT_EQ(text_of(path_), "old");
  EXPECT_THAT(files(), testing::ElementsAre("out"));
}

TEST_F(OutputFileTest, AGrowingFileAppearsAtItsEndAtTheLatest) {
  OutputFile out = OutputFile::growing(path_, 0600);
  out.write("all");
  out.commit();
  EXPECT_EQ(text_of(path_), "all");
}

TEST_F(OutputFileTest, AFileOfANewFolderNeedsTheFolderWhenItAppears) {
  OutputFile out = OutputFile::growing_in(path_, "data", 0600);
  out.write("all");
  EXPECT_THAT(files(), testing::IsEmpty());
  EXPECT_THROW(out.appear(), Error);
  fs::create_directory(path_);
  out.appear();
  EXPECT_EQ(text_of(path_ + "/data"), "all");
}

TEST_F(OutputFileTest, AFolderOfARecordingIsKeptUnderAnotherName) {
  directory_.write("out/data", "old");
  directory_.write("out/data.0", "old");
  directory_.write("out.old/data", "older");
  directory_.write("out.old/data.7", "older");
  OutputFile out = OutputFile::growing(path_, 0600);
  out.write("new");
  out.commit();
  EXPECT_EQ(text_of(path_), "new");
  EXPECT_EQ(text_of(path_ + ".old/data"), "old");
  EXPECT_FALSE(fs::exists(path_ + ".old/data.7"));
}

TEST_F(OutputFileTest, AFolderOfOtherFilesIsRefused) {
  directory_.write("out/letters", "precious");
  EXPECT_THROW(OutputFile::growing(path_, 0600), Error);
  fs::remove_all(path_);
  directory_.write("out", "old");
  directory_.write("out.old/data", "older");
  directory_.write("out.old/letters", "precious");
  OutputFile out = OutputFile::growing(path_, 0600);
  EXPECT_THROW(out.commit(), Error);
  EXPECT_EQ(text_of(path_), "old");
  EXPECT_EQ(text_of(path_ + ".old/letters"), "precious");
}

TEST_F(OutputFileTest, AGrowingFileFollowsNoLink) {
  directory_.write("of somebody", "precious");
  fs::create_symlink("of somebody", path_);
  EXPECT_THROW(OutputFile::growing(path_, 0600), Error);
  EXPECT_EQ(text_of(path_), "precious");
}

TEST_F(OutputFileTest, APipeIsWrittenAsItIs) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const FileDescriptor reader(open(path_.c_str(), O_RDONLY | O_NONBLOCK));
  OutputFile out(path_);
  out.write("text");
  char buffer[8] = {};
  EXPECT_EQ(read(reader.get(), buffer, sizeof buffer), 4);
  EXPECT_STREQ(buffer, "text");
  out.commit();
  EXPECT_TRUE(fs::is_fifo(path_));
}

TEST_F(OutputFileTest, DevStdoutIsStandardOutputAndIsNotTruncated) {
  const std::string log = directory_.write("log", "before\n");
  const FileDescriptor appending(open(log.c_str(), O_WRONLY | O_APPEND)), saved(dup(STDOUT_FILENO));
  dup2(appending.get(), STDOUT_FILENO);
  for (const char* name : {"/dev/stdout", OutputFile::standard_output}) {
    OutputFile out(name);
    out.write("after\n");
    out.commit();
  }
  dup2(saved.get(), STDOUT_FILENO);
  EXPECT_EQ(text_of(log), "before\nafter\nafter\n");
}

TEST_F(OutputFileTest, APlaceThatCannotBeWrittenIsAnErrorAtOnce) {
  EXPECT_THROW(OutputFile out(directory_.path() / "no/such/folder"), Error);
  EXPECT_THROW(OutputFile out(directory_.path().string()), Error);
}

TEST_F(OutputFileTest, AFullDiskIsAnErrorAndAClosedPipeIsNone) {
  OutputFile full("/dev/full");
  EXPECT_THROW(full.write("x"), Error);
}

}  // namespace
}  // namespace perfsift::output
