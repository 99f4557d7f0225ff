#include "symbolize/symbols/plt.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

namespace perfsift::symbolize {

namespace {

using Section = ElfFile::Section;

// The differences between processors.
struct PltFormat {
  std::uint32_t entry_size;
  std::uint32_t header_size;  // of .plt alone: the code that calls the dynamic linker
  std::uint32_t type_irelative;
  // The address of the slot through which an entry at `address` jumps.
  std::optional<std::uint64_t> (*slot)(Bytes entry, std::uint64_t address);
};

// [endbr64] [bnd] jmp *displacement(%rip); any bytes may follow.
std::optional<std::uint64_t> x86_64_slot(Bytes entry, std::uint64_t address) {
  constexpr std::size_t latest_jump = 5;
  for (std::size_t at = 0; at <= latest_jump && at + 6 <= entry.size(); ++at) {
    if (entry[at] != std::byte{0xff} || entry[at + 1] != std::byte{0x25}) continue;
    const auto displacement = ByteReader(entry.subspan(at + 2)).i32();
    return address + at + 6 + static_cast<std::uint64_t>(std::int64_t{displacement});
  }
  return std::nullopt;
}

// [bti c] adrp x16, page; ldr x17, [x16, #offset]; …
std::optional<std::uint64_t> aarch64_slot(Bytes entry, std::uint64_t address) {
  for (std::size_t at = 0; at <= 4 && at + 8 <= entry.size(); at += 4) {
    ByteReader in(entry.subspan(at));
    const std::uint32_t adrp = in.u32();
    const std::uint32_t ldr = in.u32();
    if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211) continue;
    const std::uint64_t pages = (((adrp >> 5) & 0x7ffff) << 2) | ((adrp >> 29) & 3);  // 21 bits, signed
    const std::uint64_t distance = ((pages ^ 0x100000) - 0x100000) << 12;
    return ((address + at) & ~std::uint64_t{0xfff}) + distance + ((ldr >> 10) & 0xfff) * 8;
  }
  return std::nullopt;
}

std::optional<PltFormat> plt_format(std::uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return PltFormat{16, 16, R_X86_64_IRELATIVE, x86_64_slot};
    case EM_AARCH64:
      return PltFormat{16, 32, R_AARCH64_IRELATIVE, aarch64_slot};
    default:
      return std::nullopt;
  }
}

// The names of all symbols of the file, by start. The first global symbol at a start counts, otherwise the first
// symbol.
class NameByStart {
 public:
  explicit NameByStart(const SymbolTable& symbols) {
    for (const Symbol& symbol : symbols.symbols())
      entries_.push_back({symbol.start, symbol.binding != Binding::global, symbol.name});
    std::ranges::stable_sort(entries_, {}, [](const Entry& e) { return std::pair(e.start, e.not_global); });
  }

  std::string_view find(std::uint64_t start) const {
    const auto found = std::ranges::lower_bound(entries_, start, {}, &Entry::start);
    return found == entries_.end() || found->start != start ? std::string_view{} : found->name;
  }

 private:
  struct Entry {
    std::uint64_t start;
    bool not_global;
    std::string_view name;
  };
  std::vector<Entry> entries_;
};

// The section that is loaded at the address, or nullptr.
const Section* loaded_section(const ElfFile& file, std::uint64_t address) {
  const auto found = std::ranges::find_if(file.sections(), [&](const Section& section) {
    const GElf_Shdr& header = section.header;
    return (header.sh_flags & SHF_ALLOC) != 0 && address >= header.sh_addr && address - header.sh_addr < header.sh_size;
  });
  return found == file.sections().end() ? nullptr : &*found;
}

// The functions whose addresses will be in the slots of the global offset table.
class Slots {
 public:
  Slots(const ElfFile& file, const PltFormat& format, const Placement& place, const SymbolTable& symbols) {
    const NameByStart functions(symbols);
    const auto name_of_resolver = [&](std::uint64_t resolver) {
      const Section* section = loaded_section(file, resolver);
      const auto start = section != nullptr ? place(resolver, *section) : std::nullopt;
      const std::string_view name = start ? functions.find(*start) : std::string_view{};
      // The resolver of an indirect function has the name of the function. Without a name: objdump's spelling.
      return name.empty() ? fmt::format("*ABS*+{:#x}", resolver) : std::string(name);
    };
    for (const Section& section : file.sections())
      if (section.header.sh_type == SHT_RELA) add_relocations(file, section, format.type_irelative, name_of_resolver);
  }

  const std::string* name(std::uint64_t slot) const {
    const auto found = names_.find(slot);
    return found == names_.end() ? nullptr : &found->second;
  }

 private:
  void add_relocations(const ElfFile& file, const Section& section, std::uint32_t type_irelative,
                       const auto& name_of_resolver) {
    Elf_Data* relocations = file.data(section);
    const Section* dynsym = file.section(SHT_DYNSYM);
    if (relocations == nullptr || dynsym == nullptr) return;
    Elf_Data* dynamic_symbols = file.data(*dynsym);
    const std::size_t count = relocations->d_size / sizeof(Elf64_Rela);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, std::numeric_limits<int>::max()); ++i) {
      GElf_Rela relocation;
      if (gelf_getrela(relocations, static_cast<int>(i), &relocation) == nullptr) return;
      if (const auto symbol = GELF_R_SYM(relocation.r_info); symbol != 0) {
        add_symbol(file, *dynsym, dynamic_symbols, symbol, relocation);
      } else if (GELF_R_TYPE(relocation.r_info) == type_irelative) {
        names_.try_emplace(relocation.r_offset, name_of_resolver(static_cast<std::uint64_t>(relocation.r_addend)));
      }
    }
  }

  void add_symbol(const ElfFile& file, const Section& dynsym, Elf_Data* symbols, std::uint64_t index,
                  const GElf_Rela& relocation) {
    GElf_Sym symbol;
    if (symbols == nullptr || index > std::numeric_limits<int>::max()) return;
    if (gelf_getsym(symbols, static_cast<int>(index), &symbol) == nullptr) return;
    const std::string_view name = file.string(dynsym.header.sh_link, symbol.st_name);
    if (!name.empty()) names_.try_emplace(relocation.r_offset, name);
  }

  std::unordered_map<std::uint64_t, std::string> names_;
};

// Entries of .plt.got have no lazy part; without branch protection they are half as long.
std::uint32_t entry_size(const Section& section, const PltFormat& format) {
  const bool plausible = section.header.sh_entsize == 8 || section.header.sh_entsize == 16;
  return plausible ? static_cast<std::uint32_t>(section.header.sh_entsize) : format.entry_size;
}

void add_entries(const ElfFile& file, const Section& section, const PltFormat& format, const Slots& slots,
                 const Placement& place, SymbolTable& to) {
  const Bytes code = file.bytes(section);
  const std::uint32_t size = entry_size(section, format);
  const std::uint32_t header_size = section.name == ".plt" ? format.header_size : 0;
  if (const auto start = place(section.header.sh_addr, section); start && header_size != 0)
    to.add({*start, end_of(*start, header_size), ".plt", Binding::global});

  for (std::size_t at = header_size; at + size <= code.size(); at += size) {
    const std::uint64_t address = section.header.sh_addr + at;
    const auto slot = format.slot(code.subspan(at, size), address);
    const std::string* name = slot ? slots.name(*slot) : nullptr;
    const auto start = place(address, section);
    if (name != nullptr && start) to.add({*start, end_of(*start, size), to.own(*name + "@plt"), Binding::global});
  }
}

}  // namespace

void add_plt(const ElfFile& runtime, const Placement& place, SymbolTable& to) {
  const auto format = plt_format(runtime.header().e_machine);
  if (!format || runtime.header().e_ident[EI_CLASS] != ELFCLASS64) return;
  std::optional<Slots> slots;  // many files have no PLT at all (-fno-plt)
  for (const Section& section : runtime.sections()) {
    if (section.name != ".plt" && section.name != ".plt.sec" && section.name != ".plt.got") continue;
    if (runtime.bytes(section).empty()) continue;
    if (!slots) slots.emplace(runtime, *format, place, to);
    add_entries(runtime, section, *format, *slots, place, to);
  }
}

}  // namespace perfsift::symbolize
