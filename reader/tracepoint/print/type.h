// The types of C, as far as the arguments of a tracepoint's print format need them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace perfsift::reader::print {

struct Type {
  enum class Kind : std::uint8_t {
    number,
    pointer,  // an address of the recorded machine: what lies there is not known
    memory,   // a place in the raw data
    text,     // made by printing, or written in the format
  };

  Kind kind = Kind::number;
  std::uint8_t size = 4;  // bytes of a number or pointer
  bool is_signed = true;
  // What pointers and memory lead to. Size 0: no number.
  std::uint8_t element_size = 0;
  bool element_signed = false;

  bool is_scalar() const { return kind == Kind::number || kind == Kind::pointer; }
  Type element() const { return {.size = element_size, .is_signed = element_signed}; }
};

constexpr Type int_type{};
constexpr Type text_type{.kind = Type::Kind::text};

// What the bits of a value mean in a type: cut to its size and, by its sign, made 64 bits wide again.
std::uint64_t converted(std::uint64_t value, const Type& type);
// The bits of a value of this type, without the copies of its sign.
std::uint64_t bits_of(std::uint64_t value, const Type& type);

// What arithmetic makes of a type smaller than int.
Type promoted(const Type& type);
// The type in which two numbers meet.
Type common_type(const Type& a, const Type& b);

// The type the kernel means by a name, "unsigned long" or "loff_t"; `long_size` is the size of its long. Nothing for a
// name that is not known here, or means different things on different machines.
std::optional<Type> named_type(std::string_view name, unsigned long_size);

}  // namespace perfsift::reader::print
