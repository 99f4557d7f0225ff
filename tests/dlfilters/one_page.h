// Memory for records of tests under an emulator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/page_size.h"
#include "tests/support/emulated.h"

namespace perfsift::test {

// The same bytes, under an emulator in one page: modules ask the kernel whether the page before can be read
// (process_vm_readv()), which qemu cannot answer. Each further copy lies elsewhere. Shorter than a page.
inline std::vector<std::byte> in_one_page(std::vector<std::byte> bytes) {
  const auto crosses_pages = [](const std::vector<std::byte>& some) {
    return reinterpret_cast<std::uintptr_t>(some.data()) % page_size() + some.size() > page_size();
  };
  std::vector<std::vector<std::byte>> elsewhere;
  while (emulated() && crosses_pages(bytes)) {
    std::vector<std::byte> copy = bytes;
    elsewhere.push_back(std::exchange(bytes, std::move(copy)));
  }
  return bytes;
}

}  // namespace perfsift::test
