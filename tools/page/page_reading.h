// The inputs of a page, read and arranged as a page needs them.
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

// Not thread-safe. Everything that contents() names lives as long as this object.
class PageReading {
 public:
  // `stacks`: how stacks are made; frames then tell lines. `command`: the command line of the run, for the page. Throws
  // what ProfileCommand::read() throws.
  PageReading(ProfileCommand& inputs, analysis::StackOptions stacks, const std::string& command);

  // Nothing of the inputs could be read, or has a sample.
  bool is_empty() const;
  const output::PageContents& contents() const { return *contents_; }
  const analysis::Profile& profile() const { return profile_; }
  // Whether the input is a recording, not text.
  bool is_recording(std::size_t recording) const { return sources_[recording].is_recording; }
  // What the options of the run keep of a recording: also --event, --kernel-only and --user-only.
  const std::vector<filter::FilterText>& kept_by(std::size_t recording) const { return sources_[recording].kept_by; }
  // Throws UsageError if the file is not the one that was read.
  void expect_unchanged(std::size_t recording) const;
  // Of the input with this number among ProfileCommand::paths() that is usable: see contents().recordings.
  const analysis::SampleIndex& samples(std::size_t recording) const { return indices_[recording]; }

 private:
  struct Source {
    bool is_recording = false;
    std::optional<symbolize::FileStamp> stamp;  // before it was read
    std::vector<filter::FilterText> kept_by;
  };

  void describe(const InputReport& report, const ReadInput& input, symbolize::Symbolizer& symbolizer, unsigned threads);

  analysis::Profile profile_;
  std::deque<ReadInput> read_;
  std::optional<analysis::CallTree> tree_;
  std::optional<analysis::LeafTable> leaves_;
  std::deque<analysis::SampleIndex> indices_;
  std::vector<Source> sources_;  // of contents().recordings
  std::optional<output::PageContents> contents_;
};

// Writes the page to a file.
void write_page(ProfileCommand& inputs, const PageReading& reading, const std::string& path);

// The words as a command line for a shell.
std::string command_line(const options::Arguments& words);

}  // namespace perfsift::tools
