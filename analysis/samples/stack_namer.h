// Names the frames of whole stacks.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/samples/address_context.h"
#include "analysis/samples/address_table.h"
#include "analysis/samples/code_versions.h"
#include "analysis/samples/frame_namer.h"
#include "reader/callchain.h"
#include "reader/timeline/timeline.h"

namespace perfsift::analysis {

// All that decides the names of a stack, except its addresses.
struct CodeOwner {
  reader::NameId comm = 0;
  reader::MapsVersion maps = 0;
  reader::MapsVersion kernel_maps = 0;
  std::uint32_t code_version = 0;  // see CodeVersions
};

// Each address is named once. Not thread-safe. All constructor arguments must live longer.
class StackNamer {
 public:
  StackNamer(FrameNamer& namer, const CodeVersions& versions) : namer_(namer), versions_(versions) {}

  // Appends the frames of a part, leaf first, inlined calls as frames of their own. `owner`: a CodeOwner, or
  // another type with its members.
  template <typename Owner>
  void append(const Owner& owner, const reader::CallchainPart& part, std::vector<FrameId>& frames) {
    auto addresses = part.addresses;
    if (part.starts_a_call && !addresses.empty()) {
      append(name(owner, part, addresses.front(), false), frames);
      addresses = addresses.subspan(1);
    }
    if (addresses.empty()) return;
    AddressTable& known = addresses_.of(address_context(owner, part, true));
    for (const std::uint64_t ip : addresses) append(name(known, owner, part, ip, true), frames);
  }

  // The frame of one address, as FrameNamer::name() gives it.
  template <typename Owner>
  FrameNamer::Named name(const Owner& owner, const reader::CallchainPart& part, std::uint64_t ip, bool return_address) {
    return name(addresses_.of(address_context(owner, part, return_address)), owner, part, ip, return_address);
  }
  void append(const FrameNamer::Named& named, std::vector<FrameId>& frames) const {
    if (!named.is_group()) return frames.push_back(named.frame);
    const auto group = namer_.group(named.frame);
    frames.insert(frames.end(), group.begin(), group.end());
  }

 private:
  template <typename Owner>
  FrameNamer::Named name(AddressTable& known, const Owner& owner, const reader::CallchainPart& part, std::uint64_t ip,
                         bool return_address) {
    return known.find(ip, [&] {
      const reader::ThreadState state{.comm = owner.comm, .maps = owner.maps, .kernel_maps = owner.kernel_maps};
      return namer_.name(state, {.mode = part.mode,
                                 .ip = ip,
                                 .return_address = return_address,
                                 .note = part.note,
                                 .code_time = versions_.time_in(owner.code_version)});
    });
  }

  FrameNamer& namer_;
  const CodeVersions& versions_;
  AddressTables addresses_;
};

}  // namespace perfsift::analysis
