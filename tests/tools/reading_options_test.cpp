#include "tools/reading_options.h"

#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/error.h"
#include "base/owned.h"
#include "tests/support/temporary.h"
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

TEST(ReadingOptions, WithoutARecordingHereThereIsAdvice) {
  const test::TemporaryDirectory directory;
  const auto before = std::filesystem::current_path();
  const FileDescriptor input(dup(STDIN_FILENO)), no_pipe(open("/dev/null", O_RDONLY | O_CLOEXEC));
  dup2(no_pipe.get(), STDIN_FILENO);
  std::filesystem::current_path(directory.path());
  try {
    parsed({}).paths();
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("record one with `perf record -g`, or name the FILE"));
  }
  directory.write("perf.data", "x");
  EXPECT_THAT(parsed({}).paths(), testing::ElementsAre("perf.data"));
  std::filesystem::current_path(before);
  dup2(input.get(), STDIN_FILENO);
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
  const test::TemporaryDirectory directory;
  const std::string symfs = directory.path() / "s";
  for (const char* folder : {"s/d1", "s/d2", "b"}) std::filesystem::create_directories(directory.path() / folder);
  const std::string cache = directory.path() / "b";
  options::parse({"--debug-dir", "/d1", "--debug-dir", "/d2", "--symfs", symfs, "--buildid-dir", cache}, "", options);
  EXPECT_THAT(naming.symbolize_options().debug_dirs, testing::ElementsAre("/d1", "/d2"));
  EXPECT_EQ(naming.symbolize_options().symfs, symfs);
  EXPECT_EQ(naming.symbolize_options().build_id_dir, cache);
}

TEST(ReadingOptions, WordsGiveTheSameNames) {
  const options::Arguments words = {"--symfs=-s",          "--kallsyms=k",    "--vmlinux=v", "--debug-dir=/d1",
                                    "--debug-dir=it's d2", "--buildid-dir=b", "--force"};
  NamingOptions naming;
  options::po::options_description options;
  naming.add_to(options);
  options::parse(words, "", options);
  EXPECT_EQ(naming.words(), words);
  EXPECT_THAT(NamingOptions().words(), testing::IsEmpty());
}

// Without an error, a misspelt path would remove all names.
TEST(ReadingOptions, WhatGivesNamesMustBeThere) {
  const test::TemporaryDirectory directory;
  const std::string file = directory.write("file", "x"), folder = directory.path();
  const auto refused = [](const std::string& option, const std::string& path) {
    NamingOptions naming;
    options::po::options_description options;
    naming.add_to(options);
    options::parse({option, path}, "", options);
    try {
      naming.symbolize_options();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  for (const char* option : {"--symfs", "--kallsyms", "--vmlinux", "--debug-dir", "--buildid-dir"})
    EXPECT_EQ(refused(option, "/nosuch"), std::string(option) + " /nosuch: No such file or directory");
  for (const char* option : {"--symfs", "--debug-dir", "--buildid-dir"})
    EXPECT_EQ(refused(option, file), std::string(option) + " " + file + ": is no folder");
  for (const char* option : {"--kallsyms", "--vmlinux"})
    EXPECT_EQ(refused(option, folder), std::string(option) + " " + folder + ": is a folder");
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
