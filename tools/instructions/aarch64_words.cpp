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

// Instructions without operands.
std::string whole_word(std::uint32_t word) {
  switch (word) {
    case 0xd65f0bff:
      return "retaa";
    case 0xd65f0fff:
      return "retab";
    case 0xd69f0bff:
      return "eretaa";
    case 0xd69f0fff:
      return "eretab";
    case 0xd50330ff:
      return "sb";
    case 0xd500401f:
      return "cfinv";
    case 0xd500403f:
      return "xaflag";
    case 0xd500405f:
      return "axflag";
    default:
      return {};
  }
}

// Signs of a pointer: added, checked and removed.
std::string authentication(std::uint32_t word) {
  const unsigned operation = bits(word, 10, 6), source = bits(word, 5, 5), number = bits(word, 0, 5);
  const std::string pointer = register_name(true, number);
  if ((word & 0xffe0fc00) == 0x9ac03000)
    return fmt::format("pacga {}, {}, {}", pointer, register_name(true, source), base_name_of(bits(word, 16, 5)));
  if ((word & 0xffff0000) != 0xdac10000) return {};
  constexpr std::array<std::string_view, 4> keys = {"ia", "ib", "da", "db"};
  constexpr unsigned authenticates = 4, without_modifier = 8, strips = 16;
  if (operation >= strips + 2 || (operation >= without_modifier && source != zero_or_stack)) return {};
  if (operation >= strips) return fmt::format("{} {}", operation == strips ? "xpaci" : "xpacd", pointer);
  const std::string_view what = (operation & authenticates) != 0 ? "aut" : "pac";
  if (operation < without_modifier)
    return fmt::format("{}{} {}, {}", what, keys[operation % 4], pointer, base_name_of(source));
  const std::string_view key = keys[operation % 4];
  return fmt::format("{}{}z{} {}", what, key.substr(0, 1), key.substr(1), pointer);
}

std::string authenticated_branch(std::uint32_t word) {
  if ((word & 0xfedff800) != 0xd61f0800) return {};
  const bool has_modifier = bits(word, 24, 1) != 0;
  const unsigned modifier = bits(word, 0, 5);
  if (!has_modifier && modifier != zero_or_stack) return {};
  const std::string name =
      fmt::format("{}{}", bits(word, 21, 1) != 0 ? "blr" : "br", bits(word, 10, 1) != 0 ? "ab" : "aa");
  const std::string target = register_name(true, bits(word, 5, 5));
  return has_modifier ? fmt::format("{} {}, {}", name, target, base_name_of(modifier))
                      : fmt::format("{}z {}", name, target);
}

// " [x1]", "[x1, #-8]" of a number of `count` bits, in units of `unit` bytes.
std::string place_text(unsigned base, std::uint32_t offset, unsigned count, int unit) {
  const int sign = 1 << (count - 1);
  const int distance = ((static_cast<int>(offset) ^ sign) - sign) * unit;
  return distance == 0 ? fmt::format("[{}]", base_name_of(base))
                       : fmt::format("[{}, #{}]", base_name_of(base), distance);
}

std::string authenticated_load(std::uint32_t word) {
  if ((word & 0xff200400) != 0xf8200400) return {};
  const std::uint32_t offset = bits(word, 22, 1) << 9 | bits(word, 12, 9);
  return fmt::format("ldra{} {}, {}{}", bits(word, 23, 1) != 0 ? 'b' : 'a', register_name(true, bits(word, 0, 5)),
                     place_text(bits(word, 5, 5), offset, 10, 8), bits(word, 11, 1) != 0 ? "!" : "");
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

std::string compare_and_swap_pair(std::uint32_t word) {
  if ((word & 0xbfa07c00) != 0x08207c00) return {};
  const bool is_64_bit = bits(word, 30, 1) != 0;
  const unsigned compared = bits(word, 16, 5), written = bits(word, 0, 5);
  if (compared % 2 != 0 || written % 2 != 0) return {};
  return fmt::format("casp{} {}, {}, {}, {}, [{}]", order_of(bits(word, 22, 1) != 0, bits(word, 15, 1) != 0),
                     register_name(is_64_bit, compared), register_name(is_64_bit, compared + 1),
                     register_name(is_64_bit, written), register_name(is_64_bit, written + 1),
                     base_name_of(bits(word, 5, 5)));
}

// Loads that acquire, and stores that release, at a distance.
std::string ordered_access(std::uint32_t word) {
  if ((word & 0x3f200c00) != 0x19000000) return {};
  const unsigned size = bits(word, 30, 2), operation = bits(word, 22, 2);
  const bool is_signed = operation >= 2;
  if (is_signed && (size == 3 || (size == 2 && operation == 3))) return {};
  const bool is_64_bit = is_signed ? operation == 2 : size == 3;
  constexpr std::array<std::string_view, 3> signed_sizes = {"sb", "sh", "sw"};
  return fmt::format("{}{} {}, {}", operation == 0 ? "stlur" : "ldapur", is_signed ? signed_sizes[size] : sizes[size],
                     register_name(is_64_bit, bits(word, 0, 5)), place_text(bits(word, 5, 5), bits(word, 12, 9), 9, 1));
}

std::string dot_product(std::uint32_t word) {
  const bool of_vectors = (word & 0x9fe0fc00) == 0x0e809400;
  if (!of_vectors && (word & 0x9fc0f400) != 0x0f80e000) return {};
  const bool is_long = bits(word, 30, 1) != 0;
  const std::string operands =
      fmt::format("{}dot v{}.{}, v{}.{}, v{}", bits(word, 29, 1) != 0 ? 'u' : 's', bits(word, 0, 5),
                  is_long ? "4s" : "2s", bits(word, 5, 5), is_long ? "16b" : "8b", bits(word, 16, 5));
  if (of_vectors) return fmt::format("{}.{}", operands, is_long ? "16b" : "8b");
  return fmt::format("{}.4b[{}]", operands, bits(word, 11, 1) << 1 | bits(word, 21, 1));
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
  for (const auto& form :
       {hint, whole_word, authentication, authenticated_branch, authenticated_load, wide_move, compare_and_swap,
        compare_and_swap_pair, ordered_access, dot_product, acquiring_load, read_and_write}) {
    if (std::string text = form(word); !text.empty()) return text;
  }
  return {};
}

}  // namespace perfsift::tools
