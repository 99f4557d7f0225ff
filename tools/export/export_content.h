// Puts together what an export is written from: the profile, its samples, and what is known about the recordings.
#pragma once

#include "analysis/profile/profile.h"
#include "analysis/samples/stack_options.h"
#include "analysis/table/sample_table.h"
#include "analysis/table/table_builder.h"
#include "output/export_source.h"
#include "symbolize/symbolizer.h"
#include "tools/export/export_format.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {

// Not thread-safe.
class ExportContent {
 public:
  // Only the parts of samples that the format writes will be kept.
  ExportContent(const ExportFormat& format, const FormatOptions& options);

  // Reads the inputs. Throws UsageError if an option does not fit the inputs. `lost_frames`: losses become stacks.
  void read(ProfileCommand& inputs, const analysis::StackOptions& stacks, bool lost_frames);
  // Reads one input in another way; `reading.rows` is not used. Throws InputError.
  InputReport read(const std::string& path, ProfileReading reading);
  // Reads the recordings again, but streams, for when threads ran on CPUs.
  void read_cpu_slices(const ProfileCommand& inputs);

  // `reports`: on the inputs that were read. The source lives as long as the content.
  output::ExportSource source(const std::vector<InputReport>& reports, unsigned threads) const;

 private:
  const analysis::TableShape shape_;
  const bool one_measure_;  // see ExportFormat
  analysis::Profile profile_;
  analysis::SampleTable table_;
  std::vector<offcpu::CpuSlice> slices_;
  analysis::Weight weight_ = analysis::Weight::period;
};

}  // namespace perfsift::tools
