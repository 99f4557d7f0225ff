// Instructions as bytes. GNU as gives these bytes for the instructions in the comments.
#include "symbolize/unwind/code_patterns.h"

#include <initializer_list>
#include <optional>

#include <gtest/gtest.h>

#include "tests/support/bytes.h"

namespace perfsift::symbolize {
namespace {

const ArchitectureFacts& x86_64 = facts_of(Architecture::x86_64);
const ArchitectureFacts& i386 = facts_of(Architecture::i386);
const ArchitectureFacts& aarch64 = facts_of(Architecture::aarch64);

// Code that ends at an address, and code that starts there.
class Code {
 public:
  Code(std::initializer_list<int> before, std::initializer_list<int> after) {
    bytes_.zeros(CodeAround::most_before - before.size());
    for (const int byte : before) bytes_.u8(static_cast<std::uint8_t>(byte));
    for (const int byte : after) bytes_.u8(static_cast<std::uint8_t>(byte));
    bytes_.zeros(1);
  }
  operator CodeAround() const {
    return {.bytes = bytes_.view(), .before = CodeAround::most_before};
  }  // NOLINT(google-explicit-constructor)

 private:
  test::BytesBuilder bytes_;
};

TEST(CodePatterns, CallsOfEveryForm) {
  EXPECT_TRUE(comes_after_call(x86_64, Code({0xe8, 1, 2, 3, 4}, {})));              // call 0x…
  EXPECT_TRUE(comes_after_call(x86_64, Code({0xff, 0xd0}, {})));                    // call *%rax
  EXPECT_TRUE(comes_after_call(x86_64, Code({0x41, 0xff, 0xd4}, {})));              // call *%r12
  EXPECT_TRUE(comes_after_call(x86_64, Code({0xff, 0x10}, {})));                    // call *(%rax)
  EXPECT_TRUE(comes_after_call(x86_64, Code({0xff, 0x50, 0x18}, {})));              // call *0x18(%rax)
  EXPECT_TRUE(comes_after_call(x86_64, Code({0xff, 0x14, 0xd0}, {})));              // call *(%rax,%rdx,8)
  EXPECT_TRUE(comes_after_call(x86_64, Code({0xff, 0x15, 1, 2, 3, 4}, {})));        // call *0x…(%rip)
  EXPECT_TRUE(comes_after_call(x86_64, Code({0xff, 0x90, 1, 2, 3, 4}, {})));        // call *0x…(%rax)
  EXPECT_TRUE(comes_after_call(x86_64, Code({0xff, 0x94, 0x24, 1, 2, 3, 4}, {})));  // call *0x…(%rsp)
  EXPECT_TRUE(comes_after_call(x86_64, Code({0xff, 0x14, 0xc5, 1, 2, 3, 4}, {})));  // call *0x…(,%rax,8)
  EXPECT_TRUE(comes_after_call(aarch64, Code({0x00, 0x00, 0x00, 0x94}, {})));       // bl
  EXPECT_TRUE(comes_after_call(aarch64, Code({0x20, 0x00, 0x3f, 0xd6}, {})));       // blr x1
  EXPECT_TRUE(comes_after_call(aarch64, Code({0x22, 0x08, 0x3f, 0xd7}, {})));       // blraa x1, x2
}

TEST(CodePatterns, WhatLooksLikeACallButIsOfAnotherLength) {
  EXPECT_FALSE(comes_after_call(x86_64, Code({0xff, 0x90, 1, 2}, {})));
  EXPECT_FALSE(comes_after_call(x86_64, Code({0xff, 0xe0}, {})));               // jmp *%rax
  EXPECT_FALSE(comes_after_call(aarch64, Code({0x20, 0x00, 0x1f, 0xd6}, {})));  // br x1
  EXPECT_FALSE(comes_after_call(x86_64, CodeAround{}));
}

TEST(CodePatterns, WhereADirectCallGoes) {
  EXPECT_EQ(called_address(x86_64, Code({0xe8, 0xf0, 0xff, 0xff, 0xff}, {}), 0x1000), 0xff0u);
  EXPECT_EQ(called_address(x86_64, Code({0xff, 0xd0}, {}), 0x1000), std::nullopt);
  EXPECT_EQ(called_address(aarch64, Code({0x04, 0x00, 0x00, 0x94}, {}), 0x1000), 0x100cu);
  EXPECT_EQ(called_address(aarch64, Code({0xff, 0xff, 0xff, 0x97}, {}), 0x1000), 0xff8u);
}

TEST(CodePatterns, StubsOfAPlt) {
  EXPECT_EQ(frame_edge(x86_64, Code({}, {0xff, 0x25, 1, 2, 3, 4}))->words, 0u);                    // jmp *slot
  EXPECT_EQ(frame_edge(x86_64, Code({}, {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25}))->words, 0u);  // endbr64; bnd jmp
  EXPECT_EQ(frame_edge(x86_64, Code({}, {0x68, 1, 0, 0, 0, 0xe9}))->words, 0u);                    // push $1
  EXPECT_EQ(frame_edge(x86_64, Code({0x68, 1, 0, 0, 0}, {0xe9}))->words, 1u);                      // jmp first
  EXPECT_EQ(frame_edge(x86_64, Code({}, {0xff, 0x35, 1, 2, 3, 4}))->words, 1u);                    // push slot
  EXPECT_EQ(frame_edge(x86_64, Code({0xff, 0x35, 1, 2, 3, 4}, {0xff, 0x25}))->words, 2u);          // jmp *slot
  // ldr x17, […]; add x16, …; br x17
  EXPECT_TRUE(
      frame_edge(aarch64, Code({}, {0x11, 2, 0x40, 0xf9, 0x10, 2, 0, 0x91, 0x20, 2, 0x1f, 0xd6}))->in_link_register);
}

TEST(CodePatterns, FirstAndLastInstructions) {
  EXPECT_EQ(frame_edge(x86_64, Code({}, {0x55}))->words, 0u);  // push %rbp
  EXPECT_TRUE(frame_edge(x86_64, Code({0x55}, {0x48, 0x89, 0xe5}))->pushed_frame_pointer);
  EXPECT_TRUE(frame_edge(i386, Code({0x55}, {0x89, 0xe5}))->pushed_frame_pointer);
  EXPECT_EQ(frame_edge(x86_64, Code({}, {0xc3}))->words, 0u);                 // ret
  EXPECT_EQ(frame_edge(x86_64, Code({}, {0x48, 0x89, 0xe5})), std::nullopt);  // not after a push
  EXPECT_TRUE(frame_edge(aarch64, Code({}, {0xc0, 0x03, 0x5f, 0xd6}))->in_link_register);
  EXPECT_EQ(frame_edge(x86_64, CodeAround{}), std::nullopt);
}

// Words of AArch64, as GNU as assembles them.
std::optional<FrameEdge> epilogue_of(std::initializer_list<std::uint32_t> words) {
  test::BytesBuilder bytes;
  for (const std::uint32_t word : words) bytes.u32(word);
  return epilogue(aarch64, CodeAround{.bytes = bytes.view(), .before = 0});
}

TEST(CodePatterns, TheEndOfAFunctionWhoseReturnAddressIsRestored) {
  constexpr std::uint32_t ret = 0xd65f03c0, retaa = 0xd65f0bff, autiasp = 0xd50323bf, b = 0x14000040;
  constexpr std::uint32_t add_sp_48 = 0x9100c3ff;        // add sp, sp, #48
  constexpr std::uint32_t add_sp_2_pages = 0x91400bff;   // add sp, sp, #0x2000
  constexpr std::uint32_t restores_19_20 = 0xa9424ff4;   // ldp x20, x19, [sp, #32]
  constexpr std::uint32_t restores_record = 0xa8c37bfd;  // ldp x29, x30, [sp], #48
  constexpr std::uint32_t restores_vector = 0xfc4107e8;  // ldr d8, [sp], #16
  EXPECT_EQ(epilogue_of({ret}), (FrameEdge{.in_link_register = true}));
  EXPECT_EQ(epilogue_of({autiasp, ret}), (FrameEdge{.in_link_register = true}));
  EXPECT_EQ(epilogue_of({retaa}), (FrameEdge{.in_link_register = true}));
  EXPECT_EQ(epilogue_of({add_sp_48, ret}), (FrameEdge{.words = 6, .in_link_register = true}));
  EXPECT_EQ(epilogue_of({add_sp_2_pages, ret}), (FrameEdge{.words = 1024, .in_link_register = true}));
  EXPECT_EQ(epilogue_of({restores_vector, ret}), (FrameEdge{.words = 2, .in_link_register = true}));
  EXPECT_EQ(epilogue_of({restores_19_20, add_sp_48, b}),
            (FrameEdge{.words = 6, .in_link_register = true, .lost = 1u << 19 | 1u << 20}));
  EXPECT_EQ(epilogue_of({restores_record, ret}), std::nullopt);  // the return address is still on the stack
  EXPECT_EQ(epilogue_of({b}), std::nullopt);                     // a jump inside a function
  EXPECT_EQ(epilogue_of({0xf9400260, ret}), std::nullopt);       // ldr x0, [x19]
  EXPECT_EQ(epilogue_of({add_sp_48}), std::nullopt);             // the code ends
  EXPECT_EQ(epilogue_of({}), std::nullopt);
  EXPECT_EQ(epilogue(x86_64, Code({}, {0xc3})), std::nullopt);
}

TEST(CodePatterns, TheTrampolineOfAarch64MayBeInterrupted) {
  EXPECT_TRUE(restores_signal_frame(aarch64, Code({}, {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4})));
  EXPECT_TRUE(restores_signal_frame(aarch64, Code({0x68, 0x11, 0x80, 0xd2}, {0x01, 0, 0, 0xd4})));
  EXPECT_FALSE(restores_signal_frame(aarch64, Code({}, {0x01, 0, 0, 0xd4})));
}

}  // namespace
}  // namespace perfsift::symbolize
