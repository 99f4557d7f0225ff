// Builds ELF files (of 64 bits, in this machine's byte order) from sections.
#pragma once

#include <string>
#include <vector>

#include <elf.h>

#include "tests/support/bytes.h"

namespace perfsift::test {

class ElfBuilder {
 public:
  ElfBuilder& section(const std::string& name, Bytes content, std::uint64_t flags = 0, std::uint64_t address = 0) {
    sections_.push_back({name, {content.begin(), content.end()}, flags, address});
    return *this;
  }

  std::vector<std::byte> take() const {
    std::vector<Section> sections = sections_;
    BytesBuilder names;
    names.zeros(1);
    for (const Section& section : sections_) names.text(section.name).zeros(1);
    sections.push_back({"", names.take(), 0, 0});  // the names themselves have none

    BytesBuilder out;
    out.zeros(sizeof(Elf64_Ehdr));
    std::vector<Elf64_Shdr> headers(1);
    std::uint32_t name = 1;
    for (const Section& section : sections) {
      Elf64_Shdr header = {};
      header.sh_name = section.name.empty() ? 0 : name;
      header.sh_type = section.name.empty() ? SHT_STRTAB : SHT_PROGBITS;
      header.sh_flags = section.flags;
      header.sh_addr = section.address;
      header.sh_offset = out.size();
      header.sh_size = section.content.size();
      header.sh_addralign = 1;
      headers.push_back(header);
      out.bytes(section.content);
      name += static_cast<std::uint32_t>(section.name.size()) + 1;
    }
    out.zeros((8 - out.size() % 8) % 8);

    Elf64_Ehdr header = {};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shoff = out.size();
    header.e_shnum = static_cast<std::uint16_t>(headers.size());
    header.e_shstrndx = static_cast<std::uint16_t>(headers.size() - 1);
    out.bytes(std::as_bytes(std::span(headers)));
    std::vector<std::byte> image = out.take();
    std::memcpy(image.data(), &header, sizeof header);
    return image;
  }

 private:
  struct Section {
    std::string name;
    std::vector<std::byte> content;
    std::uint64_t flags;
    std::uint64_t address;
  };
  std::vector<Section> sections_;
};

}  // namespace perfsift::test
