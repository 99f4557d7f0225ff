#include "tools/reading_options.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "tools/command.h"

namespace perfsift::tools {
namespace {

ReadingOptions parsed(const Arguments& arguments) {
  ReadingOptions reading;
  po::options_description options;
  reading.add_to(options);
  parse(arguments, "", options, ReadingOptions::positional);
  return reading;
}

TEST(ReadingOptions, FilesAreNamedWithAndWithoutTheOption) {
  EXPECT_THAT(parsed({"-i", "a", "b", "-"}).paths(), testing::UnorderedElementsAre("a", "b", "-"));
}

TEST(ReadingOptions, ACommandForOneRecordingRefusesTwo) {
  EXPECT_EQ(parsed({"a"}).single_path(), "a");
  EXPECT_THROW(parsed({"a", "b"}).single_path(), UsageError);
}

TEST(ReadingOptions, DebugDirectoriesReplaceTheDefault) {
  NamingOptions naming;
  po::options_description options;
  naming.add_to(options);
  EXPECT_THAT(naming.symbolize_options().debug_dirs, testing::ElementsAre("/usr/lib/debug"));
  parse({"--debug-dir", "d1", "--debug-dir", "d2", "--symfs", "s", "--buildid-dir", "b"}, "", options);
  EXPECT_THAT(naming.symbolize_options().debug_dirs, testing::ElementsAre("d1", "d2"));
  EXPECT_EQ(naming.symbolize_options().symfs, "s");
  EXPECT_EQ(naming.symbolize_options().build_id_dir, "b");
}

}  // namespace
}  // namespace perfsift::tools
