// The colours of flame graphs for scripts that draw with the same ones: see output/page/web/colours.js.
#pragma once

#include "output/json.h"

namespace perfsift::output {

// A shade is a pair of CSS colours, for light and for dark backgrounds.
//
//   kind, safe   by the name of the kind: shades
//   binary       shades for each hash of a binary's name, and for frames without a binary
//   change       what DifferencePalette computes with, and its shades by class
Json palette_shades();

}  // namespace perfsift::output
