#include "analysis/input/perf_script_text.h"

#include <gtest/gtest.h>

#include "analysis/input/line_splitter.h"

namespace perfsift::analysis {
namespace {

struct ReadScript {
  std::string samples;  // "comm[event]: leaf root" for each sample
  ScriptTextStats stats;
};

ReadScript read_script(std::string_view text) {
  ReadScript result;
  PerfScriptText reader([&](const ScriptSample& sample) {
    result.samples.append(sample.header.comm).append("[").append(sample.header.event).append("]:");
    for (const ScriptFrame& frame : sample.frames) {
      result.samples.append(" ").append(frame.symbol.empty() ? "?" : frame.symbol);
      if (frame.inlined) result.samples.append("!");
      if (!frame.source_line.empty()) result.samples.append("@").append(frame.source_line);
    }
    result.samples.append("\n");
  });
  LineSplitter lines([&](std::string_view line) { reader.line(line); });
  lines.feed(text);
  lines.finish();
  reader.finish();
  result.stats = reader.stats();
  return result;
}

TEST(PerfScriptText, TheLastSampleNeedsNoEmptyLineAfterIt) {
  EXPECT_EQ(read_script("ab 1  1.000000: 5 c: \n\t 10 f+0x1 (/x)\n\nab 1  1.000000: 5 c: \n\t 20 g (/x)").samples,
            "ab[c]: f\nab[c]: g\n");
}

TEST(PerfScriptText, ASampleWithoutFramesIsASample) {
  EXPECT_EQ(read_script("ab 1  1.000000: 5 c: \n\nab 1  1.000000: 5 c: \n\t 10 f (/x)\n\n").samples,
            "ab[c]:\nab[c]: f\n");
}

TEST(PerfScriptText, EventsAreKeptApartAndTracepointsHaveTheirCallchains) {
  const ReadScript text = read_script(
      ":-1    -1 [000]     1.000000: sched:sched_switch: prev_comm=a prev_pid=1 ==> next_comm=b\n"
      "\tffffffff821facd8 __schedule+0x618 ([kernel.kallsyms])\n"
      "\n"
      "ab    12 [000]     1.000000:     250000          cpu-clock: \n"
      "\t          146f2c [unknown] (/usr/bin/perf)\n"
      "\n");
  EXPECT_EQ(text.samples, ":-1[sched:sched_switch]: __schedule\nab[cpu-clock]: ?\n");
  EXPECT_EQ(text.stats.not_understood, 0u);
}

TEST(PerfScriptText, WithoutCallchainsEveryLineIsASample) {
  EXPECT_EQ(read_script("            bash 13411  1.000000:  1 c:      7f53d9628b70 f+0x1 (/x)\n"
                        "              dd 13411  1.000000:  1 c:      7f53d9628b70 g+0x1 (/x)\n")
                .samples,
            "bash[c]: f\ndd[c]: g\n");
}

TEST(PerfScriptText, ATracepointsFieldThatLooksLikeAFrameIsNoneWhereACallchainFollows) {
  EXPECT_EQ(read_script("ab 1  1.000000: a:b: at ffffffff821facd8 x\n\t 10 f (/x)\n\n").samples, "ab[a:b]: f\n");
}

TEST(PerfScriptText, SourceLinesBelongToTheFrameAboveThem) {
  EXPECT_EQ(read_script("ab 1  1.000000: 5 c: \n"
                        "\t            16c2 f+0x27 (/x)\n"
                        "  charconv.h:86\n"
                        "\t            13b7 g+0x169\n"
                        "  basic_string.h:4021 (inlined)\n"
                        "\t            13b7 main+0x169 (/x)\n"
                        "  [kernel.kallsyms][ffffffff81567c52]\n"
                        "\n")
                .samples,
            "ab[c]: f@charconv.h:86 g!@basic_string.h:4021 main@[kernel.kallsyms][ffffffff81567c52]\n");
}

TEST(PerfScriptText, TheNameAloneIsEnoughOfAHeader) {
  EXPECT_EQ(read_script("bash \n\tffffffff817554ea elf_load\n\nls \n\ncat \n\t    7f5b724f2ad7 [unknown]\n\n").samples,
            "bash[]: elf_load\nls[]:\ncat[]: ?\n");
}

TEST(PerfScriptText, FramesAfterAnEmptyLineNeedNoHeader) {
  EXPECT_EQ(read_script("\n\tffffffff817554ea f\n\n\n\tffffffff817554ea g\n\n").samples, "[]: f\n[]: g\n");
}

TEST(PerfScriptText, IndentationMayBeLost) {
  EXPECT_EQ(read_script("ab 1  1.000000: 5 c: \nffffffff817554ea f (/x)\n\n").samples, "ab[c]: f\n");
}

// Folded stacks also have such names. perf script -F comm,tid,ip,sym always indents frames.
TEST(PerfScriptText, AFrameWithoutIndentationNeedsACertainHeader) {
  EXPECT_EQ(read_script("a;b 1\na 2\n").samples, "");
  EXPECT_EQ(read_script("\nadd 3\n\nbad 1\n").samples, "");
  EXPECT_EQ(read_script("java;x 3\n  add 1\n").samples, "");
  EXPECT_EQ(read_script("bash    12\n\tffffffff817554ea f\n\n").samples, "bash[]: f\n");
  EXPECT_EQ(read_script(" 4057 \n\tffffffff817554ea f\n\n 4057 \n\tffffffff817554ea g\n").samples, "[]: f\n[]: g\n")
      << "perf script -F tid,ip,sym";
}

TEST(PerfScriptText, CarriageReturnsChangeNothing) {
  EXPECT_EQ(
      read_script("ab 1  1.000000: 5 c: \r\n\t 10 f (/x)\r\n\r\nab 1  1.000000: 5 c: \r\n\t 10 f (/x)\r\n\r\n").samples,
      "ab[c]: f\nab[c]: f\n");
}

TEST(PerfScriptText, CommentsAndRecordsAreCounted) {
  const ReadScript text = read_script(
      "# ========\n"
      "# captured on    : Sat Nov 21 11:58:27 2026\n"
      "#\n"
      "kthreadd     0 [000]     0.000000: PERF_RECORD_FORK(3:3):(2:2)\n"
      "#1 7     1.000000: 5 c: \n"
      "\t 10 f (/x)\n"
      "\n");
  EXPECT_EQ(text.samples, "#1[c]: f\n");
  EXPECT_EQ(text.stats.comments, 3u);
  EXPECT_EQ(text.stats.records, 1u);
  EXPECT_EQ(text.stats.samples, 1u);
  EXPECT_EQ(text.stats.lines, 7u);
  EXPECT_EQ(text.stats.not_understood, 0u);
}

TEST(PerfScriptText, WhatIsNotUnderstoodIsCountedAndTheFirstIsKept) {
  const ReadScript text = read_script(
      "\t 10 half_a_stack (/x)\n"
      "\n"
      "Processed 4 events and lost 1 chunks!\n"
      "\n"
      "ab 1  1.000000: 5 c: \n"
      "\t 10 f (/x)\n"
      " 0x1/0x2/P/-/-/0 \n"
      "\n");
  EXPECT_EQ(text.samples, "ab[c]: f\n");
  EXPECT_EQ(text.stats.not_understood, 3u);
  EXPECT_EQ(text.stats.first_not_understood.number, 1u);
  EXPECT_EQ(text.stats.first_not_understood.text, "\t 10 half_a_stack (/x)");
}

TEST(PerfScriptText, TextBetweenAHeaderAndItsFramesDoesNotTakeThem) {
  const ReadScript text = read_script("ab 1  1.000000: 5 c: \nnoise\n\t 10 f (/x)\n\n");
  EXPECT_EQ(text.samples, "ab[c]: f\n");
  EXPECT_EQ(text.stats.first_not_understood.number, 2u);
}

}  // namespace
}  // namespace perfsift::analysis
