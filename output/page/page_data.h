// What a page shows, in the form that its scripts read.
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

// When threads were not running: intervals in the order of their ends.
struct PageWaits {
  struct Thread {
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::string comm;
    std::uint64_t unknown = 0;  // nanoseconds during which it is not known whether the thread ran
  };
  struct Interval {
    std::uint32_t thread = 0;  // index into threads
    std::uint64_t start = 0;   // nanoseconds
    std::uint64_t length = 0;
    std::uint64_t run_queue = 0;  // the last part of it, in which the thread waited for a CPU
    std::uint64_t unknown = 0;    // a part of it in which the thread may have run
    bool is_whole = true;         // both ends were seen, and nothing between them is unknown
  };
  std::vector<Thread> threads;
  std::vector<Interval> intervals;
};

// An input of a page.
struct PageRecording {
  std::string name;
  std::vector<std::pair<std::string, std::string>> facts;  // what it is: label and text
  std::vector<std::string> quality;                        // what cannot be trusted: sentences
  const analysis::SampleIndex& samples;
  std::vector<analysis::Gap> gaps = {};
  std::optional<PageWaits> waits = {};
  bool is_reread = false;  // a recording in a file: its samples can be asked and saved again
  // The filter expressions that keep what is shown of a recording: all of them are true.
  std::vector<std::string> kept_by = {};
};

// The tree is one without frames of events, with one node for a function.
struct PageContents {
  std::string title;
  std::string command;                   // that makes the page again
  std::vector<std::string> naming = {};  // the words of that command that say where names come from
  std::string version;                   // of perfsift
  bool periods = true;                   // what amounts are: sums of periods, or samples
  const analysis::LeafTable& leaves;
  std::vector<PageRecording> recordings;
};

// The bytes that the scripts of a page read: the size of a description in JSON, as 4 bytes, the lowest first; the
// description; the columns that it describes. Equal contents give equal bytes, whatever the number of threads.
class PageData {
 public:
  PageData(const PageContents& contents, unsigned threads);

  // The description with its size: all texts of the page are in it.
  std::string_view description() const { return description_; }
  // All bytes, of parts behind each other.
  std::vector<GzipPart> parts() const;
  std::string bytes() const;

 private:
  std::string description_;  // and its size
  Columns columns_;
};

}  // namespace perfsift::output
