// Builds 64-bit ELF files, in this machine's byte order, from sections.
#pragma once

#include <string>
#include <vector>

#include <elf.h>

#include "tests/support/bytes.h"

namespace perfsift::test {

class ElfBuilder {
 public:
  // The fields of a section header, without its name. Sections are numbered from 1 in the order in which they are
  // added.
  struct Fields {
    std::uint32_t type = SHT_PROGBITS;
    std::uint64_t flags = 0;
    std::uint64_t address = 0;
    std::uint64_t offset = 0;  // minimum file offset; by default directly behind the previous section
    std::uint32_t link = 0;
    std::uint64_t entry_size = 0;
    std::uint64_t size = 0;  // 0: the size of the content
  };

  explicit ElfBuilder(std::uint16_t machine = EM_X86_64, std::uint16_t type = ET_DYN)
      : machine_(machine), type_(type) {}

  ElfBuilder& section(const std::string& name, Bytes content, std::uint64_t flags = 0, std::uint64_t address = 0) {
    return section(name, content, Fields{.flags = flags, .address = address});
  }
  ElfBuilder& section(const std::string& name, Bytes content, const Fields& fields) {
    sections_.push_back({name, {content.begin(), content.end()}, fields});
    return *this;
  }
  ElfBuilder& entry(std::uint64_t address) {
    entry_ = address;
    return *this;
  }
  ElfBuilder& segment(const Elf64_Phdr& segment) {
    segments_.push_back(segment);
    return *this;
  }

  std::vector<std::byte> take() const {
    std::vector<Section> sections = sections_;
    BytesBuilder names;
    names.zeros(1);
    for (const Section& section : sections_) names.text(section.name).zeros(1);
    sections.push_back({"", names.take(), {.type = SHT_STRTAB}});  // this section itself has no name

    BytesBuilder out;
    out.zeros(sizeof(Elf64_Ehdr)).bytes(std::as_bytes(std::span(segments_)));
    std::vector<Elf64_Shdr> headers(1);
    std::uint32_t name = 1;
    for (const Section& section : sections) {
      if (out.size() < section.fields.offset) out.zeros(section.fields.offset - out.size());
      Elf64_Shdr header = {};
      header.sh_name = section.name.empty() ? 0 : name;
      header.sh_type = section.fields.type;
      header.sh_flags = section.fields.flags;
      header.sh_addr = section.fields.address;
      header.sh_offset = out.size();
      header.sh_size = section.fields.size != 0 ? section.fields.size : section.content.size();
      header.sh_link = section.fields.link;
      header.sh_entsize = section.fields.entry_size;
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
    header.e_type = type_;
    header.e_machine = machine_;
    header.e_version = EV_CURRENT;
    header.e_entry = entry_;
    header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phoff = segments_.empty() ? 0 : sizeof header;
    header.e_phnum = static_cast<std::uint16_t>(segments_.size());
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
    Fields fields;
  };
  std::uint16_t machine_, type_;
  std::uint64_t entry_ = 0;
  std::vector<Section> sections_;
  std::vector<Elf64_Phdr> segments_;
};

}  // namespace perfsift::test
