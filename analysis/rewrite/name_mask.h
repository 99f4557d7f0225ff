// Names that tell nothing, in the place of those that do.
//
// A name becomes twelve hexadecimal digits that depend on it and on a secret key: equal names stay equal, within a
// recording and between recordings with the same key, and nobody without the key can try names out.
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

  // Of a thread, a host, an argument, a symbol. Fits where the kernel keeps the names of threads. An empty name stays.
  std::string name(std::string_view name) const;
  // Of a file, or of memory that is called like one: each folder by itself, so that it can be seen which files lie
  // together. What the kernel calls memory without a file ("[heap]", "//anon", "[vdso]") stays.
  std::string path(std::string_view path) const;
  // As long as it was.
  BuildId build_id(const BuildId& id) const;

 private:
  HashKey key_;
};

}  // namespace perfsift::analysis
