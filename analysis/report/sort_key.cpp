#include "analysis/report/sort_key.h"

namespace perfsift::analysis {

std::string_view name_of(SortKey key) {
  switch (key) {
    case SortKey::symbol:
      return "symbol";
    case SortKey::dso:
      return "dso";
    case SortKey::srcline:
      return "srcline";
    case SortKey::srcfile:
      return "srcfile";
    case SortKey::comm:
      return "comm";
    case SortKey::pid:
      return "pid";
    case SortKey::tgid:
      return "tgid";
    case SortKey::cpu:
      return "cpu";
    case SortKey::cgroup:
      return "cgroup";
    case SortKey::time:
      return "time";
    case SortKey::event:
      return "event";
  }
  return {};
}

}  // namespace perfsift::analysis
