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
    case SortKey::comm_nodigit:
      return "comm_nodigit";
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
    case SortKey::socket:
      return "socket";
    case SortKey::local_weight:
      return "local_weight";
    case SortKey::local_ins_lat:
      return "local_ins_lat";
    case SortKey::local_p_stage_cyc:
      return "local_p_stage_cyc";
    case SortKey::code_page_size:
      return "code_page_size";
    case SortKey::transaction:
      return "transaction";
    case SortKey::addr:
      return "addr";
  }
  return {};
}

std::optional<SampleNumber> number_behind(SortKey key) {
  switch (key) {
    case SortKey::socket:
      return SampleNumber::socket;
    case SortKey::local_weight:
      return SampleNumber::local_weight;
    case SortKey::local_ins_lat:
      return SampleNumber::local_ins_lat;
    case SortKey::local_p_stage_cyc:
      return SampleNumber::local_p_stage_cyc;
    case SortKey::code_page_size:
      return SampleNumber::code_page_size;
    case SortKey::transaction:
      return SampleNumber::transaction;
    case SortKey::addr:
      return SampleNumber::addr;
    default:
      return std::nullopt;
  }
}

}  // namespace perfsift::analysis
