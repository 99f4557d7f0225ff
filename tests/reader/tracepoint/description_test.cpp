#include "reader/tracepoint/description.h"

#include <string>

#include <gtest/gtest.h>

namespace perfsift::reader {
namespace {

std::string description(std::string_view field, std::string_view arguments) {
  return "name: my_event\nID: 7\nformat:\n"
         "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n\t" +
         std::string(field) + "\n\nprint fmt: \"%d\", " + std::string(arguments) + "\n";
}

bool declares(std::string_view field) { return is_sane(description(field, "1")); }
bool prints(std::string_view arguments) {
  return is_sane(description("field:int number;\toffset:4;\tsize:4;\tsigned:1;", arguments));
}

TEST(Description, FieldsAreDeclaredAsTheKernelDoes) {
  EXPECT_TRUE(declares("field:int number;\toffset:4;\tsize:4;\tsigned:1;"));
  EXPECT_TRUE(declares("field:int number;\toffset:4;\tsize:4;"));  // before 2.6.33
  EXPECT_TRUE(declares("field:char comm[16];\toffset:4;\tsize:16;\tsigned:0;"));
  EXPECT_TRUE(declares("field:char comm[TASK_COMM_LEN];\toffset:4;\tsize:16;\tsigned:0;"));
  EXPECT_TRUE(declares("field:__data_loc char[] name;\toffset:4;\tsize:4;\tsigned:0;"));
  EXPECT_TRUE(declares("field:const void * ptr;\toffset:8;\tsize:8;\tsigned:0;"));
}

// A single changed byte in each, all of which made libtraceevent 1.7.1 follow a null pointer.
TEST(Description, OddDeclarationsAreRefused) {
  EXPECT_FALSE(declares("field:char comm[16+;\toffset:4;\tsize:16;\tsigned:0;"));
  EXPECT_FALSE(declares("field:char comm[>6];\toffset:4;\tsize:16;\tsigned:0;"));
  EXPECT_FALSE(declares("field:int prev_pr[o;\toffset:4;\tsize:4;\tsigned:1;"));
  EXPECT_FALSE(declares("field:int number;\toffset:;\tsize:4;\tsigned:1;"));
  EXPECT_FALSE(declares("field:number;\toffset:4;\tsize:4;\tsigned:1;"));
  EXPECT_FALSE(declares("fixld:int number;\toffset:4;\tsize:4;\tsigned:1;"));
}

TEST(Description, OnlyDeclaredFieldsArePrinted) {
  EXPECT_TRUE(prints("REC->number, REC -> common_type"));
  EXPECT_FALSE(prints("REC->numbex"));
  EXPECT_FALSE(prints("REC, 1"));
  EXPECT_TRUE(prints("\"REC->numbex\""));
}

TEST(Description, DivisorsAreNeverZero) {
  EXPECT_TRUE(prints("REC->number / 1000 - 1"));
  EXPECT_TRUE(prints("REC->number % (unsigned long)1000000UL"));
  EXPECT_TRUE(prints("1000 / REC->number"));
  EXPECT_TRUE(prints("__get_dynamic_array_len(a) / sizeof(u32)"));
  EXPECT_FALSE(prints("1 / 0"));
  EXPECT_FALSE(prints("1 % 0x00000000"));
  EXPECT_FALSE(prints("1 / (1 - 1)"));
  EXPECT_FALSE(prints("1 / (u64)0"));
  EXPECT_FALSE(prints("1 / HZ"));
}

TEST(Description, BracketsPairUp) {
  EXPECT_TRUE(prints("__print_flags(REC->number, \"|\", { 1, \"(\" })"));
  EXPECT_FALSE(prints("(REC->number"));
  EXPECT_FALSE(prints("REC->number)"));
  EXPECT_FALSE(prints("(REC->number]"));
  EXPECT_FALSE(prints("REC->number \\ 1"));
}

TEST(Description, NothingIsTooDeepForARecursiveParser) {
  EXPECT_TRUE(prints(std::string(1000, '(') + "1" + std::string(1000, ')')));
  EXPECT_FALSE(prints(std::string(2001, '(') + "1" + std::string(2001, ')')));
  EXPECT_FALSE(prints(std::string(2001, '!') + "1"));
  std::string list = "1";
  for (int i = 0; i < 3000; ++i) list += ", -1";
  EXPECT_TRUE(prints(list));
}

}  // namespace
}  // namespace perfsift::reader
