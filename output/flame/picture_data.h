// The content of a picture as JSON, for the scripts that draw the picture: see tree.js.
#pragma once

#include "output/flame/flame.h"
#include "output/flame/layout.h"
#include "output/flame/palette.h"
#include "output/flame/picture.h"
#include "output/text_writer.h"

namespace perfsift::output {

// `palette`: of the frames; of a difference, only the nodes have colours. The JSON may stand in a script element.
void write_picture_data(const Picture& picture, const FlameOptions& options, const Measures& measures,
                        const Palette& palette, TextWriter& out);

}  // namespace perfsift::output
