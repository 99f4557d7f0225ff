// The differential flame graph of perfsift diff.
#pragma once

#include <cstdint>

#include "analysis/comparison/comparison.h"
#include "analysis/comparison/joined_profile.h"
#include "analysis/profile/profile.h"
#include "analysis/samples/stack_options.h"
#include "output/files/output_file.h"
#include "output/flame/flame.h"

namespace perfsift::tools {

struct DiffPicture {
  // Texts that are missing get the usual ones. `reversed`: from the leaves.
  output::FlameOptions look = {.title = ""};
  analysis::ChangeOf what = analysis::ChangeOf::shares;
  analysis::FunctionNames names = analysis::FunctionNames::common;
  analysis::Weight weight = analysis::Weight::period;     // of the profiles
  std::uint64_t left_out_before = 0, left_out_after = 0;  // see samples_left_out()
  bool negated = false;                                   // red for less
  bool counts = false;                                    // of folded text: see take_counts_for_samples()
  unsigned threads = 1;
};

// Stacks of both sides in one picture. Frames whose change may be chance (Change::significant) are grey. Throws
// UsageError for several events.
void draw_difference(const analysis::Profile& before, const analysis::Profile& after, const DiffPicture& picture,
                     output::OutputFile& out);
void draw_difference(const analysis::JoinedProfile& joined, const DiffPicture& picture, output::OutputFile& out);

}  // namespace perfsift::tools
