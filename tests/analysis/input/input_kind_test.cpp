#include "analysis/input/input_kind.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/temporary.h"

namespace perfsift::analysis {
namespace {

using namespace std::string_view_literals;

InputKind kind(std::string_view text) { return input_kind(std::as_bytes(std::span(text))); }

TEST(InputKind, ARecordingHasPerfsMagicInEitherByteOrder) {
  for (const auto magic : {"PERFILE2"sv, "2ELIFREP"sv, "PERFFILE"sv, "ELIFFREP"sv}) {
    EXPECT_EQ(kind(std::string(magic) + std::string(8, '\0')), InputKind::recording) << magic;
  }
}

TEST(InputKind, ContainersAreKnownByTheirMagic) {
  EXPECT_EQ(kind("\x1f\x8b\x08"sv), InputKind::compressed);
  EXPECT_EQ(kind("\x28\xb5\x2f\xfd\x04"sv), InputKind::compressed);
  EXPECT_EQ(kind("\xfd"
                 "7zXZ\0\0"sv),
            InputKind::compressed);
}

TEST(InputKind, PerfScriptTextIsKnownByItsSamples) {
  EXPECT_EQ(kind("# ========\n# hostname : vm 1\n\nab 1  1.000000: 5 c: \n\t 10 f (/x)\n\n"),
            InputKind::perf_script_text);
  EXPECT_EQ(kind("bash \n\tffffffff817554ea elf_load\n\n"), InputKind::perf_script_text);
  EXPECT_EQ(kind("            bash 12890  1235.232863:         12 \n"), InputKind::perf_script_text);
}

TEST(InputKind, FoldedTextIsKnownByItsCounts) {
  EXPECT_EQ(kind("swapper;rest_init;do_idle 12\nbash;main 3.5\n"), InputKind::folded_text);
  EXPECT_EQ(kind("# comment\nbash 7"), InputKind::folded_text);
}

TEST(InputKind, FoldedStacksWithHexadecimalNamesAreFoldedText) {
  for (const auto text : {"a;b 1\na 2\n"sv, "main;f 1\nf 2\n"sv, "java;add 3\nadd 1\n"sv,
                          "main;x 3\nadd 1\nbad 2\ndead 5\n"sv, "main 3\n\nadd 1\n"sv})
    EXPECT_EQ(kind(text), InputKind::folded_text) << text;
}

// The output of perf 6.1 script with -F comm,tid,ip,sym, ip,sym and ip, and with -F comm,tid,ip,sym for a recording
// without stacks.
TEST(InputKind, PerfScriptTextWithFewFieldsIsKnownByItsFrames) {
  for (const auto text : {"w  4057 \n\tffffffff816f0061 __legitimize_mnt\n\t          146f2c [unknown]\n\n"sv,
                          "\n\tffffffff816f0061 __legitimize_mnt\n\n"sv, "\n\tffffffff816f0061\n\n"sv,
                          "               w  4113  ffffffff8168558e page_counter_charge\n"sv})
    EXPECT_EQ(kind(text), InputKind::perf_script_text) << text;
}

TEST(InputKind, OneOddLineDoesNotDecide) {
  EXPECT_EQ(kind("swapper;rest_init 12\nbash;main 3\nbash 1  1.000000: 5 c: \n"), InputKind::folded_text);
  EXPECT_EQ(kind("a;b 1\nab 1  1.000000: 5 c: \n\t 10 f (/x)\n\n"), InputKind::perf_script_text);
}

TEST(InputKind, AnythingElseIsUnknown) {
  EXPECT_EQ(kind(""), InputKind::unknown);
  EXPECT_EQ(kind("hello\nworld\n"), InputKind::unknown);
  EXPECT_EQ(kind("\x7f"
                 "ELF\2\1\1\0 1\n"sv),
            InputKind::unknown);
}

// A stack of thousands of frames is a line longer than the examined part.
TEST(InputKind, TheFirstLineMayBeLongerThanWhatIsLookedAt) {
  std::string deep = "main";
  while (deep.size() < 2 * input_kind_bytes) deep += ";recursion";
  EXPECT_EQ(kind(deep + " 1\n"), InputKind::folded_text);
  EXPECT_EQ(kind("# comment\n" + deep + " 1\n"), InputKind::folded_text);
  EXPECT_EQ(kind("hello\n" + deep), InputKind::unknown);
  EXPECT_EQ(kind(std::string(2 * input_kind_bytes, 'a')), InputKind::unknown);
}

// Files that valgrind 3.19, perfsift export --to callgrind, and gperftools before profile.proto write.
TEST(InputKind, ProfilesOfOtherProgramsAreNoFoldedStacks) {
  const auto why = [](std::string_view text) { return std::string(why_unusable(std::as_bytes(std::span(text)))); };
  for (const auto text :
       {"# callgrind format\nversion: 1\nfn=(1) a;b\n0 7\n"sv, "version: 1\ncreator: x\nfn=(1) a\n0 7\n"sv}) {
    EXPECT_EQ(kind(text), InputKind::unknown);
    EXPECT_NE(why(text).find("is a profile of callgrind"), std::string::npos);
  }
  const auto cpu_profile = "\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10'\0\0\0\0\0\0"sv;
  for (const auto text : {cpu_profile, "heap profile:    1:  10 [  1:  10] @ heapprofile\n"sv}) {
    EXPECT_EQ(kind(text), InputKind::unknown);
    EXPECT_NE(why(text).find("pprof -proto"), std::string::npos);
  }
}

TEST(InputKind, MarkupAndJsonAreNoFoldedStacks) {
  for (const auto text : {"<?xml version=\"1.0\"?>\na 1\n"sv, "<svg>\na 1\n"sv, "<!DOCTYPE html>\na 1\n"sv,
                          "\xef\xbb\xbf<svg>\na 1\n"sv, "{\"a\": 1\n}\n"sv})
    EXPECT_EQ(kind(text), InputKind::unknown) << text;
  EXPECT_EQ(kind("<module>;f 1\n{closure};g 2\n"), InputKind::folded_text);
}

TEST(InputKind, OfAnUnknownKindIsToldWhatToDo) {
  const auto why = [](std::string_view text) { return std::string(why_unusable(std::as_bytes(std::span(text)))); };
  EXPECT_NE(why("<svg>").find("give the file that it was made from"), std::string::npos);
  EXPECT_NE(why("{\"a\":1}").find("give the recording"), std::string::npos);
  EXPECT_NE(why("\x7f\x45LF\2\1").find("perf record -g"), std::string::npos);
  EXPECT_NE(why("main;work\n").find("end with a number"), std::string::npos);
  EXPECT_NE(why("\x0a\x04\x01").find("nor a profile of pprof"), std::string::npos);
}

TEST(InputKind, OfAFileIsThatOfItsFirstBytesAndADirectoryIsARecording) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(input_kind_of(directory.write("folded", "a;b 1\n")), InputKind::folded_text);
  EXPECT_EQ(input_kind_of(directory.write("perf.data", "PERFILE2")), InputKind::recording);
  EXPECT_EQ(input_kind_of(directory.path().string()), InputKind::recording);
}

TEST(InputKind, WhatCanBeReadOnlyOnceIsNotRead) { EXPECT_EQ(input_kind_of("/dev/null"), InputKind::unknown); }

TEST(InputKind, AFileThatIsNotThereIsAnError) { EXPECT_THROW(input_kind_of("/nowhere/perf.data"), InputError); }

}  // namespace
}  // namespace perfsift::analysis
