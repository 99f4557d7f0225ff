// A field of a tracepoint, as declared by the kernel's description of the tracepoint (the file `format` in tracefs).
#pragma once

#include <cstddef>
#include <string>

namespace perfsift::reader {

struct TracepointField {
  std::string name;
  std::string type;              // as in the kernel's source: "pid_t", "char[16]", "__data_loc char[]"
  std::size_t offset = 0;        // in the raw data
  std::size_t size = 0;          // in bytes
  std::size_t element_size = 0;  // of arrays
  bool is_signed = false;
  bool is_string = false;
  bool is_array = false;
  bool is_dynamic = false;  // `offset` is the place of a word that gives the offset and length of the content
  bool is_relative =
      false;  // dynamic: the offset of the content counts from the end of the field, not from the start of the raw data
  bool is_common = false;  // every tracepoint has the field: common_type, common_pid, …
};

}  // namespace perfsift::reader
