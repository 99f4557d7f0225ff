#include "tools/report/source_texts.h"

#include <chrono>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary.h"

namespace perfsift::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SourceFiles : public ::testing::Test {
 protected:
  std::string write(const std::string& name, std::chrono::hours after_recording) const {
    std::string path = folder_.write(name, std::string_view("int a;\n\tint b;\r\n"));
    std::filesystem::last_write_time(path, recorded_ + after_recording);
    return path;
  }

  const SourceTexts::Time recorded_ = SourceTexts::Time::clock::now();
  SourceTexts texts_{"", recorded_};

 private:
  const test::TemporaryDirectory folder_;
};

TEST_F(SourceFiles, LinesWithoutTabsAndLineEnds) {
  const std::string path = write("a.c", std::chrono::hours(-1));
  EXPECT_EQ(texts_.line(path, 2), "        int b;");
  EXPECT_EQ(texts_.line(path, 3), "");
  EXPECT_EQ(texts_.line(path, 0), "");
  EXPECT_THAT(texts_.notes(), IsEmpty());
}

TEST_F(SourceFiles, AFileThatChangedAfterTheRecordingIsTold) {
  const std::string path = write("a.c", std::chrono::hours(1));
  EXPECT_THAT(texts_.notes(), IsEmpty());  // no line was requested
  EXPECT_EQ(texts_.line(path, 1), "int a;");
  EXPECT_THAT(texts_.notes(), ElementsAre(path + ": changed after the recording, so its lines may be other ones"));
  SourceTexts of_unknown_time("", {});
  EXPECT_EQ(of_unknown_time.line(path, 1), "int a;");
  EXPECT_THAT(of_unknown_time.notes(), IsEmpty());
}

TEST_F(SourceFiles, WhatIsNoFileIsTold) {
  EXPECT_EQ(texts_.line("/dev/zero", 1), "");
  EXPECT_EQ(texts_.line("/no/such/file.c", 1), "");
  EXPECT_EQ(texts_.line("", 1), "");  // the place is not known
  EXPECT_THAT(texts_.notes(),
              ElementsAre("without the text of lines, as the source cannot be read: /dev/zero and 1 more"));
}

}  // namespace
}  // namespace perfsift::tools
