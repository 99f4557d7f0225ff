// An argument of a tracepoint's print format: an expression of C over the fields of a sample.
//
// The kernel compiles these expressions (TP_printk() in include/trace/events/*.h); the file `format` has their text. So
// expressions are evaluated with the types and rules of C: fields are signed or unsigned as declared, small types are
// promoted to int, and a comparison with a negative int is signed. Parsing determines the types, which decide the
// function of Evaluation that gives the value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "reader/tracepoint/field.h"
#include "reader/tracepoint/kernel_names.h"
#include "reader/tracepoint/print/type.h"

namespace perfsift::reader::print {

enum class Operation : std::uint8_t {
  // Numbers.
  constant,
  field,       // REC->field, also an array
  local,       // a variable of a statement expression
  block,       // ({ int a = …; int b = …; result; }): the values of the variables, then the result
  cast,        // to the type of the expression
  negate,      // -x
  complement,  // ~x
  invert,      // !x
  add,
  subtract,
  multiply,
  divide,
  remainder,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  conditional,     // a ? b : c, of any type
  index,           // memory[number]
  dynamic_length,  // __get_dynamic_array_len(field)
  // Places in the raw data.
  address,        // &REC->field
  dynamic_array,  // __get_dynamic_array(field), __get_str(field)
  // Texts.
  literal,
  flags,       // __print_flags(number, literal, …)
  symbolic,    // __print_symbolic(number, …)
  hex,         // __print_hex(memory, length)
  hex_joined,  // __print_hex_str(memory, length)
  array,       // __print_array(memory, count, size of an element)
  bitmask,     // __get_bitmask(field)
  cpumask,     // __get_cpumask(field)
};

struct Expression {
  // The name of a value for __print_flags() and __print_symbolic().
  struct Name {
    std::uint64_t value = 0;
    std::string name;
  };

  Operation operation = Operation::constant;
  Type type;
  std::uint64_t number =
      0;             // the constant; the number of a field or local variable; the size of the values that have names
  std::string text;  // the literal
  std::vector<Expression> operands;
  std::vector<Name> names;
};

struct Sample {
  const std::vector<TracepointField>& fields;
  const KernelNames& kernel;
  Bytes raw;
  ByteOrder order = ByteOrder::native;
  unsigned long_size = 8;  // of the kernel's long
};

// Evaluates the expressions of one sample. An impossible operation (a place outside the raw data, a division by zero, a
// shift that C leaves undefined) makes ok() false for good, and the answer meaningless.
class Evaluation {
 public:
  explicit Evaluation(const Sample& sample) : sample_(sample) {}

  std::uint64_t number(const Expression& expression);  // converted to its type: see converted()
  Bytes memory(const Expression& expression);
  std::string text(const Expression& expression);

  void fail() { ok_ = false; }
  bool ok() const { return ok_; }

 private:
  std::uint64_t binary(const Expression& expression);
  std::uint64_t element(const Expression& expression);
  std::uint64_t block(const Expression& expression);
  Bytes field_bytes(const Expression& expression);
  std::string flags(const Expression& expression);
  std::string symbolic(const Expression& expression);
  std::string hex(const Expression& expression);
  std::string array(const Expression& expression);
  std::string at_address(const Expression& expression);
  // The first `count` elements of `size` bytes each; fails when there are fewer.
  Bytes first(Bytes bytes, std::uint64_t count, std::uint64_t size);

  const Sample& sample_;
  std::vector<std::uint64_t> locals_;
  bool ok_ = true;
};

}  // namespace perfsift::reader::print
