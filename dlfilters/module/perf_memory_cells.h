// The texts of a memory access, by what perf says of it. The counterpart of analysis::MemoryCells.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/memory/data_place.h"
#include "analysis/samples/frame_table.h"
#include "analysis/table/key.h"
#include "dlfilters/module/perf_sample.h"

namespace perfsift::dlfilter {

// Not thread-safe. perf's texts are known by their address: see TextCopies.
class PerfMemoryCells {
 public:
  explicit PerfMemoryCells(analysis::FrameTable& texts) : texts_(texts) {}

  // Sets the sample of all following queries.
  void set(PerfSample& sample);
  // The number of the text, for those keys of output::overview_tables() that are about code and data.
  analysis::FrameId cell(analysis::Key key);
  // Whether code and data lie in mappings.
  bool mapped() const { return code_->mapped && data_->kind != analysis::DataKind::unmapped; }

 private:
  struct Code {
    bool mapped = false;
    analysis::FrameId symbol = 0, dso = 0;
  };
  struct Data {
    analysis::DataKind kind = analysis::DataKind::unmapped;
    analysis::FrameId variable = 0, kind_name = 0, dso = 0;
  };

  const Code& code_of(const LocationName& name);
  const Data& data_of(const LocationName& name, std::int32_t pid);
  analysis::FrameId short_name(std::string_view dso);

  analysis::FrameTable& texts_;
  const Code* code_ = nullptr;
  const Data* data_ = nullptr;
  std::map<std::pair<const char*, const char*>, Code> codes_;
  std::map<std::tuple<const char*, const char*, bool, std::int32_t>, Data> datas_;
};

}  // namespace perfsift::dlfilter
