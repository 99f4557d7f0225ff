// Reads the inputs of a page, and arranges them as a page needs them.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "analysis/profile/profile.h"
#include "analysis/samples/stack_options.h"
#include "analysis/selection/leaf_table.h"
#include "analysis/selection/sample_index.h"
#include "filter/filter.h"
#include "output/page/page_data.h"
#include "symbolize/files/file_stamp.h"
#include "symbolize/symbolizer.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {

// Not thread-safe. Everything that contents() refers to lives as long as this object.
class PageReading {
 public:
  // `stacks`: how stacks are made, except that frames also have lines. `command`: the command line of the run, for the
  // page. Throws the exceptions of ProfileCommand::read().
  PageReading(ProfileCommand& inputs, analysis::StackOptions stacks, const std::string& command);

  // Whether no input could be read, or no input has a sample.
  bool is_empty() const;
  const output::PageContents& contents() const { return *contents_; }
  const analysis::Profile& profile() const { return profile_; }
  // Whether the input is a recording, not text.
  bool is_recording(std::size_t recording) const { return sources_[recording].is_recording; }
  // The filters of the run's options that a recording was read with, including --event, --kernel-only and --user-only.
  const std::vector<filter::FilterText>& kept_by(std::size_t recording) const { return sources_[recording].kept_by; }
  // Throws UsageError if the file is no longer the file that was read.
  void expect_unchanged(std::size_t recording) const;
  // The samples of a usable input, by its number in contents().recordings.
  const analysis::SampleIndex& samples(std::size_t recording) const { return indices_[recording]; }

 private:
  struct Source {
    bool is_recording = false;
    std::optional<symbolize::FileStamp> stamp;  // the file before it was read
    std::vector<filter::FilterText> kept_by;
  };

  void describe(const InputReport& report, const ReadInput& input, symbolize::Symbolizer& symbolizer, unsigned threads);

  analysis::Profile profile_;
  std::deque<ReadInput> read_;
  std::optional<analysis::CallTree> tree_;
  std::optional<analysis::LeafTable> leaves_;
  std::deque<analysis::SampleIndex> indices_;
  std::vector<Source> sources_;  // by contents().recordings
  std::optional<output::PageContents> contents_;
};

// Writes the page to a file.
void write_page(ProfileCommand& inputs, const PageReading& reading, const std::string& path);

// The words as a shell command line.
std::string command_line(const options::Arguments& words);

}  // namespace perfsift::tools
