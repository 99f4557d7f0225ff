// The layout of .eh_frame and .debug_frame.
//
// A section is a row of entries: a CIE has the common facts of a compilation unit's functions, an FDE describes one
// function. A small program describes the changes of registers within the function (see cfi_program.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "base/byte_reader.h"

namespace perfsift::symbolize {

// A section in its file. Results of reading live as long as its bytes.
struct CfiSection {
  Bytes bytes;
  bool eh_frame = true;            // else .debug_frame
  std::uint64_t address = 0;       // where the section lies when it is loaded
  std::uint64_t text_address = 0;  // of .text, for DW_EH_PE_textrel
  std::uint64_t data_address = 0;  // of .got (or .eh_frame_hdr), for DW_EH_PE_datarel
  std::uint8_t address_size = 8;
  ByteOrder order = ByteOrder::native;
};

struct Cie {
  std::uint64_t code_alignment = 1;
  std::int64_t data_alignment = 1;
  std::uint64_t return_register = 0;
  std::uint8_t address_size = 8;
  std::uint8_t pointer_encoding = 0;  // DW_EH_PE_…, of addresses in FDEs
  bool has_augmentation_data = false;
  bool signal_frame = false;
  Bytes program;
};

struct Fde {
  const Cie* cie = nullptr;
  std::uint64_t start = 0;  // addresses, as the file counts them
  std::uint64_t size = 0;
  Bytes program;
};

// Reads entries, and keeps the CIEs that it has read. Not thread-safe.
class CfiReader {
 public:
  explicit CfiReader(const CfiSection& section) : section_(section) {}

  // Calls entry(offset in the section, FDE) for each FDE, in the order of the section. Entries that cannot be read are
  // passed over; an impossible length ends the section.
  void for_each_fde(const std::function<void(std::uint64_t, const Fde&)>& entry);
  // The FDE at this place of the section. Its CIE lives as long as the reader.
  std::optional<Fde> fde_at(std::uint64_t offset);

 private:
  // The bytes of an entry, from its length to its end.
  struct Entry {
    std::uint64_t content = 0;  // where the id starts in the section
    std::uint64_t end = 0;
    bool wide = false;  // the 64-bit format
  };

  std::optional<Entry> entry_at(std::uint64_t offset) const;
  std::optional<Fde> read_fde(const Entry& entry);
  const Cie* cie_at(std::uint64_t offset);
  std::optional<Cie> read_cie(const Entry& entry) const;
  bool read_augmentation(std::string_view text, ByteReader& in, std::uint64_t end, Cie& cie) const;
  ByteReader reader(std::uint64_t start, std::uint64_t end) const;

  const CfiSection& section_;
  std::unordered_map<std::uint64_t, std::optional<Cie>> cies_;  // by offset; nothing for one that cannot be read
};

// Reads a pointer in one of the encodings DW_EH_PE_…; `address`: the address of the pointer. Nothing if the encoding is
// unknown, or if it says that the pointer is elsewhere in memory.
std::optional<std::uint64_t> read_encoded(ByteReader& in, std::uint8_t encoding, std::uint8_t address_size,
                                          std::uint64_t address, const CfiSection& section);

}  // namespace perfsift::symbolize
