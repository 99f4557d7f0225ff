// What perfsift fleet asks of a store: one service after the other, so that the memory is that of one service.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "output/fleet/fleet_contents.h"
#include "store/engine/engine.h"
#include "store/url.h"

namespace perfsift::tools {

// What is compared with what. Without both: of each service, the newest version with the one before.
struct FleetSides {
  std::optional<std::uint32_t> since;  // seconds since 1970: what was recorded from then on, with what was before
  std::string baseline;                // a part of an address, such as "version=1.1"; empty: none

  bool are_given() const { return since || !baseline.empty(); }
};

// Throws InputError, and UsageError if the address has several events. `tell`: is told which service is asked about.
output::FleetContents ask_fleet(store::Engine& engine, const store::StoreUrl& url, const FleetSides& sides,
                                const std::function<void(std::string_view service)>& tell);

}  // namespace perfsift::tools
