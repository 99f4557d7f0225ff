// Types and payloads of somebody else's BPF program: 2 bytes with the size of the BTF, the BTF, and a payload.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/bpf/payload_format.h"
#include "record/bpf/payload_layout.h"

using namespace perfsift;

namespace {

// Every field lies in the payload, is described, and has a value if the payload is whole.
void check(const record::PayloadLayout& layout, Bytes payload) {
  if (layout.fields.size() > record::most_payload_fields) __builtin_trap();
  const record::PayloadFormat format(layout, "fuzzed");
  std::vector<std::byte> raw;
  format.append_raw(payload, 1, raw);
  const Bytes rest = format.payload_in(raw);
  for (const record::PayloadField& field : layout.fields) {
    if (field.offset > layout.size || field.size > layout.size - field.offset) __builtin_trap();
    if (format.format().find(field.name) == nullptr) __builtin_trap();
    const bool has_value = !std::holds_alternative<std::monostate>(record::payload_value(field, rest));
    if (has_value != (field.offset + field.size <= rest.size())) __builtin_trap();
  }
  if (format.formats().print(format.format(), raw).empty() && !layout.fields.empty()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader in(std::as_bytes(std::span(data, size)));
  const Bytes types = in.bytes(in.u16());
  const Bytes payload = in.rest();
  auto btf = record::Btf::parse({types.begin(), types.end()});
  if (!btf) return 0;
  std::vector<record::Btf> all;
  all.push_back(std::move(*btf));
  constexpr std::size_t most_types = 8;
  std::size_t count = 0;
  for (const record::PayloadType& type : record::payload_types(all)) {
    if (++count > most_types) break;
    if (const auto layout = record::payload_layout(*type.types, type.id)) check(*layout, payload);
  }
  return 0;
}
