// The data at an address: a variable, or memory of some kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/samples/code_names.h"
#include "reader/recording.h"

namespace perfsift::analysis {

enum class DataKind : std::uint8_t {
  file,       // the data of a program or library, or a mapped file
  stack,      // the stack of the process's first thread, or of the thread of the access
  heap,       // grown by brk()
  anonymous,  // other memory without a file: large blocks of malloc(), stacks of other threads
  shared,     // memory that processes share and that has no file on a disk
  vdso,
  kernel,
  unmapped,  // no mapping was recorded
};

std::string_view name_of(DataKind kind);
// The kind of a user mapping. `shared`: MAP_SHARED.
DataKind kind_of_mapping(std::string_view path, BinaryKind kind, bool shared);
// The text for data without a symbol. `path`: the file of the data. `stack_of`: the thread, for DataKind::stack.
std::string unnamed_data(DataKind kind, std::string_view path, std::int32_t stack_of);

struct DataPlace {
  DataKind kind = DataKind::unmapped;
  // The mapping. For variables without an initial value (.bss) it is the binary that the memory belongs to. The symbol
  // is nullptr if the data has no name.
  CodeLocation location;
  bool shared_mapping = false;      // other processes may see the same memory at other addresses
  std::int32_t stack_of = -1;       // the thread, for DataKind::stack
  std::uint64_t shared_offset = 0;  // the offset of the address in a shared mapping
  AddressRange range;               // the addresses around it with the same place, except for offsets

  bool mapped() const { return kind != DataKind::unmapped; }
  // The place of another address in the range.
  DataPlace at(std::uint64_t address) const;
};

// The source texts of a variable.
struct SourceTexts {
  std::string path;         // the accessed part of the variable: ".book.bid"; empty if not known
  std::string declaration;  // "book.c:12", "[unknown]"
};

// Not thread-safe. Each thread has its own object. The recording and the names must live longer.
class DataPlaces {
 public:
  DataPlaces(const reader::Recording& recording, CodeNames& names);

  // The place of sample.addr. `thread`: the sample's thread at the time of the sample.
  DataPlace of(const reader::Sample& sample, const reader::ThreadState& thread);

  // The name of the variable. Data without a symbol has "[heap]", "[stack of 7]" or "[libc.so.6]".
  std::string variable(const DataPlace& place);
  // The source texts of the variable, from debug information.
  SourceTexts source_texts(const DataPlace& place);
  // The text of perf mem report: "counters+0x8", or the address if there is no symbol.
  std::string symbol_and_offset(const DataPlace& place, std::uint64_t address);
  // The section of the data's file: ".bss". "[unknown]" for memory without a file.
  std::string section(const DataPlace& place);
  // The mapping of the data: "0x404000-0x405000", or "[unknown]".
  static std::string mapping(const DataPlace& place);
  // The file of the data, in the form of perf mem report: "libc.so.6", "//anon", "[heap]", "[unknown]".
  std::string binary(const DataPlace& place) const;

 private:
  void look_in_bss(const reader::ThreadState& thread, DataPlace& place);
  bool is_first_heap(const reader::Mapping& memory, const reader::ThreadState& thread) const;
  bool is_own_stack(const reader::Sample& sample, const reader::Mapping& memory) const;

  const reader::Timeline& timeline_;
  CodeNames& names_;
  const std::string& machine_;
};

}  // namespace perfsift::analysis
