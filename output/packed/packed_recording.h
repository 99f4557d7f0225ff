// Writes a recording with the files that its addresses need: see reader/packed/manifest.h for the form.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "output/files/output_file.h"
#include "reader/packed/manifest.h"
#include "reader/recording.h"
#include "symbolize/search/used_files.h"

namespace perfsift::output {

// What goes into a packed recording.
struct PackedContent {
  std::vector<reader::RecordingFile> recording;
  std::map<std::string, symbolize::UsedFile> used;  // by purpose; also those that are missing
  std::string symfs;                                // in front of the paths of files
};

// A member and its bytes, in the order in which they are written.
struct PackedMember {
  std::string name;
  Bytes bytes;
  std::int64_t modified_seconds = 0;
};

struct PackPlan {
  reader::Manifest manifest;
  std::vector<PackedMember> members;  // of the manifest; the bytes are those of the content

  std::uint64_t recording_size() const;
  std::uint64_t files_size() const;
};

// Throws InputError if the recording, or all of it together, is too large to be packed.
PackPlan plan_pack(const PackedContent& content);

// Writes the members, compressed by zstd, and returns how many bytes were written. The content of the plan must still
// live. Throws as OutputFile does.
std::uint64_t write_packed(const PackPlan& plan, OutputFile& out);

}  // namespace perfsift::output
