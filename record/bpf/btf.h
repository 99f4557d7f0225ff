// BTF: the types of C that a BPF program was compiled with (struct btf_header and what follows in linux/btf.h).
//
// The bytes come from whoever loaded the program. The kernel checks them more than a file, but not for what is done
// here, so nothing is trusted: types may refer to types that do not exist, and to each other in circles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::record {

enum class BtfKind : std::uint8_t {
  none,  // void
  integer,
  pointer,
  array,
  structure,
  union_,
  enumeration,
  forward,
  alias,  // typedef
  volatile_,
  const_,
  restrict_,
  function,
  prototype,
  variable,
  section,
  floating,
  declaration_tag,
  type_tag,
  enumeration64,
};

struct BtfType {
  BtfKind kind = BtfKind::none;
  bool flag = false;       // of structs: members say the size of bit fields; of enumerations: signed
  std::uint32_t name = 0;  // an offset into the names
  std::uint32_t size_or_type = 0;
  std::uint32_t count = 0;  // of members and enumerators
  Bytes rest;               // what follows the header
};

struct BtfMember {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint32_t bit_offset = 0;
  std::uint32_t bit_size = 0;  // 0: no bit field
};

struct BtfEnumerator {
  std::string_view name;
  std::int64_t value = 0;  // sign-extended, of unsigned enumerations, too
};

struct BtfArray {
  std::uint32_t element = 0;
  std::uint32_t count = 0;
};

struct BtfInteger {
  bool is_signed = false, is_char = false, is_bool = false;
  unsigned bits = 0;
  unsigned bit_offset = 0;
};

// Views that are returned live as long as the Btf, which may be moved. Thread-safe once made.
class Btf {
 public:
  Btf() = default;
  // Types of one program, without a base. Nothing: the bytes are no BTF of this machine's byte order, or end too early.
  static std::optional<Btf> parse(std::vector<std::byte> bytes);

  // Type ids are below size(). 0 is void.
  std::size_t size() const { return types_.size(); }
  // void for an id that does not exist.
  const BtfType& type(std::uint32_t id) const;
  // Any bytes; empty for types without a name.
  std::string_view name(const BtfType& type) const { return text(type.name); }

  // The type behind names, const, volatile and the like: nothing if they lead in circles or nowhere.
  std::optional<std::uint32_t> resolved(std::uint32_t id) const;

  // Of types of the fitting kind; otherwise empty.
  std::vector<BtfMember> members(const BtfType& type) const;
  std::vector<BtfEnumerator> enumerators(const BtfType& type) const;
  BtfArray array(const BtfType& type) const;
  BtfInteger integer(const BtfType& type) const;

  // The size in bytes; nothing: the type has none, or more than `most`.
  std::optional<std::uint64_t> size_of(std::uint32_t id, std::uint64_t most) const;

 private:
  std::string_view text(std::uint32_t offset) const;
  bool read_types(Bytes section);

  std::vector<std::byte> bytes_;
  Bytes names_;
  std::vector<BtfType> types_;
};

}  // namespace perfsift::record
