// Names, each stored once and identified by a number.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "reader/timeline/timeline.h"

namespace perfsift::reader {

class Names {
 public:
  static constexpr NameId none = 0;

  NameId intern(std::string_view name);
  std::string_view operator[](NameId id) const { return names_[id]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(names_.size()); }

 private:
  std::deque<std::string> names_ = {""};  // a deque never moves its strings, so views of them stay valid
  std::unordered_map<std::string_view, NameId> ids_;
};

}  // namespace perfsift::reader
