// The answers to a filter's questions about the current sample.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "dlfilters/abi.h"
#include "dlfilters/host/instruction.h"
#include "dlfilters/host/kernel_attr.h"
#include "dlfilters/host/locations.h"

namespace perfsift::dlfilter {

// The version of the interface: the layout of structs, and the functions.
enum class ApiVersion : std::uint8_t {
  v0,  // perf 5.14 to 5.19
  v1,  // perf 6.0 to 6.5
  v2,  // perf 6.6 and later
};

// Looks up nothing before a filter asks. Not thread-safe; the recording must outlive the object.
class Answers {
 public:
  // `filtered`: see RunOptions; may be empty.
  using Filtered = std::function<std::uint8_t(const reader::Sample&)>;
  Answers(const reader::Recording& recording, Locations& locations, ApiVersion api, Filtered filtered);

  // Makes `sample` the current sample.
  void begin(const reader::Sample& sample);

  const AddressLocation* ip();
  const AddressLocation* addr();  // nullptr where it is not known to be an address
  AddressLocation address(std::uint64_t address);
  // The bytes of the sample's instruction; empty if they cannot be read.
  Bytes instruction();
  // The innermost call of the sample's ip; nullptr, and line 0, when it is unknown.
  const char* source_line(std::uint32_t& line);
  const KernelAttr& attr();
  // Copies code at the address. The number of bytes copied; nothing if there is no code.
  std::optional<std::size_t> code(std::uint64_t address, std::span<std::byte> into);

  // The sizes of the structs in this version of the interface.
  std::uint32_t location_size() const {
    return api_ == ApiVersion::v2 ? AddressLocation::size_v2 : AddressLocation::size_v0;
  }

 private:
  const Locations::Thread& thread();
  const MappedAddress& ip_place();
  AddressLocation describe_place(const MappedAddress& place, std::uint64_t address) const;
  std::uint8_t filtered() const;

  const reader::Recording& recording_;
  Locations& locations_;
  ApiVersion api_;
  const Filtered filtered_;
  const reader::Sample* sample_ = nullptr;
  std::optional<Locations::Thread> thread_;
  std::optional<MappedAddress> ip_place_;
  std::optional<AddressLocation> ip_, addr_;
  std::unordered_map<const reader::Event*, KernelAttr> attrs_;
};

}  // namespace perfsift::dlfilter
