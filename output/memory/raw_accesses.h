// Single memory accesses: time, thread, code, data, latency and source.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/memory/memory_cells.h"
#include "analysis/profile/profile.h"
#include "analysis/samples/memory_nodes.h"
#include "analysis/samples/thread_cache.h"
#include "output/text_writer.h"
#include "reader/recording.h"

namespace perfsift::output {

enum class RawForm : std::uint8_t { text, json_lines, csv };

// Prints accesses in the order of their samples. Not thread-safe. The arguments must live longer.
class RawAccesses : public reader::OrderedVisitor {
 public:
  RawAccesses(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, analysis::Profile& texts,
              RawForm form, TextWriter& out);

  // The names of the columns, for RawForm::csv.
  void write_header();

  void sample(const reader::Sample& sample) override;
  std::uint64_t printed() const { return printed_; }

 private:
  void text(const reader::Sample& sample, const analysis::MemoryAccess& access);
  void csv(const reader::Sample& sample, const analysis::MemoryAccess& access);
  void json(const reader::Sample& sample, const analysis::MemoryAccess& access);
  std::string_view cell(analysis::Key key) { return cells_.text(cells_.cell(key)); }

  const analysis::MemoryNodes nodes_;
  analysis::MemoryCells cells_;
  analysis::ThreadCache threads_;
  analysis::MemoryEvents events_;
  const RawForm form_;
  TextWriter& out_;
  std::uint64_t printed_ = 0;
};

}  // namespace perfsift::output
