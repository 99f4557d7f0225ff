#include "reader/tracepoint/description.h"

#include <string>

#include <gtest/gtest.h>

namespace perfsift::reader {
namespace {

bool declares(std::string_view field) {
  return read_description(
             "name: my_event\nID: 7\nformat:\n"
             "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n\t" +
             std::string(field) + "\n\nprint fmt: \"%d\", 1\n")
      .has_value();
}

TEST(Description, FieldsAreDeclaredAsTheKernelDoes) {
  EXPECT_TRUE(declares("field:int number;\toffset:4;\tsize:4;\tsigned:1;"));
  EXPECT_TRUE(declares("field:int number;\toffset:4;\tsize:4;"));  // before 2.6.33
  EXPECT_TRUE(declares("field:char comm[16];\toffset:4;\tsize:16;\tsigned:0;"));
  EXPECT_TRUE(declares("field:char comm[TASK_COMM_LEN];\toffset:4;\tsize:16;\tsigned:0;"));
  EXPECT_TRUE(declares("field:__data_loc char[] name;\toffset:4;\tsize:4;\tsigned:0;"));
  EXPECT_TRUE(declares("field:const void * ptr;\toffset:8;\tsize:8;\tsigned:0;"));
}

// Descriptions with a single changed byte. Each made libtraceevent 1.7.1 follow a null pointer.
TEST(Description, OddDeclarationsAreRefused) {
  EXPECT_FALSE(declares("field:char comm[16+;\toffset:4;\tsize:16;\tsigned:0;"));
  EXPECT_FALSE(declares("field:char comm[>6];\toffset:4;\tsize:16;\tsigned:0;"));
  EXPECT_FALSE(declares("field:int prev_pr[o;\toffset:4;\tsize:4;\tsigned:1;"));
  EXPECT_FALSE(declares("field:int number;\toffset:;\tsize:4;\tsigned:1;"));
  EXPECT_FALSE(declares("field:number;\toffset:4;\tsize:4;\tsigned:1;"));
  EXPECT_FALSE(declares("fixld:int number;\toffset:4;\tsize:4;\tsigned:1;"));
}

TEST(Description, ThePrintFormatFollowsTheFields) {
  const auto description = read_description("name: my_event\nID: 7\nformat:\n\nprint fmt: \"%d\", REC->number\n");
  ASSERT_TRUE(description);
  EXPECT_EQ(description->declarations, "name: my_event\nID: 7\nformat:\n");
  EXPECT_EQ(description->print, " \"%d\", REC->number\n");
  EXPECT_FALSE(read_description("name: my_event\nID: 7\nformat:\n\n"));
}

}  // namespace
}  // namespace perfsift::reader
