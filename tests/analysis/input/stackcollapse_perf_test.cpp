// Every rule of stackcollapse-perf.pl, with inputs written for the rule. The expected texts are the output of the
// script in FlameGraph's revision 41fee1f, run with Perl 5.36. From its stderr only the script's own messages count,
// without line numbers. So the expected texts change only with the script.
#include "analysis/input/stackcollapse_perf.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

struct Folded {
  std::string text;
  std::string notices;
};

Folded fold_text(std::string_view text, const StackcollapseOptions& options = {}) {
  Folded folded;
  StackcollapsePerf script(options, [&](std::string_view notice) { folded.notices.append(notice).append("\n"); });
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    script.line(text.substr(start, end - start));
    start = end + 1;
  }
  script.write([&](std::string_view line) { folded.text.append(line).append("\n"); });
  return folded;
}

TEST(StackcollapsePerf, AStackIsWrittenRootFirstAfterTheProcessNameAndWeighsItsPeriod) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 leaf+0x1f (/bin/x)\n"
      "\t  f00 main (/bin/x)\n"
      "\n");
  EXPECT_EQ(folded.text, "ab;main;leaf 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, EqualStacksAreSummedAndSortedByBytes) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 b c (m)\n"
      "\n"
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 b (m)\n"
      "\t  f00 root (m)\n"
      "\n"
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 b (m)\n"
      "\n"
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 b (m)\n"
      "\n"
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 ~ (m)\n"
      "\t  f00 b (m)\n"
      "\n"
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00  (m)\n"
      "\t  f00 b (m)\n"
      "\n");
  EXPECT_EQ(folded.text,
            "ab;b 14\n"
            "ab;b c 7\n"
            "ab;b;  7\n"
            "ab;b;~ 7\n"
            "ab;root;b 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, ALastSampleWithoutAnEmptyLineAfterItIsLost) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 kept (m)\n"
      "\n"
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 lost (m)\n");
  EXPECT_EQ(folded.text, "ab;kept 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, CommentsAreSkippedInsideSamplesToo) {
  const Folded folded = fold_text(
      "# cmdline : perf record x\n"
      "ab 12 1.5: 7 cycles:\n"
      "# no stack line\n"
      "\t f00 f (m)\n"
      "\n");
  EXPECT_EQ(folded.text, "ab;f 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, ASampleWithoutStackLinesIsItsProcessNameAlone) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\n");
  EXPECT_EQ(folded.text, "ab 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, StackLinesOutsideSamplesAreIgnored) {
  const Folded folded = fold_text(
      "\t f00 f (m)\n"
      "\n"
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 g (m)\n"
      "\n"
      "\t f00 h (m)\n");
  EXPECT_EQ(folded.text, "ab;g 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, AHeaderAndFrameOnOneLineAreIgnored) {
  const Folded folded =
      fold_text("            bash 13411  1.5:  1 page-faults:  f00 elf_load+0x28a ([kernel.kallsyms])\n");
  EXPECT_EQ(folded.text, "");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, ANameOfOneLetterSwallowsTheThreadAndTime) {
  const Folded folded = fold_text(
      "t 1234 1.0: 250000 cpu-clock: \n"
      "\t  f00 a (m)\n"
      "\n");
  EXPECT_EQ(folded.text, "t_1234_1.0:;a 250000\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, TheFirstLoneNumberEndsTheName) {
  const Folded folded = fold_text(
      "a b 12 34/35 1.0: 5 cycles:\n"
      "\t  f00 a (m)\n"
      "\n",
      {.tid = true});
  EXPECT_EQ(folded.text, "a_b-?/12;a 5\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, ProcessIdsAreQuestionMarksWhereOnlyAThreadIsPrinted) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 a (m)\n"
      "\n"
      "ab 0/0 1.5: cycles:\n"
      "\t  f00 a (m)\n"
      "\n",
      {.tid = true});
  EXPECT_EQ(folded.text,
            "ab-?/0;a 1\n"
            "ab-?/12;a 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, PidAddsTheProcessId) {
  const Folded folded = fold_text(
      "ab 3/4 1.5: cycles:\n"
      "\t  f00 a (m)\n"
      "\n"
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 a (m)\n"
      "\n",
      {.pid = true});
  EXPECT_EQ(folded.text,
            "ab-3;a 1\n"
            "ab-?;a 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, TheFirstEventIsKeptAndOneOtherIsNamed) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 a (m)\n"
      "\n"
      "ab 12 1.5: 9 faults:\n"
      "\t  f00 b (m)\n"
      "\n"
      "ab 12 1.5: 9 clock:\n"
      "\t  f00 c (m)\n"
      "\n");
  EXPECT_EQ(folded.text, "ab;a 7\n");
  EXPECT_EQ(folded.notices, "Filtering for events of type: faults\n");
}

TEST(StackcollapsePerf, AnEventFilterIsMatchedWithItsModifiers) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 a (m)\n"
      "\n"
      "ab 12 1.5: 9 cycles:u:\n"
      "\t  f00 b (m)\n"
      "\n",
      {.event_filter = "cycles:u"});
  EXPECT_EQ(folded.text, "ab;b 9\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, AFilteredSampleGivesItsStackToAnUnfinishedOneBeforeIt) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t f00 a (m)\n"
      "ab 12 1.5: 9 faults:\n"
      "\t f00 b (m)\n"
      "\n");
  EXPECT_EQ(folded.text, "ab;b;a 7\n");
  EXPECT_EQ(folded.notices, "Filtering for events of type: faults\n");
}

TEST(StackcollapsePerf, TracepointLinesEscapeTheFilterAndWeighOne) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 a (m)\n"
      "\n"
      "ab 12 [000] 1.5: sched:sched_switch: prev_comm=x prev_pid=1\n"
      "\t  f00 b (m)\n"
      "\n");
  EXPECT_EQ(folded.text,
            "ab;a 7\n"
            "ab;b 1\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, APeriodOfZeroWeighsOneButADoubleZeroNothing) {
  const Folded folded = fold_text(
      "ab 12 1.5: 0 cycles:\n"
      "\t  f00 a (m)\n"
      "\n"
      "ab 12 1.5: 00 cycles:\n"
      "\t  f00 b (m)\n"
      "\n");
  EXPECT_EQ(folded.text,
            "ab;a 1\n"
            "ab;b 0\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, SumsAreExactBelowTwoToThe64AndDoublesBeyond) {
  const Folded folded = fold_text(
      "ab 12 1.5: 18446744073709551615 cycles:\n"
      "\t  f00 a (m)\n"
      "\n"
      "ab 12 1.5: 18446744073709551615 cycles:\n"
      "\t  f00 b (m)\n"
      "\n"
      "ab 12 1.5: 9223372036854775807 cycles:\n"
      "\t  f00 b (m)\n"
      "\n"
      "ab 12 1.5: 100000000000000000000 cycles:\n"
      "\t  f00 c (m)\n"
      "\n");
  EXPECT_EQ(folded.text,
            "ab;a 18446744073709551615\n"
            "ab;b 2.76701161105643e+19\n"
            "ab;c 1e+20\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, TheModuleIsTheLastParenthesis) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 main+0x181 (/tmp/t x/y)\n"
      "\t  f00 main+0x181 (/tmp/t (x) y)\n"
      "\t  f00 f (int) (m)\n"
      "\n");
  EXPECT_EQ(folded.text, "ab;f ;main+0x181 ;main 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, FunctionsThatBeginWithAParenthesisVanish) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 (anonymous namespace)::f()+0x1 (m)\n"
      "\t  f00 a (m)\n"
      "\n");
  EXPECT_EQ(folded.text, "ab;a 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, ArgumentsAreCutButNotAnonymousNamespacesOrGoMethods) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 std::function<void (int)>::f (m)\n"
      "\t  f00 a::(anonymous namespace)::b(int) (m)\n"
      "\t  f00 net/http.(*Client).Do (m)\n"
      "\n");
  EXPECT_EQ(folded.text, "ab;net/http.(*Client).Do;a::(anonymous namespace)::b;std::function<void  7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, SemicolonsBecomeColonsAndQuotesGo) {
  const Folded folded = fold_text(
      "x;y 12 1.5: cycles:\n"
      "\t  f00 a;b\"c'd (m)\n"
      "\n");
  EXPECT_EQ(folded.text, "x;y;a:bcd 1\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, UnknownFunctionsAreNamedByTheirModule) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 [unknown] (/usr/lib/libx.so.1)\n"
      "\t  f00 [unknown] ([unknown])\n"
      "\t  f00 [unknown] (/tmp/a (deleted))\n"
      "\n");
  EXPECT_EQ(folded.text, "ab;[unknown] ;[unknown];[libx.so.1] 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, AddrsAddsTheAddressOfUnknownFunctions) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 [unknown] (/usr/lib/libx.so.1)\n"
      "\t  f00 [unknown] ([unknown])\n"
      "\n",
      {.addrs = true});
  EXPECT_EQ(folded.text, "ab;[unknown <f00>];[libx.so.1 <f00>] 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, JavaSignaturesAreTidiedInJavaProcessesOnly) {
  const Folded folded = fold_text(
      "java 12 1.5: cycles:\n"
      "\t  f00 Lorg/a/B;.call(Lorg/C;)V (m)\n"
      "\t  f00 L1 (m)\n"
      "\n"
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 Lorg/a/B;.call(Lorg/C;)V (m)\n"
      "\n");
  EXPECT_EQ(folded.text,
            "ab;Lorg/a/B:.call 7\n"
            "java;L1;org/a/B:.call 1\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, InlinedCallsAreMarkedWithoutBeingAskedFor) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 a->b->c_[i]x+0x4 (m)\n"
      "\t  f00 ->d (m)\n"
      "\t  f00 e->-> (m)\n"
      "\t  f00 -> (m)\n"
      "\n");
  EXPECT_EQ(folded.text, "ab;e;;d_[i];a;b_[i];c_[i]x 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, KernelModulesAreMarked) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 a ([kernel.kallsyms])\n"
      "\t  f00 b (/boot/vmlinux)\n"
      "\t  f00 c (/boot/vmlinux-6.1)\n"
      "\t  f00 d ([unknown])\n"
      "\t  f00 [unknown] ([nf_conntrack])\n"
      "\n",
      {.kernel = true});
  EXPECT_EQ(folded.text, "ab;[[nf_conntrack]]_[k];d;c;b_[k];a_[k] 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, JitMapsAreMarkedOnce) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 a (/tmp/perf-12.map)\n"
      "\t  f00 b_[j] (/tmp/perf-12.map)\n"
      "\t  f00 c (/tmp/perf-.map)\n"
      "\t  f00 d->e (/tmp/perf-1.map)\n"
      "\n",
      {.jit = true});
  EXPECT_EQ(folded.text, "ab;d_[j];e_[i];c;b_[j];a_[j] 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, SourceLinesAreTakenPerFunctionAndCleared) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t f00 a (m)\n"
      "  file.c:12\n"
      "\t f00 b->c (m)\n"
      "  [k][f00] x;y.c:3 \n"
      "  z.c:4\n"
      "\t f00 [unknown] ([unknown])\n"
      "\t f00 d (m)\n"
      "# taken\n"
      "\n",
      {.srcline = true});
  EXPECT_EQ(folded.text, "ab;d:# taken;[unknown];b:x;y.c:3;c_[i]:z.c:4;a:file.c:12 7\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, AWordWithNothingElseBeforeTheModuleGivesItsLastLetter) {
  const Folded folded = fold_text(
      "ab 12 1.5: cycles:\n"
      "\tabcd (m)\n"
      "\tabc  (m)\n"
      "\n");
  EXPECT_EQ(folded.text, "ab; ;d 1\n");
  EXPECT_EQ(folded.notices, "");
}

TEST(StackcollapsePerf, CarriageReturnsArePartOfTheLine) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles:\r\n"
      "\t f00 a (m)\r\n"
      "\r\n"
      "\n");
  EXPECT_EQ(folded.text, "ab;a 7\n");
  EXPECT_EQ(folded.notices, "Unrecognized line: \r\n");
}

TEST(StackcollapsePerf, WhatFitsNoFormIsReported) {
  const Folded folded = fold_text(
      "ab 12 1.5: 7 cycles: \n"
      "\t  f00 a (m)\n"
      "\n"
      "bash \n"
      " 0x1/0x2/P\n");
  EXPECT_EQ(folded.text, "ab;a 7\n");
  EXPECT_EQ(folded.notices,
            "Unrecognized line: bash \n"
            "Unrecognized line:  0x1/0x2/P\n");
}

}  // namespace
}  // namespace perfsift::analysis
