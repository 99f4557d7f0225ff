#include "tools/instructions/instruction_decoder.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/byte_reader.h"

namespace perfsift::tools {
namespace {

std::string text_of(std::uint32_t word, std::uint64_t address = 0x400000) {
  const auto decoder = decoder_of(EM_AARCH64);
  const auto decoded = decoder->decode(std::as_bytes(std::span(&word, 1)), address);
  return decoded ? decoded->text : "nothing";
}

// The words are what `aarch64-linux-gnu-as -march=armv8.3-a` made of the texts.
TEST(Aarch64Decoder, KnowsAuthenticationAndAtomicInstructions) {
  EXPECT_EQ(text_of(0xd503233f), "paciasp");
  EXPECT_EQ(text_of(0xd50323bf), "autiasp");
  EXPECT_EQ(text_of(0xd503245f), "bti c");
  EXPECT_EQ(text_of(0xd65f0bff), "retaa");
  EXPECT_EQ(text_of(0x88e07c41), "casa w0, w1, [x2]");
  EXPECT_EQ(text_of(0xc8e0fc41), "casal x0, x1, [x2]");
  EXPECT_EQ(text_of(0xf8e00022), "ldaddal x0, x2, [x1]");
  EXPECT_EQ(text_of(0x78208041), "swph w0, w1, [x2]");
  EXPECT_EQ(text_of(0xb820003f), "stadd w0, [x1]");
  EXPECT_EQ(text_of(0xf86013ff), "stclrl x0, [sp]");
  EXPECT_EQ(text_of(0xf8bfc020), "ldapr x0, [x1]");
}

// As aarch64-linux-gnu-objdump writes them.
TEST(Aarch64Decoder, KnowsPairsPointersAndDotProducts) {
  EXPECT_EQ(text_of(0x08207c82), "casp w0, w1, w2, w3, [x4]");
  EXPECT_EQ(text_of(0x48607c82), "caspa x0, x1, x2, x3, [x4]");
  EXPECT_EQ(text_of(0x0820ffe2), "caspl w0, w1, w2, w3, [sp]");
  EXPECT_EQ(text_of(0x4874fc9e), "caspal x20, x21, x30, xzr, [x4]");
  EXPECT_EQ(text_of(0x6e829420), "udot v0.4s, v1.16b, v2.16b");
  EXPECT_EQ(text_of(0x0e829420), "sdot v0.2s, v1.8b, v2.8b");
  EXPECT_EQ(text_of(0x6fb2e820), "udot v0.4s, v1.16b, v18.4b[3]");
  EXPECT_EQ(text_of(0x0fa2e020), "sdot v0.2s, v1.8b, v2.4b[1]");
  EXPECT_EQ(text_of(0xdac10041), "pacia x1, x2");
  EXPECT_EQ(text_of(0xdac103e1), "pacia x1, sp");
  EXPECT_EQ(text_of(0xdac10c41), "pacdb x1, x2");
  EXPECT_EQ(text_of(0xdac123e1), "paciza x1");
  EXPECT_EQ(text_of(0xdac12fe3), "pacdzb x3");
  EXPECT_EQ(text_of(0xdac11041), "autia x1, x2");
  EXPECT_EQ(text_of(0xdac11fe1), "autdb x1, sp");
  EXPECT_EQ(text_of(0xdac137e1), "autizb x1");
  EXPECT_EQ(text_of(0xdac13be1), "autdza x1");
  EXPECT_EQ(text_of(0xdac143e1), "xpaci x1");
  EXPECT_EQ(text_of(0xdac147fe), "xpacd x30");
  EXPECT_EQ(text_of(0x9adf3041), "pacga x1, x2, sp");
  EXPECT_EQ(text_of(0xd71f0822), "braa x1, x2");
  EXPECT_EQ(text_of(0xd61f083f), "braaz x1");
  EXPECT_EQ(text_of(0xd71f0c3f), "brab x1, sp");
  EXPECT_EQ(text_of(0xd73f0822), "blraa x1, x2");
  EXPECT_EQ(text_of(0xd63f0c7f), "blrabz x3");
  EXPECT_EQ(text_of(0xf8200441), "ldraa x1, [x2]");
  EXPECT_EQ(text_of(0xf87ff441), "ldraa x1, [x2, #-8]");
  EXPECT_EQ(text_of(0xf8bfffe1), "ldrab x1, [sp, #4088]!");
  EXPECT_EQ(text_of(0xd69f0bff), "eretaa");
  EXPECT_EQ(text_of(0xd69f0fff), "eretab");
  EXPECT_EQ(text_of(0xd95fc020), "ldapur x0, [x1, #-4]");
  EXPECT_EQ(text_of(0x19400020), "ldapurb w0, [x1]");
  EXPECT_EQ(text_of(0xd9008020), "stlur x0, [x1, #8]");
  EXPECT_EQ(text_of(0x99800020), "ldapursw x0, [x1]");
  EXPECT_EQ(text_of(0xd50330ff), "sb");
  EXPECT_EQ(text_of(0xd500401f), "cfinv");
  EXPECT_EQ(text_of(0x08217c82), ".inst 0x08217c82") << "a pair begins with an even register";
}

TEST(Aarch64Decoder, WritesMovesAsMoves) {
  EXPECT_EQ(text_of(0xd2a00042), "mov x2, #0x20000");
  EXPECT_EQ(text_of(0x12800000), "mov w0, #0xffffffff");
  EXPECT_EQ(text_of(0x92800003), "mov x3, #0xffffffffffffffff");
  EXPECT_EQ(text_of(0xb2407fe0), "mov x0, #0xffffffff");
  EXPECT_EQ(text_of(0x4e0c1c40), "mov v0.s[1], w2");
  EXPECT_EQ(text_of(0xf85e8780), "ldr x0, [x28], #-0x18");
}

TEST(Aarch64Decoder, ShowsWordsThatAreNoInstruction) { EXPECT_EQ(text_of(0xffffffff), ".inst 0xffffffff"); }

TEST(Aarch64Decoder, KnowsScalableVectorsFromCapstone5On) {
  EXPECT_THAT(text_of(0x00000000), ::testing::AnyOf(".inst 0x00000000", "udf #0"));
  EXPECT_THAT(text_of(0xe400e000), ::testing::AnyOf(".inst 0xe400e000", "st1b {z0.b}, p0, [x0]"));
}

TEST(Aarch64Decoder, APartOfAnInstructionIsNone) {
  const auto decoder = decoder_of(EM_AARCH64);
  EXPECT_EQ(decoder->longest(), 4u);
  const std::byte bytes[3] = {};
  EXPECT_FALSE(decoder->decode(bytes, 0));
  EXPECT_FALSE(decoder->decode({}, 0));
}

TEST(Aarch64Decoder, JumpsHaveTargets) {
  const std::uint32_t word = 0x94000001;  // bl .+4
  const auto decoded = decoder_of(EM_AARCH64)->decode(std::as_bytes(std::span(&word, 1)), 0x1000);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->text, "bl 0x1004");
  ASSERT_EQ(decoded->targets.size(), 1u);
  EXPECT_EQ(decoded->targets.front().address, 0x1004u);
  EXPECT_TRUE(decoded->targets.front().shown);
}

TEST(Decoder, OtherProcessorsHaveNone) { EXPECT_EQ(decoder_of(EM_RISCV), nullptr); }

bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_'; }

// "stp x29, x30, [sp, #-16]!" and "stp x29, x30, [sp, #-0x10]!" mean the same: numbers become decimal, spaces and names
// go.
std::string normalized(std::string_view text, std::uint64_t address) {
  text = text.substr(0, std::min(text.find(" <"), text.find("//")));
  const bool relative = text.starts_with("adr\t");  // LLVM writes the distance
  const bool is_word = text.starts_with("mov w") || text.starts_with("mov\tw");
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    while (at < text.size() && is_part_of_word(text[at])) ++at;
    const std::string word(text.substr(start, at - start));
    std::size_t read = 0;
    if (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
      std::uint64_t number = std::stoull(word, &read, 0);
      if (read == word.size() && result.ends_with('-')) result.pop_back(), number = -number;
      if (relative) number += address;
      if (read == word.size()) result += std::to_string(is_word ? number & 0xffffffff : number);
    }
    if (read == 0 || read != word.size()) result += word;
    if (at < text.size() && is_part_of_word(text[at])) continue;
    if (at < text.size()) {
      const char c = text[at++];
      if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '#') result += c;
    }
  }
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

struct Disassembled {
  std::uint64_t address = 0;
  std::uint32_t word = 0;
  std::string text;
};

// A line of llvm-objdump: "   273c0: fd 7b bf a9  \tstp\tx29, x30, [sp, #-16]!".
std::optional<Disassembled> read_line(const std::string& line) {
  Disassembled read;
  unsigned bytes[4];
  int length = 0;
  if (std::sscanf(line.c_str(), "%lx: %x %x %x %x %n", &read.address, &bytes[0], &bytes[1], &bytes[2], &bytes[3],
                  &length) < 5) {
    return std::nullopt;
  }
  for (unsigned i = 0; i < 4; ++i) read.word |= bytes[i] << 8 * i;
  read.text = line.substr(static_cast<std::size_t>(length));
  return read;
}

// Zeroing tags of memory: "dc gva, x2" is another name.
bool is_cache_operation(const DecodedInstruction& decoded) { return decoded.text.starts_with("sys #3, c7, c4, "); }

// The C library of the cross compiler, and every instruction of it. Scalable vectors and memory tags, which capstone 4
// does not know, must be rare, and everything else equal.
TEST(Aarch64Decoder, EqualsLlvmOnTheCLibrary) {
  const std::string library = "/usr/aarch64-linux-gnu/lib/libc.so.6";
  if (!std::filesystem::exists(library)) GTEST_SKIP() << "no C library for aarch64: install g++-aarch64-linux-gnu";
  if (std::system("llvm-objdump --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no llvm-objdump";
  const std::unique_ptr<FILE, int (*)(FILE*)> lines(
      popen(("llvm-objdump -d --mattr=+v9a,+sve2,+mte -j .text " + library).c_str(), "r"), pclose);
  const auto decoder = decoder_of(EM_AARCH64);
  std::size_t all = 0, unknown = 0, different = 0;
  std::string first;
  for (char line[1024]; std::fgets(line, sizeof line, lines.get()) != nullptr;) {
    const auto expected = read_line(line);
    if (!expected) continue;
    ++all;
    const auto decoded = decoder->decode(std::as_bytes(std::span(&expected->word, 1)), expected->address);
    ASSERT_TRUE(decoded);
    if (decoded->text.starts_with(".inst")) {
      ++unknown;
    } else if (normalized(decoded->text, 0) != normalized(expected->text, expected->address) &&
               !is_cache_operation(*decoded)) {
      if (++different <= 20) first += decoded->text + " and not " + expected->text;
    }
  }
  std::printf("%zu instructions, %zu of them unknown, %zu different\n", all, unknown, different);
  EXPECT_GT(all, 250'000u);
  EXPECT_LT(unknown, all / 200);
  EXPECT_EQ(different, 0u) << first;
}

}  // namespace
}  // namespace perfsift::tools
