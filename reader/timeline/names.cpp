#include "reader/timeline/names.h"

namespace perfsift::reader {

NameId Names::intern(std::string_view name) {
  if (const auto known = ids_.find(name); known != ids_.end()) return known->second;
  const NameId id = count();
  ids_.emplace(names_.emplace_back(name), id);
  return id;
}

}  // namespace perfsift::reader
