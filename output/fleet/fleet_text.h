// The answers of perfsift fleet for people.
#pragma once

#include "output/fleet/fleet_contents.h"
#include "output/text_writer.h"

namespace perfsift::output {

void write_fleet_text(const FleetContents& contents, TextWriter& out);

}  // namespace perfsift::output
