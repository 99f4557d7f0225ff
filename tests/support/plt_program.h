// ELF files with a procedure linkage table (PLT), made by hand. They have all forms that linkers produce, also for
// processors whose linker is not installed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <elf.h>

namespace perfsift::test {

enum class PltForm : std::uint8_t {
  lazy,       // .plt: a header, then entries; each entry has a part that calls the dynamic linker
  now,        // .plt.got: short entries without that part; relocations R_…_GLOB_DAT fill the slots
  protected_  // .plt.sec (x86-64), or .plt whose entries begin with bti c (AArch64)
};

struct PltProgram {
  std::uint16_t machine = EM_X86_64;  // or EM_AARCH64
  PltForm form = PltForm::lazy;
  // The address of the resolver in the relocation of the third entry, which is an indirect function. Default: the
  // function `picked` of the program.
  std::optional<std::uint64_t> resolver = std::nullopt;
  std::uint16_t type = ET_DYN;

  // Addresses of the program. The whole file is loaded to `base`.
  static constexpr std::uint64_t base = 0x400000;
  static constexpr std::uint64_t plt = 0x400200;
  static constexpr std::uint64_t text = 0x400300;  // address of `picked`

  std::uint64_t entry(std::size_t number) const;  // 0: `first`, 1: `second`, 2: the function that the resolver picks
  std::vector<std::byte> image() const;
};

}  // namespace perfsift::test
