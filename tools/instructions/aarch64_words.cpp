#include "tools/instructions/aarch64_words.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace perfsift::tools {
namespace {

// The tables of the Arm Architecture Reference Manual, chapter C4, name bits from 31 down to 0.
constexpr unsigned zero_or_stack = 31;

constexpr std::uint32_t bits(std::uint32_t word, unsigned from, unsigned count) {
  return word >> from & ((1u << count) - 1);
}

std::string register_name(bool is_64_bit, unsigned number) {
  const char kind = is_64_bit ? 'x' : 'w';
  return number == zero_or_stack ? fmt::format("{}zr", kind) : fmt::format("{}{}", kind, number);
}

std::string base_name_of(unsigned number) { return number == zero_or_stack ? "sp" : fmt::format("x{}", number); }

std::string hint(std::uint32_t word) {
  constexpr std::uint32_t mask = 0xfffff01f, value = 0xd503201f;
  if ((word & mask) != value) return {};
  switch (bits(word, 5, 7)) {
    case 7:
      return "xpaclri";
    case 8:
      return "pacia1716";
    case 10:
      return "pacib1716";
    case 12:
      return "autia1716";
    case 14:
      return "autib1716";
    case 16:
      return "esb";
    case 17:
      return "psb csync";
    case 20:
      return "csdb";
    case 24:
      return "paciaz";
    case 25:
      return "paciasp";
    case 26:
      return "pacibz";
    case 27:
      return "pacibsp";
    case 28:
      return "autiaz";
    case 29:
      return "autiasp";
    case 30:
      return "autibz";
    case 31:
      return "autibsp";
    case 32:
      return "bti";
    case 34:
      return "bti c";
    case 36:
      return "bti j";
    case 38:
      return "bti jc";
    default:
      return {};
  }
}

std::string authenticated_return(std::uint32_t word) {
  switch (word) {
    case 0xd65f0bff:
      return "retaa";
    case 0xd65f0fff:
      return "retab";
    default:
      return {};
  }
}

// MOVZ and MOVN, where "mov" says the same.
std::string wide_move(std::uint32_t word) {
  const bool is_64_bit = bits(word, 31, 1) != 0, inverted = (word & 0x7f800000) == 0x12800000;
  if (!inverted && (word & 0x7f800000) != 0x52800000) return {};
  const unsigned shift = bits(word, 21, 2) * 16;
  const std::uint64_t part = bits(word, 5, 16);
  if ((part == 0 && shift != 0) || (!is_64_bit && (shift > 16 || (inverted && part == 0xffff)))) return {};
  std::uint64_t number = part << shift;
  if (inverted) number = is_64_bit ? ~number : ~number & 0xffffffff;
  return fmt::format("mov {}, #{:#x}", register_name(is_64_bit, bits(word, 0, 5)), number);
}

constexpr std::array<std::string_view, 4> sizes = {"b", "h", "", ""};

std::string_view order_of(bool acquire, bool release) {
  return acquire ? (release ? "al" : "a") : (release ? "l" : "");
}

std::string compare_and_swap(std::uint32_t word) {
  if ((word & 0x3fa07c00) != 0x08a07c00) return {};
  const unsigned size = bits(word, 30, 2);
  const bool is_64_bit = size == 3;
  return fmt::format("cas{}{} {}, {}, [{}]", order_of(bits(word, 22, 1) != 0, bits(word, 15, 1) != 0), sizes[size],
                     register_name(is_64_bit, bits(word, 16, 5)), register_name(is_64_bit, bits(word, 0, 5)),
                     base_name_of(bits(word, 5, 5)));
}

std::string acquiring_load(std::uint32_t word) {
  if ((word & 0x3ffffc00) != 0x38bfc000) return {};
  const unsigned size = bits(word, 30, 2);
  return fmt::format("ldapr{} {}, [{}]", sizes[size], register_name(size == 3, bits(word, 0, 5)),
                     base_name_of(bits(word, 5, 5)));
}

// Adds to memory, and similar, with or without the old value as the result.
std::string read_and_write(std::uint32_t word) {
  if ((word & 0x3f200c00) != 0x38200000) return {};
  constexpr std::array<std::string_view, 8> operations = {"add", "clr", "eor", "set", "smax", "smin", "umax", "umin"};
  const unsigned size = bits(word, 30, 2), operation = bits(word, 12, 3), result = bits(word, 0, 5);
  const bool is_64_bit = size == 3, acquire = bits(word, 23, 1) != 0, release = bits(word, 22, 1) != 0;
  const bool swap = bits(word, 15, 1) != 0;
  if (swap && operation != 0) return {};
  const std::string value = register_name(is_64_bit, bits(word, 16, 5)), base = base_name_of(bits(word, 5, 5));
  if (!swap && !acquire && result == zero_or_stack) {
    return fmt::format("st{}{}{} {}, [{}]", operations[operation], order_of(false, release), sizes[size], value, base);
  }
  return fmt::format("{}{}{}{} {}, {}, [{}]", swap ? "swp" : "ld", swap ? "" : operations[operation],
                     order_of(acquire, release), sizes[size], value, register_name(is_64_bit, result), base);
}

}  // namespace

std::string text_of_aarch64_word(std::uint32_t word) {
  for (const auto& form : {hint, authenticated_return, wide_move, compare_and_swap, acquiring_load, read_and_write}) {
    if (std::string text = form(word); !text.empty()) return text;
  }
  return {};
}

}  // namespace perfsift::tools
