// The type of the payloads in a map: the one that the user names, or the only struct of the programs that has the size
// of a payload.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "record/bpf/btf.h"
#include "record/bpf/map_users.h"
#include "record/bpf/payload_layout.h"

namespace perfsift::record {

class TypeChoice {
 public:
  // `wanted`: the name that the user gives; empty: none. Throws UsageError if no program has the type, or the programs
  // have no types at all.
  TypeChoice(const std::string& map, const std::vector<MapProgram>& programs, std::string wanted);

  struct Chosen {
    std::optional<PayloadLayout> layout;  // nothing: payloads are shown as bytes
    std::string why;                      // a sentence for the user; empty: the user named the type
  };
  // Whether the user named the type, so that no payload is needed.
  bool is_named() const { return !wanted_.empty(); }
  // `raw_size`: of the raw data of the first sample. Throws UsageError if several types have the size.
  Chosen choose(std::size_t raw_size) const;

 private:
  const PayloadType* find_wanted() const;
  [[noreturn]] void refuse_wanted() const;
  std::vector<const PayloadType*> structs_of_size(std::size_t raw_size) const;

  std::string map_, wanted_, why_no_types_;
  std::vector<Btf> types_;
  std::vector<PayloadType> named_;
};

}  // namespace perfsift::record
