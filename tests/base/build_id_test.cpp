// Build ids in notes and in ELF files. Layouts: elf(5).
#include "base/build_id.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "base/owned.h"
#include "tests/support/bytes.h"
#include "tests/support/elf_builder.h"
#include "tests/support/temporary.h"

namespace perfsift {
namespace {

std::vector<std::byte> note_of_gnu() {
  return test::BytesBuilder().u32(4).u32(4).u32(3).text("GNU").zeros(1).u32(0x04030201).take();
}

// An ELF file whose PT_NOTE segments are `notes`.
std::vector<std::byte> elf_with_notes(std::initializer_list<std::vector<std::byte>> notes) {
  constexpr std::uint64_t first = 512;
  test::ElfBuilder elf;
  std::uint64_t offset = first;
  for (const auto& note : notes) {
    elf.section(".note", note, test::ElfBuilder::Fields{.type = SHT_NOTE, .offset = offset});
    Elf64_Phdr segment = {};
    segment.p_type = PT_NOTE;
    segment.p_offset = offset;
    segment.p_filesz = note.size();
    elf.segment(segment);
    offset += note.size();
  }
  return elf.take();
}

TEST(BuildIds, AreFoundAmongOtherNotes) {
  const auto notes = test::BytesBuilder()
                         .u32(6)
                         .u32(5)
                         .u32(1)
                         .text("Xen")
                         .zeros(5)
                         .text("12345")
                         .zeros(3)
                         .u32(4)
                         .u32(4)
                         .u32(3)
                         .text("GNU")
                         .zeros(1)
                         .u32(0x04030201)
                         .take();
  EXPECT_EQ(build_id_of_notes(notes).hex(), "01020304");
  EXPECT_TRUE(build_id_of_notes(Bytes(notes).first(40)).empty());
  EXPECT_TRUE(build_id_of_notes({}).empty());
}

TEST(BuildIds, AreFoundInTheNoteSegmentsOfAnElfFile) {
  const auto other = test::BytesBuilder().u32(4).u32(4).u32(5).text("GNU").zeros(1).u32(7).take();
  const auto image = elf_with_notes({other, note_of_gnu()});
  EXPECT_EQ(build_id_of_elf(image).hex(), "01020304");

  const test::TemporaryDirectory folder;
  const FileDescriptor file(open(folder.write("elf", image).c_str(), O_RDONLY));
  EXPECT_EQ(build_id_of_elf(file.get()).hex(), "01020304");
}

TEST(BuildIds, AreEmptyForFilesThatEndTooEarly) {
  const auto image = elf_with_notes({note_of_gnu()});
  constexpr std::size_t end_of_notes = 512 + 20;
  for (std::size_t size = 0; size < end_of_notes; ++size)
    EXPECT_TRUE(build_id_of_elf(Bytes(image).first(size)).empty());
  EXPECT_FALSE(build_id_of_elf(Bytes(image).first(end_of_notes)).empty());
}

TEST(BuildIds, AreEmptyForImpossibleSizes) {
  auto image = elf_with_notes({note_of_gnu()});
  constexpr std::size_t offset_of_headers = 32, offset_in_segment = 64 + 8, size_in_segment = 64 + 32;
  for (const std::size_t field : {offset_of_headers, offset_in_segment, size_in_segment}) {
    auto changed = image;
    std::fill_n(changed.begin() + static_cast<std::ptrdiff_t>(field), 8, std::byte{0xff});
    const test::TemporaryDirectory folder;
    const FileDescriptor file(open(folder.write("elf", changed).c_str(), O_RDONLY));
    const bool only_longer = field == size_in_segment;  // the segment ends at the end of the file
    EXPECT_EQ(build_id_of_elf(changed).empty(), !only_longer);
    EXPECT_EQ(build_id_of_elf(file.get()).empty(), !only_longer);
  }
}

TEST(BuildIds, AreEmptyForTextsAndForeignByteOrder) {
  EXPECT_TRUE(build_id_of_elf(test::BytesBuilder().text("#!/bin/sh\nexit 0\n").view()).empty());
  auto image = elf_with_notes({note_of_gnu()});
  image[EI_DATA] = image[EI_DATA] == std::byte{ELFDATA2LSB} ? std::byte{ELFDATA2MSB} : std::byte{ELFDATA2LSB};
  EXPECT_TRUE(build_id_of_elf(image).empty());
}

}  // namespace
}  // namespace perfsift
