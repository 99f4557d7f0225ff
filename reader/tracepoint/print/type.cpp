#include "reader/tracepoint/print/type.h"

#include <algorithm>

namespace perfsift::reader::print {

namespace {

struct Name {
  std::string_view name;
  std::uint8_t size;  // 0: the size of long
  bool is_signed;
};

// Typedefs of the kernel that are the same on all architectures (include/linux/types.h and the headers that use them in
// TP_printk()). `char` is signed, as on x86: formats cast to char only to compare and to print.
constexpr Name names[] = {
    {"char", 1, true},
    {"signed char", 1, true},
    {"unsigned char", 1, false},
    {"bool", 1, false},
    {"_Bool", 1, false},
    {"u8", 1, false},
    {"__u8", 1, false},
    {"s8", 1, true},
    {"__s8", 1, true},
    {"uint8_t", 1, false},
    {"int8_t", 1, true},
    {"u_char", 1, false},
    {"short", 2, true},
    {"unsigned short", 2, false},
    {"u16", 2, false},
    {"__u16", 2, false},
    {"s16", 2, true},
    {"__s16", 2, true},
    {"uint16_t", 2, false},
    {"int16_t", 2, true},
    {"__le16", 2, false},
    {"__be16", 2, false},
    {"ushort", 2, false},
    {"u_short", 2, false},
    {"umode_t", 2, false},
    {"sa_family_t", 2, false},
    {"int", 4, true},
    {"signed", 4, true},
    {"unsigned", 4, false},
    {"unsigned int", 4, false},
    {"u32", 4, false},
    {"__u32", 4, false},
    {"s32", 4, true},
    {"__s32", 4, true},
    {"uint32_t", 4, false},
    {"int32_t", 4, true},
    {"__le32", 4, false},
    {"__be32", 4, false},
    {"uint", 4, false},
    {"u_int", 4, false},
    {"pid_t", 4, true},
    {"dev_t", 4, false},
    {"uid_t", 4, false},
    {"gid_t", 4, false},
    {"gfp_t", 4, false},
    {"fmode_t", 4, false},
    {"slab_flags_t", 4, false},
    {"blk_opf_t", 4, false},
    {"__kernel_rwf_t", 4, true},
    {"__poll_t", 4, false},
    {"vm_fault_t", 4, false},
    {"tid_t", 4, false},
    {"ext4_lblk_t", 4, false},
    {"u64", 8, false},
    {"__u64", 8, false},
    {"s64", 8, true},
    {"__s64", 8, true},
    {"uint64_t", 8, false},
    {"int64_t", 8, true},
    {"__le64", 8, false},
    {"__be64", 8, false},
    {"long long", 8, true},
    {"unsigned long long", 8, false},
    {"loff_t", 8, true},
    {"ktime_t", 8, true},
    {"time64_t", 8, true},
    {"sector_t", 8, false},
    {"blkcnt_t", 8, false},
    {"long", 0, true},
    {"unsigned long", 0, false},
    {"ulong", 0, false},
    {"u_long", 0, false},
    {"size_t", 0, false},
    {"ssize_t", 0, true},
    {"uintptr_t", 0, false},
    {"intptr_t", 0, true},
    {"ino_t", 0, false},
    {"pgoff_t", 0, false},
    {"off_t", 0, true},
    {"ptrdiff_t", 0, true},
};

}  // namespace

std::uint64_t bits_of(std::uint64_t value, const Type& type) {
  return type.size >= 8 ? value : value & ((std::uint64_t{1} << (8 * type.size)) - 1);
}

std::uint64_t converted(std::uint64_t value, const Type& type) {
  const std::uint64_t bits = bits_of(value, type);
  if (type.size >= 8 || !type.is_signed) return bits;
  const std::uint64_t sign = std::uint64_t{1} << (8 * type.size - 1);
  return (bits ^ sign) - sign;
}

Type promoted(const Type& type) {
  return type.size < 4 ? int_type : Type{.size = type.size, .is_signed = type.is_signed};
}

Type common_type(const Type& a, const Type& b) {
  const Type left = promoted(a), right = promoted(b);
  if (left.size != right.size) return left.size > right.size ? left : right;
  return left.is_signed ? right : left;
}

std::optional<Type> named_type(std::string_view name, unsigned long_size) {
  const auto* const found = std::ranges::find(names, name, &Name::name);
  if (found == std::end(names)) return std::nullopt;
  const auto size = static_cast<std::uint8_t>(found->size != 0 ? found->size : long_size);
  return Type{.size = size, .is_signed = found->is_signed};
}

}  // namespace perfsift::reader::print
