#include "analysis/input/line_splitter.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

TEST(LineSplitter, GivesTheSameLinesHoweverTheTextIsCut) {
  const std::string text = "one\n\ntwo\r\nthree";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    std::vector<std::string> lines;
    LineSplitter splitter([&](std::string_view line) { lines.emplace_back(line); });
    for (std::size_t at = 0; at < text.size(); at += size) splitter.feed(std::string_view(text).substr(at, size));
    splitter.finish();
    EXPECT_THAT(lines, testing::ElementsAre("one", "", "two\r", "three")) << size;
  }
}

TEST(LineSplitter, AByteOrderMarkInFrontIsNoPartOfALine) {
  const std::string text = "\xef\xbb\xbfone\n\xef\xbb\xbf two";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    std::vector<std::string> lines;
    LineSplitter splitter([&](std::string_view line) { lines.emplace_back(line); });
    for (std::size_t at = 0; at < text.size(); at += size) splitter.feed(std::string_view(text).substr(at, size));
    splitter.finish();
    EXPECT_THAT(lines, testing::ElementsAre("one", "\xef\xbb\xbf two")) << size;
  }
}

TEST(LineSplitter, ANewlineAtTheEndOpensNoLine) {
  std::vector<std::string> lines;
  LineSplitter splitter([&](std::string_view line) { lines.emplace_back(line); });
  splitter.feed("one\n");
  splitter.finish();
  EXPECT_THAT(lines, testing::ElementsAre("one"));
}

}  // namespace
}  // namespace perfsift::analysis
