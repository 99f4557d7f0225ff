// Puts together what an export is written from: the profile, its samples, and what is known about the recordings.
#pragma once

#include "analysis/profile/profile.h"
#include "analysis/profile/sample_log.h"
#include "analysis/samples/stack_options.h"
#include "output/export_source.h"
#include "symbolize/symbolizer.h"
#include "tools/export/export_format.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {

// Not thread-safe.
class ExportContent {
 public:
  // Reads the inputs. Throws UsageError if an option does not fit the inputs. `lost_frames`: losses become stacks.
  void read(ProfileCommand& inputs, const analysis::StackOptions& stacks, bool lost_frames);
  // Reads one input in another way: what is read, without `reading.log`. Throws InputError.
  InputReport read(const std::string& path, ProfileReading reading);
  // Keeps only the parts of samples that the format writes. Call it before read().
  void prepare_for(const ExportFormat& format, const FormatOptions& options);
  // Sorts samples for formats that need the order of time.
  void sort_by_time();
  // Reads the recordings again, but streams, for when threads ran on CPUs.
  void read_cpu_slices(const ProfileCommand& inputs);

  // `reports`: on the inputs that were read. The source lives as long as the content.
  output::ExportSource source(const std::vector<InputReport>& reports, unsigned threads) const;

 private:
  analysis::Profile profile_;
  analysis::SampleLog log_;
  std::vector<offcpu::CpuSlice> slices_;
  analysis::Weight weight_ = analysis::Weight::period;
  bool one_measure_ = false;  // see ExportFormat
};

}  // namespace perfsift::tools
