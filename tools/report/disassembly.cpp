#include "tools/report/disassembly.h"

#include <algorithm>

#include <elf.h>
#include <fmt/format.h>

#include "symbolize/elf/relocation.h"
#include "symbolize/files/missing.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/search/vdso.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::tools {

namespace {

// The contents of a section from an address on.
Bytes contents_from(const symbolize::ElfFile& file, const symbolize::ElfFile::Section& section, std::uint64_t address) {
  const GElf_Shdr& header = section.header;
  const Bytes image = file.image();
  if (header.sh_type == SHT_NOBITS || header.sh_offset > image.size()) return {};
  const Bytes contents =
      image.subspan(header.sh_offset).first(std::min<std::uint64_t>(header.sh_size, image.size() - header.sh_offset));
  return contents.subspan(std::min<std::uint64_t>(address - header.sh_addr, contents.size()));
}

// What the code of a relocatable file refers to. Its instructions have no addresses yet.
class References {
 public:
  // `section`: nullptr: none.
  References(const symbolize::ElfFile& file, const symbolize::ElfFile::Section* section) {
    if (section == nullptr || !file.is_relocatable()) return;
    start_ = section->header.sh_addr;
    all_ = symbolize::references_of(file, *section);
  }

  // " # f" or " # f+0x10" for what the instruction between two addresses refers to; empty: nothing.
  std::string text(std::uint64_t from, std::uint64_t until) const {
    const auto reference = std::ranges::lower_bound(all_, from - start_, {}, &symbolize::Reference::offset);
    if (reference == all_.end() || reference->offset >= until - start_) return {};
    std::uint64_t distance = reference->addend;
    if (reference->relative) distance += until - start_ - reference->offset;
    if (distance == 0) return fmt::format("  # {}", reference->symbol);
    const bool is_before = distance >> 63 != 0;
    return fmt::format("  # {}{}{:#x}", reference->symbol, is_before ? '-' : '+', is_before ? -distance : distance);
  }

 private:
  std::uint64_t start_ = 0;  // of the section
  std::vector<symbolize::Reference> all_;
};

}  // namespace

Disassembly::Disassembly(const Binary& binary, const symbolize::SymbolFile& names,
                         const symbolize::SymbolizeOptions& options)
    : names_(names) {
  open(binary, options);
  if (file_ == nullptr) return;
  const std::uint16_t machine = file_->header().e_machine;
  decoder_ = decoder_of(machine);
  if (decoder_ != nullptr) return;
  why_not_ = machine == EM_AARCH64 ? why_no_aarch64_decoder() : "only code for x86 and aarch64 is disassembled";
  file_ = nullptr;
}

void Disassembly::open(const Binary& binary, const symbolize::SymbolizeOptions& options) {
  if (is_kernel(binary.kind)) {
    const auto& code = names_.linked_code();
    if (!code) {
      why_not_ = binary.kind == BinaryKind::kernel ? "only a vmlinux has the kernel's code: give it by --vmlinux"
                                                   : "the module's file is not on this machine";
      return;
    }
    if (!code->file->has_contents()) {
      why_not_ = "the debug file has symbols without the code: " + code->file->path();
      return;
    }
    file_ = code->file;
    moved_by_ = code->moved_by;
    return;
  }
  symbolize::Missing missing = symbolize::Missing::none;
  if (binary.kind == BinaryKind::vdso) {
    file_ = symbolize::find_vdso(binary, options, missing);
  } else {
    symbolize::FoundFiles found = symbolize::find_files(binary, options);
    file_ = std::move(found.runtime);
    missing = found.missing;
  }
  if (file_ == nullptr) why_not_ = symbolize::describe(missing);
}

std::vector<Instruction> Disassembly::instructions(std::uint64_t from, std::uint64_t until) const {
  std::vector<Instruction> all;
  if (file_ == nullptr) return all;
  Bytes code = code_at(from);
  code = code.first(std::min<std::uint64_t>(code.size(), until - from));
  const References references(*file_, section_at(from));
  for (std::uint64_t offset = from; !code.empty();) {
    auto decoded = decoder_->decode(code.first(std::min(decoder_->longest(), code.size())), address(offset));
    const std::uint64_t at = offset;
    const std::size_t length = decoded ? decoded->length : 1;
    offset += length;
    code = code.subspan(length);
    if (!decoded) continue;
    const std::string reference = references.text(address(at), address(offset));
    decoded->text += reference;
    if (reference.empty()) {
      for (const Target& target : decoded->targets) decoded->text += text_of(target);
    }
    all.push_back({.offset = at, .address = address(at), .length = decoded->length, .text = std::move(decoded->text)});
  }
  return all;
}

const symbolize::ElfFile::Section* Disassembly::section_at(std::uint64_t offset) const {
  if (!moved_by_) return nullptr;
  const auto found = std::ranges::find_if(file_->sections(), [at = address(offset)](const auto& section) {
    return holds_code(section) && at >= section.header.sh_addr && at - section.header.sh_addr < section.header.sh_size;
  });
  return found != file_->sections().end() ? &*found : nullptr;
}

Bytes Disassembly::code_at(std::uint64_t offset) const {
  if (!moved_by_) return file_->image().subspan(std::min<std::uint64_t>(offset, file_->image().size()));
  const symbolize::ElfFile::Section* const section = section_at(offset);
  return section != nullptr ? contents_from(*file_, *section, address(offset)) : Bytes();
}

// " <f>" or " <f+0x10>", as objdump writes it.
std::string Disassembly::text_of(const Target& target) const {
  std::string text = target.shown ? "" : fmt::format("  # {:#x}", target.address);
  const auto offset = offset_of(target.address);
  const symbolize::Symbol* const symbol = offset ? names_.find(*offset) : nullptr;
  if (symbol == nullptr) return text;
  const std::string name =
      names_.mangled() ? symbolize::demangle(symbol->name, symbolize::DemangleStyle::plain) : std::string(symbol->name);
  const std::uint64_t distance = *offset - symbol->start;
  return text + (distance != 0 ? fmt::format(" <{}+{:#x}>", name, distance) : fmt::format(" <{}>", name));
}

std::uint64_t Disassembly::address(std::uint64_t offset) const {
  if (moved_by_) return offset - *moved_by_;
  return file_ != nullptr ? file_->address(offset).value_or(offset) : offset;
}

std::optional<std::uint64_t> Disassembly::offset_of(std::uint64_t address) const {
  return moved_by_ ? std::optional(address + *moved_by_) : file_->file_offset(address);
}

}  // namespace perfsift::tools
