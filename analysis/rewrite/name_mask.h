// Replaces names by masks that reveal nothing.
//
// A name becomes twelve hexadecimal digits that depend on the name and on a secret key. Equal names stay equal, within
// a recording and between recordings with the same key. Without the key, guessed names cannot be verified.
#pragma once

#include <string>
#include <string_view>

#include "analysis/rewrite/keyed_hash.h"
#include "base/binary.h"

namespace perfsift::analysis {

// Thread-safe.
class NameMask {
 public:
  explicit NameMask(const HashKey& key) : key_(key) {}

  // Masks the name of a thread, a host, an argument or a symbol. The mask fits into the kernel's field for thread
  // names. An empty name stays empty.
  std::string name(std::string_view name) const;
  // Masks the path of a file, or of memory with a path as its name. Each folder is masked separately, so files in one
  // folder still share it. The kernel's names for memory without a file ("[heap]", "//anon", "[vdso]") stay.
  std::string path(std::string_view path) const;
  // The mask has the length of `id`.
  BuildId build_id(const BuildId& id) const;

 private:
  HashKey key_;
};

}  // namespace perfsift::analysis
