// The contents of a page, in the form that its scripts read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "analysis/selection/gaps.h"
#include "analysis/selection/leaf_table.h"
#include "analysis/selection/sample_index.h"
#include "output/page/columns.h"

namespace perfsift::output {

// The intervals in which threads were not running, in the order of their ends.
struct PageWaits {
  struct Thread {
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::string comm;
    std::uint64_t unknown = 0;  // nanoseconds: it is not known whether the thread ran
  };
  struct Interval {
    std::uint32_t thread = 0;  // index into threads
    std::uint64_t start = 0;   // nanoseconds
    std::uint64_t length = 0;
    std::uint64_t run_queue = 0;  // the end of the interval, in which the thread waited for a CPU
    std::uint64_t unknown = 0;    // the part of the interval in which the thread may have run
    bool is_whole = true;         // both ends were recorded, and nothing between them is unknown
  };
  std::vector<Thread> threads;
  std::vector<Interval> intervals;
};

// An input of a page.
struct PageRecording {
  std::string name;
  std::vector<std::pair<std::string, std::string>> facts;  // facts about the input: label and text
  std::vector<std::string> quality;                        // sentences about limits of the data's quality
  const analysis::SampleIndex& samples;
  std::vector<analysis::Gap> gaps = {};
  std::optional<PageWaits> waits = {};
  bool is_reread = false;  // a recording in a file, so samples can be read and saved again
  // The filter expressions of the shown part of a recording, which are all true.
  std::vector<std::string> kept_by = {};
};

// The tree has no frames of events, and one node per function.
struct PageContents {
  std::string title;
  std::string command;                   // the command that makes the page again
  std::vector<std::string> naming = {};  // the words of the command that say where names come from
  std::string version;                   // the version of perfsift
  bool periods = true;                   // amounts are sums of periods, not only samples
  const analysis::LeafTable& leaves;
  std::vector<PageRecording> recordings;
};

// The bytes that the scripts of a page read: the size of a JSON description as 4 bytes in little-endian order, the
// description, and the columns that it describes. Equal contents give equal bytes with any number of threads.
class PageData {
 public:
  PageData(const PageContents& contents, unsigned threads);

  // The description, preceded by its size. All texts of the page are in the description.
  std::string_view description() const { return description_; }
  // All bytes, as consecutive parts.
  std::vector<GzipPart> parts() const;
  std::string bytes() const;

 private:
  std::string description_;  // preceded by its size
  Columns columns_;
};

}  // namespace perfsift::output
