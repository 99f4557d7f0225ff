// Small files of the kernel.
#include "record/machine/kernel_files.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/record/made_roots.h"

namespace perfsift::record {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(KernelFiles, ValuesAreFoundByTheirWholeKey) {
  constexpr std::string_view text = "processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC  \nempty:\n";
  EXPECT_EQ(value_of(text, "model"), "1");
  EXPECT_EQ(value_of(text, "model name"), "AMD EPYC");
  EXPECT_EQ(value_of(text, "name"), "");
  EXPECT_EQ(value_of(text, "empty"), "");
}

TEST(KernelFiles, WhatCannotBeReadIsEmpty) {
  EXPECT_EQ(text_of("/nowhere/at/all"), "");
  EXPECT_FALSE(number_of("/nowhere/at/all"));
  EXPECT_THAT(names_in("/nowhere/at/all"), IsEmpty());
  EXPECT_EQ(text_of("/"), "");
}

TEST(KernelFiles, NumbersAndNamesOfAFolderAreSorted) {
  const MadeRoots made;
  for (const char* name : {"node10", "node2", "nodes", "node2x", "power"})
    std::filesystem::create_directories(made.path(std::string("sys/") + name));
  EXPECT_THAT(numbered_in(made.roots().sysfs, "node"), ElementsAre(2, 10));
  EXPECT_THAT(names_in(made.roots().sysfs), ElementsAre("node10", "node2", "node2x", "nodes", "power"));
  made.sys("hex", "8000000\n");
  EXPECT_EQ(number_of(made.roots().sysfs + "/hex", 16), 0x8000000u);
  EXPECT_EQ(text_of(made.roots().sysfs + "/hex"), "8000000");
}

}  // namespace
}  // namespace perfsift::record
