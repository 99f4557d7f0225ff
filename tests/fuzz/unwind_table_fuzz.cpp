// An ELF file, as the unwinder reads it.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "symbolize/unwind/unwind_table.h"

using namespace perfsift;
using namespace perfsift::symbolize;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> image(size);
  if (size != 0) std::memcpy(image.data(), data, size);
  const auto file = ElfFile::from_memory(std::move(image), "fuzz");
  if (!file) return 0;
  const UnwindTable table(file, nullptr);
  if (!table.architecture()) return 0;
  const RuleTable all = table.compile_all();
  for (const RuleTable::Row& row : all.rows) {
    const std::uint64_t address = table.base() + row.start;
    table.find(address);
    table.signal_frame_starts(address);
    if (const auto again = table.address_of(address); again) table.read_only(*again);
    table.is_entry(address);
  }
  return 0;
}
