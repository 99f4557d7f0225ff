#include "symbolize/unwind/cfi_section.h"

#include "base/leb128.h"

namespace perfsift::symbolize {

namespace {

// DW_EH_PE_…: the low half of an encoding is the form of the number, the high half what it counts from.
constexpr std::uint8_t form_mask = 0x0f, base_mask = 0x70, indirect = 0x80, omitted = 0xff;
constexpr std::uint8_t base_absolute = 0x00, base_pc = 0x10, base_text = 0x20, base_data = 0x30, aligned = 0x50;

std::optional<std::uint64_t> read_address(ByteReader& in, std::uint8_t size) {
  if (size == 8) return in.u64();
  if (size == 4) return in.u32();
  return std::nullopt;
}

std::optional<std::uint64_t> read_form(ByteReader& in, std::uint8_t form, std::uint8_t address_size) {
  switch (form) {
    case 0x00:
      return read_address(in, address_size);
    case 0x01:
      return uleb128(in);
    case 0x02:
      return in.u16();
    case 0x03:
      return in.u32();
    case 0x09:
      return static_cast<std::uint64_t>(sleb128(in));
    case 0x0a:
      return static_cast<std::uint64_t>(static_cast<std::int16_t>(in.u16()));
    case 0x0b:
      return static_cast<std::uint64_t>(std::int64_t{in.i32()});
    case 0x04:
    case 0x0c:
      return in.u64();
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> base_of(std::uint8_t encoding, std::uint64_t address, const CfiSection& section) {
  switch (encoding & base_mask) {
    case base_absolute:
      return 0;
    case base_pc:
      return address;
    case base_text:
      return section.text_address;
    case base_data:
      return section.data_address;
    default:
      return std::nullopt;
  }
}

// CIE versions: 1 of old GCC and .eh_frame, 3 of DWARF 3, 4 of DWARF 4 and 5.
constexpr bool known_version(std::uint8_t version) { return version == 1 || version == 3 || version == 4; }

// No compiler writes more than some dozen bytes; they are run for every function that refers to the CIE.
constexpr std::uint64_t max_cie_size = 4096;

}  // namespace

std::optional<std::uint64_t> read_encoded(ByteReader& in, std::uint8_t encoding, std::uint8_t address_size,
                                          std::uint64_t address, const CfiSection& section) {
  if (encoding == omitted || (encoding & indirect) != 0) return std::nullopt;
  if (encoding == aligned) {
    in.skip(-address & (address_size - 1u));
    return read_address(in, address_size);
  }
  const auto base = base_of(encoding, address, section);
  const auto value = read_form(in, encoding & form_mask, address_size);
  if (!base || !value || !in.ok()) return std::nullopt;
  const std::uint64_t sum = *base + *value;
  return address_size == 4 ? sum & 0xffffffff : sum;
}

ByteReader CfiReader::reader(std::uint64_t start, std::uint64_t end) const {
  return ByteReader(section_.bytes.subspan(start, end - start), section_.order);
}

std::optional<CfiReader::Entry> CfiReader::entry_at(std::uint64_t offset) const {
  const std::uint64_t size = section_.bytes.size();
  if (offset >= size) return std::nullopt;
  ByteReader in = reader(offset, size);
  std::uint64_t length = in.u32();
  const bool wide = length == 0xffffffff;
  if (wide) length = in.u64();
  if (!in.ok() || length > in.remaining()) return std::nullopt;
  const std::uint64_t content = size - in.remaining();
  return Entry{.content = content, .end = content + length, .wide = wide};
}

void CfiReader::for_each_fde(const std::function<void(std::uint64_t, const Fde&)>& entry) {
  std::uint64_t offset = 0;
  while (const auto at = entry_at(offset)) {
    // An empty entry ends the section for the C run time; linkers may leave one between two input files.
    if (const auto fde = read_fde(*at)) entry(offset, *fde);
    offset = at->end;
  }
}

std::optional<Fde> CfiReader::fde_at(std::uint64_t offset) {
  const auto entry = entry_at(offset);
  return entry ? read_fde(*entry) : std::nullopt;
}

std::optional<Fde> CfiReader::read_fde(const Entry& entry) {
  ByteReader in = reader(entry.content, entry.end);
  const auto here = [&] { return entry.end - in.remaining(); };
  const std::uint64_t id = entry.wide ? in.u64() : in.u32();
  const std::uint64_t cie_mark = section_.eh_frame ? 0 : entry.wide ? ~std::uint64_t{0} : 0xffffffff;
  if (!in.ok() || id == cie_mark) return std::nullopt;

  // In .eh_frame the distance back to the CIE, from the id itself.
  const Cie* cie = cie_at(section_.eh_frame ? entry.content - id : id);
  if (cie == nullptr) return std::nullopt;
  const auto start = read_encoded(in, cie->pointer_encoding, cie->address_size, section_.address + here(), section_);
  const auto size = read_form(in, cie->pointer_encoding & form_mask, cie->address_size);
  if (cie->has_augmentation_data) in.skip(uleb128(in));
  if (!start || !size || !in.ok()) return std::nullopt;
  return Fde{.cie = cie, .start = *start, .size = *size, .program = in.rest()};
}

const Cie* CfiReader::cie_at(std::uint64_t offset) {
  const auto [found, is_new] = cies_.try_emplace(offset);
  if (is_new) {
    if (const auto entry = entry_at(offset)) found->second = read_cie(*entry);
  }
  return found->second ? &*found->second : nullptr;
}

std::optional<Cie> CfiReader::read_cie(const Entry& entry) const {
  if (entry.end - entry.content > max_cie_size) return std::nullopt;
  ByteReader in = reader(entry.content, entry.end);
  const std::uint64_t id = entry.wide ? in.u64() : in.u32();
  const std::uint64_t mark = section_.eh_frame ? 0 : entry.wide ? ~std::uint64_t{0} : 0xffffffff;
  const std::uint8_t version = in.u8();
  const std::string_view augmentation = in.cstring();
  if (!in.ok() || id != mark || !known_version(version)) return std::nullopt;

  Cie cie{.address_size = section_.address_size};
  if (augmentation == "eh") in.skip(section_.address_size);  // GCC 2: the address of its exception table
  if (version == 4) {
    cie.address_size = in.u8();
    if (in.u8() != 0) return std::nullopt;  // segment selectors are of processors of the past
  }
  cie.code_alignment = uleb128(in);
  cie.data_alignment = sleb128(in);
  cie.return_register = version == 1 ? in.u8() : uleb128(in);
  if (!read_augmentation(augmentation, in, entry.end, cie)) return std::nullopt;
  cie.program = in.rest();
  if (!in.ok()) return std::nullopt;
  return cie;
}

// "zPLR": the data has a length, a personality routine, an encoding of language data, one of code addresses. "S" a
// signal frame, "B" AArch64: return addresses are signed with the other key; both have no data.
bool CfiReader::read_augmentation(std::string_view text, ByteReader& in, std::uint64_t end, Cie& cie) const {
  if (text.empty() || text == "eh") return true;
  if (text.front() != 'z') return false;
  cie.has_augmentation_data = true;
  const std::uint64_t size = uleb128(in);
  const std::uint64_t start = end - in.remaining();
  ByteReader data(in.bytes(size), section_.order);
  if (!in.ok()) return false;
  for (const char letter : text.substr(1)) {
    if (letter == 'R') {
      cie.pointer_encoding = data.u8();
    } else if (letter == 'P') {
      const std::uint8_t encoding = data.u8();
      const std::uint64_t address = section_.address + start + size - data.remaining();
      if (!read_encoded(data, encoding & 0x7f, cie.address_size, address, section_)) return false;
    } else if (letter == 'L') {
      data.skip(1);
    } else if (letter == 'S') {
      cie.signal_frame = true;
    } else if (letter != 'B' && letter != 'G') {
      break;  // data of an unknown kind; its length is known, and what comes after it is not needed
    }
  }
  return data.ok();
}

}  // namespace perfsift::symbolize
