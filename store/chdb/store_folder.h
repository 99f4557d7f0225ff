// The folder of a store, which one process uses at a time.
#pragma once

#include <cstdint>
#include <string>

#include "base/owned.h"

namespace perfsift::store::chdb {

enum class FolderUse : std::uint8_t {
  existing,  // a folder without a store is an error
  make,      // a new or empty folder becomes a store
};

// Locks the folder for this process, until the object ends. Waits up to a minute for another process. Throws
// InputError.
class StoreFolder {
 public:
  StoreFolder(const std::string& folder, FolderUse use);

 private:
  FileDescriptor lock_;
};

}  // namespace perfsift::store::chdb
