// The fields of a payload, from the type (BTF) that a BPF program has for it.
//
// A struct becomes a list of fields, because filters and descriptions of tracepoints know nothing else: the member `x`
// of the member `from` is the field from_x, the first element of an array of structs is hops_0_port. Arrays of numbers
// and texts stay one field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/bpf/btf.h"

namespace perfsift::record {

enum class PayloadForm : std::uint8_t {
  number,   // also enumerations and bit fields
  truth,    // bool
  address,  // a pointer
  text,     // an array of char
  numbers,  // an array of numbers
  bytes,    // what is too large or too deep for fields of its own
};

struct PayloadField {
  std::string name;  // an identifier of C; different for each field
  PayloadForm form = PayloadForm::number;
  std::size_t offset = 0;        // in the payload
  std::size_t size = 0;          // in bytes; of bit fields: of the bytes that have the bits, at most 9
  std::size_t element_size = 0;  // of `numbers`
  bool is_signed = false;
  unsigned bit_offset = 0;  // of bit fields: behind the lowest bit of the byte at `offset`
  unsigned bit_size = 0;    // 0: no bit field
  std::vector<std::pair<std::int64_t, std::string>> names;  // of an enumeration, without names that are no identifiers
};

struct PayloadLayout {
  std::string type;      // "event"
  std::size_t size = 0;  // of a whole payload
  std::vector<PayloadField> fields;
  std::vector<std::string> left_out;  // sentences: what the fields do not show
};

// The largest payload that is decoded, and the most fields.
inline constexpr std::size_t most_payload_bytes = 32 << 10;
inline constexpr std::size_t most_payload_fields = 512;

// Nothing: the type has no size, or is larger than most_payload_bytes.
std::optional<PayloadLayout> payload_layout(const Btf& types, std::uint32_t type);

// A struct (or another named type) of a program.
struct PayloadType {
  const Btf* types = nullptr;
  std::uint32_t id = 0;
  std::string name;
  std::size_t size = 0;
};

// All types that a payload can have: structs, unions, and names of other types with a size; by name, each name and size
// once. `types` must outlive the result.
std::vector<PayloadType> payload_types(const std::vector<Btf>& types);

}  // namespace perfsift::record
