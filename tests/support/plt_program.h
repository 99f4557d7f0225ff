// ELF files with a procedure linkage table, made by hand: in all forms that linkers give it, for processors whose
// linker is not here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <elf.h>

namespace perfsift::test {

enum class PltForm : std::uint8_t {
  lazy,       // .plt: a header, then entries of which each has a part that calls the dynamic linker
  now,        // .plt.got: short entries without that part, slots by R_…_GLOB_DAT
  protected_  // .plt.sec (x86-64), or .plt whose entries begin with bti c (AArch64)
};

struct PltProgram {
  std::uint16_t machine = EM_X86_64;  // or EM_AARCH64
  PltForm form = PltForm::lazy;
  // Where the relocation of the third entry, an indirect function, says that its resolver is. Nothing: at the function
  // `picked` of the program.
  std::optional<std::uint64_t> resolver = std::nullopt;
  std::uint16_t type = ET_DYN;

  // Addresses of the program. The file is loaded whole to `base`.
  static constexpr std::uint64_t base = 0x400000;
  static constexpr std::uint64_t plt = 0x400200;
  static constexpr std::uint64_t text = 0x400300;  // here is `picked`

  std::uint64_t entry(std::size_t number) const;  // 0: to `first`, 1: to `second`, 2: to what the resolver picks
  std::vector<std::byte> image() const;
};

}  // namespace perfsift::test
