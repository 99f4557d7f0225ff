#include "base/beside_program.h"

#include <filesystem>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(BesideProgram, TheFirstPlaceThatExistsIsFound) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  const std::string up = "../" + program.parent_path().filename().string() + "/" + program.filename().string();
  EXPECT_EQ(beside_program({"no-such-file", up.c_str(), "."}), program.string());
}

TEST(BesideProgram, NothingIsFoundWhereNoPlaceExists) {
  EXPECT_EQ(beside_program({"no-such-file", "../no-such-folder/file"}), std::nullopt);
}

}  // namespace
}  // namespace perfsift
