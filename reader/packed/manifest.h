// The form of a packed recording: a tar archive, mostly compressed by zstd.
//
//   perfsift-pack.json   the manifest: what is inside, in the same order
//   recording/NAME       the recording, as perf wrote it; a folder of `record --threads`: each of its files
//   files/PATH           the files that names and stacks come from; `--symfs files` finds them in an unpacked archive
//   other/NUMBER         such files whose path cannot be the name of a member
//
// The manifest is JSON:
//
//   {"perfsift-pack": 1,                             the version of this form
//    "made_by": "perfsift 1.0.0",
//    "recording": [{"member": …, "size": …, "crc32": …, "modified": seconds since 1970}],
//    "files": [{"member": …, "size": …, "crc32": …, "path": …, "build_id": …, "for": [purpose, …]}],
//    "missing": [{"path": …, "build_id": …, "for": purpose, "why": …}]}
//
// A purpose says what a file is used for: symbolize/search/used_files.h. In strings, "%" and all bytes but printable
// ASCII are written as %XX, because paths need not be text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/binary.h"
#include "base/byte_reader.h"

namespace perfsift::reader {

inline constexpr std::string_view manifest_member = "perfsift-pack.json";
// Larger ones are refused. All members together: so that a small file cannot fill a disk.
inline constexpr std::uint64_t largest_manifest = std::uint64_t{64} << 20;
inline constexpr std::uint64_t most_unpacked = std::uint64_t{16} << 30;

// The checksum of bytes as gzip and zip have it: 8 lowercase hexadecimal digits.
std::string crc32_of(Bytes bytes);

// What the manifest says about a member.
struct ManifestMember {
  std::string member;  // its name in the archive
  std::uint64_t size = 0;
  std::string crc32;  // see crc32_of()
};

struct ManifestRecording : ManifestMember {
  std::int64_t modified_seconds = 0;
};

struct ManifestFile : ManifestMember {
  std::string path;  // on the machine that packed it
  BuildId build_id;
  std::vector<std::string> purposes;
};

struct ManifestMissing {
  std::string path;
  BuildId build_id;
  std::string purpose;
  std::string why;
};

struct Manifest {
  std::vector<ManifestRecording> recording;
  std::vector<ManifestFile> files;
  std::vector<ManifestMissing> missing;

  std::string json() const;
  // Throws InputError, which begins with `input`, if the text is no manifest, is of a later version, or is
  // contradictory.
  static Manifest parse(std::string_view text, const std::string& input);
};

}  // namespace perfsift::reader
