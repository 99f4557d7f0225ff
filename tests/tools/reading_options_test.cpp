#include "tools/reading_options.h"

#include <cstdlib>

#include <gmock/gmock.h>

#include "base/error.h"
#include "tools/command.h"

namespace perfsift::tools {
namespace {

ReadingOptions parsed(const options::Arguments& arguments) {
  ReadingOptions reading;
  options::po::options_description options;
  reading.add_to(options);
  options::parse(arguments, "", options, ReadingOptions::positional);
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
  options::po::options_description options;
  naming.add_to(options);
  EXPECT_THAT(naming.symbolize_options().debug_dirs, testing::ElementsAre("/usr/lib/debug"));
  options::parse({"--debug-dir", "d1", "--debug-dir", "d2", "--symfs", "s", "--buildid-dir", "b"}, "", options);
  EXPECT_THAT(naming.symbolize_options().debug_dirs, testing::ElementsAre("d1", "d2"));
  EXPECT_EQ(naming.symbolize_options().symfs, "s");
  EXPECT_EQ(naming.symbolize_options().build_id_dir, "b");
}

// The environment of one test.
class CacheOptions : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"PERFSIFT_CACHE_SIZE", "XDG_CACHE_HOME", "HOME"}) {
      const char* value = std::getenv(name);
      before_.emplace_back(name, value == nullptr ? "" : value);
      unsetenv(name);
    }
    setenv("HOME", "/home/nobody", 1);
  }
  void TearDown() override {
    for (const auto& [name, value] : before_) value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
  }

 private:
  std::vector<std::pair<const char*, std::string>> before_;
};

TEST_F(CacheOptions, ThereIsACacheUnlessSomebodySaysNo) {
  EXPECT_NE(CacheOption().cache(), nullptr);
  EXPECT_EQ(CacheOption{.off = true}.cache(), nullptr);
  setenv("PERFSIFT_CACHE_SIZE", "0", 1);
  EXPECT_EQ(CacheOption().cache(), nullptr);
}

TEST_F(CacheOptions, WithoutAHomeThereIsNoCache) {
  unsetenv("HOME");
  EXPECT_EQ(CacheOption().cache(), nullptr);
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(CacheOption().cache(), nullptr);
  setenv("XDG_CACHE_HOME", "/caches", 1);
  EXPECT_NE(CacheOption().cache(), nullptr);
}

TEST_F(CacheOptions, ASizeThatIsNoNumberIsRefused) {
  for (const char* wrong : {"1G", "-1", "many", "99999999999"}) {
    setenv("PERFSIFT_CACHE_SIZE", wrong, 1);
    EXPECT_THROW(CacheOption().cache(), UsageError) << wrong;
  }
}

}  // namespace
}  // namespace perfsift::tools
