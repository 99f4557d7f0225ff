#include "symbolize/search/debug_files.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "symbolize/unwind/unwind_tables.h"
#include "tests/support/temporary.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

namespace fs = std::filesystem;
using test::fixture;

class DebugFiles : public testing::Test {
 protected:
  void place(const std::string& fixture_name, const std::string& path) {
    const fs::path to = directory.path() / path;
    fs::create_directories(to.parent_path());
    fs::copy_file(fixture(fixture_name), to);
  }
  std::string here(const std::string& path) const { return directory.path() / path; }
  std::string by_id() const {
    const std::string hex = test::marked_build_id().hex();
    return ".build-id/" + hex.substr(0, 2) + "/" + hex.substr(2);
  }
  const SymbolFile& names() {
    symbolizer = std::make_unique<Symbolizer>(options);
    return symbolizer->file(binary);
  }
  // "compare" is a local function: only .symtab has its name.
  bool has_symtab_names() {
    const auto& symbols = names().symbols();
    return std::ranges::find(symbols, "compare", &Symbol::name) != symbols.end();
  }

  test::TemporaryDirectory directory;
  SymbolizeOptions options = test::nowhere_else();
  Binary binary;
  std::unique_ptr<Symbolizer> symbolizer;
};

TEST_F(DebugFiles, ADebugFileIsFoundByBuildId) {
  place("stripped.so", "lib/a.so");
  place("marked.so.debug", "debug/" + by_id() + ".debug");
  binary.path = here("lib/a.so");
  EXPECT_FALSE(has_symtab_names());
  options.debug_dirs = {here("debug")};
  EXPECT_TRUE(has_symtab_names());
  EXPECT_EQ(names().source(), here("debug/" + by_id() + ".debug"));
}

TEST_F(DebugFiles, NamesOfADebugFileAreAtThePlacesOfTheFileThatRan) {
  place("stripped.so", "lib/a.so");
  place("marked.so.debug", "debug/" + by_id() + ".debug");
  binary.path = here("lib/a.so");
  options.debug_dirs = {here("debug")};
  const std::string whole = fixture("marked.so");
  EXPECT_EQ(test::name_at(names(), test::offset_of("MARK:inner", whole)), "inner");
  EXPECT_EQ(test::name_at(names(), test::offset_of("MARK:object", whole)), "marked_object");
}

TEST_F(DebugFiles, ADebugFileAloneIsNotUsedBecauseItDoesNotTellPlaces) {
  place("marked.so.debug", "debug/" + by_id() + ".debug");
  binary.path = here("lib/a.so");
  binary.build_id = test::marked_build_id();
  options.debug_dirs = {here("debug")};
  EXPECT_TRUE(names().symbols().empty());
  EXPECT_EQ(names().why_missing(), Missing::file_missing);
}

TEST_F(DebugFiles, ADebugLinkIsFollowedBesideTheFileInDotDebugAndInTheDebugFolder) {
  for (const std::string debug : {"lib/marked.so.debug", "lib/.debug/marked.so.debug"}) {
    const test::TemporaryDirectory fresh;
    for (const auto& [name, to] : {std::pair{"linked.so", std::string("lib/a.so")}, {"marked.so.debug", debug}}) {
      fs::create_directories((fresh.path() / to).parent_path());
      fs::copy_file(fixture(name), fresh.path() / to);
    }
    binary.path = fresh.path() / "lib/a.so";
    EXPECT_TRUE(has_symtab_names()) << debug;
  }
  place("linked.so", "lib/a.so");
  binary.path = here("lib/a.so");
  options.debug_dirs = {here("debug")};
  place("marked.so.debug", "debug" + here("lib/marked.so.debug"));
  EXPECT_TRUE(has_symtab_names());
}

TEST_F(DebugFiles, WithoutBuildIdADebugLinkCountsOnlyWhenTheChecksumAgrees) {
  place("linked_without_id.so", "lib/a.so");
  binary.path = here("lib/a.so");
  directory.write("lib/marked.so.debug", test::content_of(fixture("marked.so.debug")) + "more");
  EXPECT_FALSE(has_symtab_names());
  directory.write("lib/marked.so.debug", test::content_of(fixture("marked.so.debug")));
  EXPECT_TRUE(has_symtab_names());
}

TEST_F(DebugFiles, TheBuildIdCacheAloneIsEnough) {
  place("marked.so", "cache/" + by_id() + "/elf");
  options.build_id_dir = here("cache");
  binary.path = "/nowhere/a.so";
  binary.build_id = test::marked_build_id();
  EXPECT_TRUE(has_symtab_names());
  binary.build_id = {};
  EXPECT_EQ(names().why_missing(), Missing::file_missing);
}

TEST_F(DebugFiles, AnOldCacheHasTheFileItselfUnderItsId) {
  place("marked.so", "cache/" + by_id());
  options.build_id_dir = here("cache");
  binary.path = "/nowhere/a.so";
  binary.build_id = test::marked_build_id();
  EXPECT_TRUE(has_symtab_names());
}

TEST_F(DebugFiles, PathsAreLookedUpBelowTheSymfs) {
  place("stripped.so", "root/lib/a.so");
  place("marked.so.debug", "root/usr/lib/debug/lib/a.so.debug");
  options.symfs = here("root");
  options.debug_dirs = {"/usr/lib/debug"};
  binary.path = "/lib/a.so";
  EXPECT_TRUE(has_symtab_names());
}

TEST_F(DebugFiles, ASymfsHasABuildIdCacheOfItsOwn) {
  place("marked.so", "root/.debug/" + by_id() + "/elf");
  options.symfs = here("root");
  options.build_id_dir = {};
  binary.path = "/nowhere/a.so";
  binary.build_id = test::marked_build_id();
  EXPECT_TRUE(has_symtab_names());
}

TEST_F(DebugFiles, AFileOfAnotherBuildIsNotUsed) {
  place("marked.so", "a.so");
  binary.path = here("a.so");
  binary.build_id = test::build_id_of_hex("0102030405060708090a0b0c0d0e0f1011121314");
  EXPECT_TRUE(names().symbols().empty());
  EXPECT_EQ(names().why_missing(), Missing::build_id_differs);
}

TEST_F(DebugFiles, AFileWithoutBuildIdIsNotUsedWhereOneWasRecorded) {
  place("linked_without_id.so", "a.so");
  binary.path = here("a.so");
  binary.build_id = test::marked_build_id();
  EXPECT_EQ(names().why_missing(), Missing::build_id_differs);
}

TEST_F(DebugFiles, ADeletedFileIsMissingUnlessTheBuildIdVouchesForWhatIsThereNow) {
  place("marked.so", "a.so");
  binary.path = here("a.so") + " (deleted)";
  EXPECT_EQ(names().why_missing(), Missing::file_missing);
  binary.build_id = test::marked_build_id();
  EXPECT_TRUE(has_symtab_names());
}

TEST_F(DebugFiles, AFileThatIsNoElfFileSaysSo) {
  binary.path = directory.write("a.so", std::string_view("#!/bin/sh\n"));
  EXPECT_EQ(names().why_missing(), Missing::not_elf);
  binary.path = directory.write("empty", std::string_view());
  EXPECT_EQ(names().why_missing(), Missing::file_unreadable);
  binary.path = directory.path();
  EXPECT_EQ(names().why_missing(), Missing::file_unreadable);
}

// A file at the recorded path, without a build id in the recording.
class FilesWithoutARecordedBuildId : public DebugFiles {
 protected:
  FilesWithoutARecordedBuildId() {
    place("marked.so", "a.so");
    binary.path = here("a.so");
    stamp = stamp_of(binary.path).value();
    binary.file.identity.inode = stamp.inode;
    binary.file.recorded_seconds = stamp.written_ns / 1'000'000'000;
    binary.file.least_size = stamp.size;
  }
  void expect_refused() {
    EXPECT_TRUE(names().symbols().empty());
    EXPECT_EQ(names().why_missing(), Missing::file_differs);
    options.force = true;
    EXPECT_TRUE(has_symtab_names());
    options.force = false;
  }

  FileStamp stamp;
};

TEST_F(FilesWithoutARecordedBuildId, AreUsedIfNothingSpeaksAgainstThem) {
  EXPECT_TRUE(has_symtab_names());
  binary.file = {};
  EXPECT_TRUE(has_symtab_names()) << "a recording of an old perf tells nothing";
}

TEST_F(FilesWithoutARecordedBuildId, AreNotUsedIfTheInodeIsAnother) {
  ++binary.file.identity.inode;
  expect_refused();
}

TEST_F(FilesWithoutARecordedBuildId, AreNotUsedIfTheInodeBelongedToAnotherFile) {
  const auto generation = inode_generation(binary.path);
  if (!generation) GTEST_SKIP() << "the file system has no generations of inodes";
  binary.file.identity.inode_generation = *generation;
  EXPECT_TRUE(has_symtab_names());
  binary.file.identity.inode_generation = *generation + 1;
  expect_refused();
}

TEST_F(FilesWithoutARecordedBuildId, AreNotUsedIfTheyWereWrittenAfterTheRecording) {
  --binary.file.recorded_seconds;
  expect_refused();
}

TEST_F(FilesWithoutARecordedBuildId, AreNotUsedIfMoreWasMappedThanTheyHave) {
  ++binary.file.least_size;
  expect_refused();
}

TEST_F(FilesWithoutARecordedBuildId, AreNotUsedForDebugFilesOfTheirPathEither) {
  place("marked.so", "debug" + here("a.so"));
  options.debug_dirs = {here("debug")};
  ++binary.file.identity.inode;
  expect_refused();
}

// A copy has another inode, and the date of the copy.
TEST_F(FilesWithoutARecordedBuildId, BelowASymfsMustOnlyBeLargeEnough) {
  options.symfs = here("");
  binary.path = "/a.so";
  ++binary.file.identity.inode;
  --binary.file.recorded_seconds;
  EXPECT_TRUE(has_symtab_names());
  ++binary.file.least_size;
  expect_refused();
}

TEST_F(FilesWithoutARecordedBuildId, DifferAlsoForUnwinding) {
  EXPECT_TRUE(Symbolizer(options).unwind_tables().table(binary).architecture());
  ++binary.file.identity.inode;
  EXPECT_FALSE(Symbolizer(options).unwind_tables().table(binary).architecture());
}

TEST_F(DebugFiles, ThreadsThatAskForOneBinaryGetOneObject) {
  binary.path = fixture("marked.so");
  Symbolizer shared(options);
  std::array<const SymbolFile*, 8> seen = {};
  std::vector<std::thread> threads;
  for (auto& slot : seen) threads.emplace_back([&] { slot = &shared.file(binary); });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(std::ranges::count(seen, seen[0]), 8);
  EXPECT_FALSE(seen[0]->symbols().empty());
}

}  // namespace
}  // namespace perfsift::symbolize
