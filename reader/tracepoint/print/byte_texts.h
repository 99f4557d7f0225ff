// Bytes as text, in the way of the kernel's vsnprintf() for %ph, %pb, %pI4 and the like (lib/vsprintf.c; the meaning of
// each: Documentation/core-api/printk-formats.rst).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/byte_reader.h"

namespace perfsift::reader::print {

std::string bytes_in_hex(Bytes bytes, std::string_view separator);

// Bit masks consist of longs of the recorded machine: 00000000,000000ff.
std::string bits_in_hex(Bytes mask, ByteOrder order, unsigned long_size);
// 0-3,8. Bits from `limit` on are ignored.
std::string ranges_of_bits(Bytes mask, ByteOrder order, unsigned long_size, std::size_t limit = SIZE_MAX);

// Nothing when the bytes are too few, or when an address of this family has no such text. `style` is the text after
// "%p": "M", "MF", "mR"; "I4h", "i6", "I6c", "ISpc"; "U", "Ub", "UL".
std::optional<std::string> mac_address(Bytes bytes, std::string_view style);
std::optional<std::string> ip_address(Bytes bytes, std::string_view style, ByteOrder order);
std::optional<std::string> uuid(Bytes bytes, std::string_view style);

}  // namespace perfsift::reader::print
