// The answers of perf. Functions that this version of perf does not have yet, or that a caller left out, give an empty
// answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "dlfilters/abi.h"

namespace perfsift::dlfilter {

// All but arguments() answer only while a filter is called.
class PerfFunctions {
 public:
  // `table`: as perf has filled it in; must live longer.
  explicit PerfFunctions(const Functions& table) : table_(table) {}

  // The arguments given by --dlarg. Throws Error if the program has no function for them.
  std::vector<std::string> arguments(void* context) const {
    if (table_.args == nullptr) throw Error("perf has left no table of functions; is it older than 5.14?");
    int count = 0;
    char** const values = table_.args(context, &count);
    if (values == nullptr) count = 0;
    return {values, values + count};
  }

  // struct perf_event_attr of the sample's event; nullptr: not known.
  const void* attr(void* context) const { return table_.attr != nullptr ? table_.attr(context) : nullptr; }

  // The location of the sample's ip, and the running thread; nullptr: not known.
  const AddressLocation* resolve_ip(void* context) const {
    const AddressLocation* const found = table_.resolve_ip != nullptr ? table_.resolve_ip(context) : nullptr;
    return found != nullptr && found->size >= AddressLocation::size_v0 ? found : nullptr;
  }

  // Calls use(const AddressLocation&) with the location of an address of the sample's thread, if perf knows it.
  template <typename Use>
  void resolve(void* context, std::uint64_t address, Use&& use) const {
    if (table_.resolve_address == nullptr) return;
    // A location must be given back, so it is asked for only if perf has the function for that.
    AddressLocation found{};
    found.size = table_.al_cleanup != nullptr ? AddressLocation::size_v2 : AddressLocation::size_v0;
    if (table_.resolve_address(context, address, &found) != 0) return;
    use(static_cast<const AddressLocation&>(found));
    if (table_.al_cleanup != nullptr) table_.al_cleanup(context, &found);
  }

  // The source file of the sample's ip, and its line; nullptr: not known. perf keeps the text forever, and often starts
  // a process to get it.
  const char* srcline(void* context, std::uint32_t& line) const {
    line = 0;
    return table_.srcline != nullptr ? table_.srcline(context, &line) : nullptr;
  }

 private:
  const Functions& table_;
};

}  // namespace perfsift::dlfilter
