// The start of a recording: the header, the attr table, the feature sections.
//
// struct perf_file_header and perf_pipe_file_header in tools/perf/util/header.h; read by perf_session__read_header(),
// with check_magic_endian() and perf_file_header__read() for the old and the foreign forms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reader/features/features.h"

namespace perfsift::reader {

inline constexpr std::size_t pipe_header_size = 16;
inline constexpr std::size_t file_header_size = 104;
inline constexpr std::size_t section_size = 16;  // struct perf_file_section: offset, size

// Whether these first bytes (at least 16) of an input are the header of a recording in pipe form.
bool is_pipe_header(Bytes start);

// Decodes the header of a recording in file or pipe form. Throws InputError (with `path` in front) when the bytes are
// no recording, or when the values of the header are impossible.
FileHeader parse_file_header(Bytes file, const std::string& path);

struct AttrEntry {
  EventAttr attr;
  std::vector<std::uint64_t> ids;
};

// The attr table of a file. Entries outside the file are left out; `complete` becomes false when there are any.
std::vector<AttrEntry> read_attr_table(Bytes file, const FileHeader& header, bool& complete);

// Decodes every feature section that lies inside the file. Returns false when a section does not.
bool read_feature_sections(Bytes file, const FileHeader& header, Features& features);

}  // namespace perfsift::reader
