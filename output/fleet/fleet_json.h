// The answers of perfsift fleet for programs.
#pragma once

#include "output/fleet/fleet_contents.h"
#include "output/json.h"

namespace perfsift::output {

// One object, with stable keys: see perfsift-fleet(1).
Json fleet_json(const FleetContents& contents);

}  // namespace perfsift::output
