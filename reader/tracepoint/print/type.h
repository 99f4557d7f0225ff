// Types of C, as far as the arguments of a tracepoint's print format need them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace perfsift::reader::print {

struct Type {
  enum class Kind : std::uint8_t {
    number,
    pointer,  // an address of the recorded machine, whose content is unknown
    memory,   // a place in the raw data
    text,     // the result of printing, or a literal of the format
  };

  Kind kind = Kind::number;
  std::uint8_t size = 4;  // bytes of a number or pointer
  bool is_signed = true;
  // The element type of pointers and memory. Size 0: not a number.
  std::uint8_t element_size = 0;
  bool element_signed = false;

  bool is_scalar() const { return kind == Kind::number || kind == Kind::pointer; }
  Type element() const { return {.size = element_size, .is_signed = element_signed}; }
};

constexpr Type int_type{};
constexpr Type text_type{.kind = Type::Kind::text};

// The value converted to a type: cut to the type's size, then sign- or zero-extended to 64 bits.
std::uint64_t converted(std::uint64_t value, const Type& type);
// The bits of a value of this type, without sign extension.
std::uint64_t bits_of(std::uint64_t value, const Type& type);

// The type after C's integer promotion.
Type promoted(const Type& type);
// The common type of two numbers in C.
Type common_type(const Type& a, const Type& b);

// The kernel's type of that name, "unsigned long" or "loff_t"; `long_size` is the size of the kernel's long. Nothing
// for an unknown name, and for a name with different meanings on different machines.
std::optional<Type> named_type(std::string_view name, unsigned long_size);

}  // namespace perfsift::reader::print
