// Reads the names of types of C among the tokens of a print format: `unsigned long int`, `const char *`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "reader/tracepoint/print/token_cursor.h"
#include "reader/tracepoint/print/type.h"

namespace perfsift::reader::print {

// `long_size` is the size of the kernel's long. Not thread-safe.
class TypeParser {
 public:
  TypeParser(TokenCursor& tokens, std::uint8_t long_size) : tokens_(tokens), long_size_(long_size) {}

  Type long_type(bool is_signed) const { return {.size = long_size_, .is_signed = is_signed}; }
  Type pointer_to(std::string_view name) const;

  // Whether a type begins `ahead` tokens from here: for an unknown name, a pointer to that type.
  bool at_type(std::size_t ahead = 0) const;
  // The type that begins here; the cursor fails for an unknown type.
  Type type();

 private:
  bool is_type_word(const Token& word) const;
  std::string type_name();

  TokenCursor& tokens_;
  std::uint8_t long_size_;
};

}  // namespace perfsift::reader::print
