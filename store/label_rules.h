// Labels that regular expressions find in paths of recordings and in their control groups. A file has one rule a line:
//
//   # The folders are hosts, and the files are named SERVICE-VERSION.data.
//   path   /(?P<host>[^/]+)/(?P<service>[^/]+)-(?P<version>[0-9.]+)\.data$
//   cgroup /kubepods/.*pod(?P<pod>[^/]+)/(?P<container>[^/]+)
//
// Each named group is a label. The syntax is that of RE2. Of several rules that find a label, the first one counts;
// paths count before control groups.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/recording_rows.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace perfsift::store {

// Thread-safe.
class LabelRules {
 public:
  LabelRules();  // without rules
  // Throws InputError, which names the file and the line.
  LabelRules(const std::string& file, std::string_view text);
  LabelRules(LabelRules&&) noexcept;
  LabelRules& operator=(LabelRules&&) noexcept;
  ~LabelRules();

  Labels labels_of_path(std::string_view path) const;
  // The labels of which all control groups of a recording give the same value.
  Labels labels_of_cgroups(std::span<const std::string_view> cgroups) const;

 private:
  using Rules = std::vector<std::unique_ptr<re2::RE2>>;

  Rules of_paths_, of_cgroups_;
};

// Throws UsageError for names that stand for something else in the address of a store, and for an empty one. `what`:
// the option or the rule.
void check_label_name(std::string_view name, std::string_view what);

}  // namespace perfsift::store
