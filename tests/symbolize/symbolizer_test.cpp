#include "symbolize/symbolizer.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "symbolize/elf/build_id.h"
#include "symbolize/search/vdso.h"
#include "tests/support/bytes.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

TEST(BuildIds, ARecordedIdMayBeFilledUpWithZeros) {
  const BuildId eight = test::build_id_of_hex("0102030405060708");
  const BuildId padded = test::build_id_of_hex("0102030405060708000000000000000000000000");
  const BuildId longer = test::build_id_of_hex("010203040506070800000000000000000000000a");
  EXPECT_TRUE(same_build(eight, eight));
  EXPECT_TRUE(same_build(padded, eight));
  EXPECT_FALSE(same_build(longer, eight));
  EXPECT_FALSE(same_build(eight, padded));
  EXPECT_FALSE(same_build(eight, {}));
}

TEST(BuildIds, OfAFileIsWhatReadelfSays) {
  Missing why;
  EXPECT_EQ(ElfFile::open(test::fixture("marked.so"), why)->build_id(), test::marked_build_id());
}

TEST(Vdso, HasTheNamesOfTheRunningKernelWhenTheBuildIdAgrees) {
  const auto running = running_vdso();
  if (!running) GTEST_SKIP() << "this kernel maps no vdso";
  Binary vdso;
  vdso.path = "[vdso]";
  vdso.kind = BinaryKind::vdso;
  vdso.build_id = running->build_id();
  Symbolizer symbolizer(test::nowhere_else());
  const auto& symbols = symbolizer.file(vdso).symbols();
  const auto is_clock = [](const Symbol& s) { return s.name.find("clock_gettime") != std::string_view::npos; };
  EXPECT_TRUE(std::ranges::any_of(symbols, is_clock));

  vdso.build_id = test::build_id_of_hex("0102030405060708090a0b0c0d0e0f1011121314");
  EXPECT_EQ(symbolizer.file(vdso).why_missing(), Missing::foreign_kernel);
  vdso.build_id = {};
  EXPECT_EQ(symbolizer.file(vdso).why_missing(), Missing::unknown_kernel);
  vdso.kernel_known = true;
  EXPECT_EQ(symbolizer.file(vdso).why_missing(), Missing::foreign_kernel);
  vdso.same_kernel = true;
  EXPECT_FALSE(symbolizer.file(vdso).symbols().empty());
}

TEST(Reasons, EachHasOneLineThatSaysWhatItIsAndOneThatSaysWhatToDo) {
  for (int i = 1; i <= static_cast<int>(Missing::stack_truncated); ++i) {
    const auto reason = static_cast<Missing>(i);
    for (const std::string_view text : {describe(reason), advice(reason)}) {
      EXPECT_FALSE(text.empty()) << i;
      EXPECT_EQ(text.find('\n'), std::string_view::npos) << i;
    }
  }
}

TEST(Reasons, MemoryThatIsNoCodeSaysSo) {
  Symbolizer symbolizer(test::nowhere_else());
  Binary heap;
  heap.path = "[heap]";
  heap.kind = BinaryKind::anonymous;
  EXPECT_EQ(symbolizer.file(heap).why_missing(), Missing::not_code);
  EXPECT_EQ(symbolizer.file(heap).find(0x1000), nullptr);
}

}  // namespace
}  // namespace perfsift::symbolize
