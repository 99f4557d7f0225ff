// Types as a compiler writes them: struct btf_header, types, names (Documentation/bpf/btf.rst).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "tests/support/bytes.h"

namespace perfsift::test {

// Each function adds a type and returns its id, which counts from 1.
class MadeBtf {
 public:
  struct Member {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint32_t bit_offset = 0, bit_size = 0;
  };
  struct Enumerator {
    std::string_view name;
    std::int32_t value = 0;
  };

  // `encoding`: 1 signed, 2 char, 4 bool.
  std::uint32_t integer(std::string_view name, std::uint32_t size, std::uint32_t encoding = 0) {
    header(name, 1, 0, size);
    types_.u32(encoding << 24 | size * 8);
    return ++count_;
  }
  std::uint32_t pointer(std::uint32_t to) { return plain("", 2, to); }
  std::uint32_t array(std::uint32_t element, std::uint32_t count) {
    header("", 3, 0, 0);
    types_.u32(element).u32(0).u32(count);
    return ++count_;
  }
  std::uint32_t structure(std::string_view name, std::uint32_t size, const std::vector<Member>& members) {
    return with_members(name, 4, size, members);
  }
  std::uint32_t union_of(std::string_view name, std::uint32_t size, const std::vector<Member>& members) {
    return with_members(name, 5, size, members);
  }
  std::uint32_t enumeration(std::string_view name, std::uint32_t size, const std::vector<Enumerator>& all) {
    header(name, 6, static_cast<std::uint32_t>(all.size()), size);
    for (const Enumerator& one : all) types_.u32(offset_of(one.name)).u32(static_cast<std::uint32_t>(one.value));
    return ++count_;
  }
  std::uint32_t alias(std::string_view name, std::uint32_t to) { return plain(name, 8, to); }
  std::uint32_t constant(std::uint32_t to) { return plain("", 10, to); }

  std::vector<std::byte> bytes() const {
    const auto types = static_cast<std::uint32_t>(types_.view().size());
    BytesBuilder all;
    all.u16(0xeb9f).u8(1).u8(0).u32(24).u32(0).u32(types).u32(types).u32(static_cast<std::uint32_t>(names_.size()));
    return all.bytes(types_.view()).text(names_).take();
  }

 private:
  std::uint32_t plain(std::string_view name, std::uint32_t kind, std::uint32_t type) {
    header(name, kind, 0, type);
    return ++count_;
  }
  std::uint32_t with_members(std::string_view name, std::uint32_t kind, std::uint32_t size,
                             const std::vector<Member>& members) {
    header(name, kind, static_cast<std::uint32_t>(members.size()) | 1u << 31, size);
    for (const Member& member : members)
      types_.u32(offset_of(member.name)).u32(member.type).u32(member.bit_size << 24 | member.bit_offset);
    return ++count_;
  }
  void header(std::string_view name, std::uint32_t kind, std::uint32_t count_and_flag, std::uint32_t size_or_type) {
    types_.u32(offset_of(name)).u32(kind << 24 | count_and_flag).u32(size_or_type);
  }
  std::uint32_t offset_of(std::string_view name) {
    if (name.empty()) return 0;
    const auto offset = static_cast<std::uint32_t>(names_.size());
    names_.append(name).push_back('\0');
    return offset;
  }

  BytesBuilder types_;
  std::string names_ = std::string(1, '\0');
  std::uint32_t count_ = 0;
};

}  // namespace perfsift::test
