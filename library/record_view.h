// The current record, behind Record.
#pragma once

#include "reader/format/record.h"

namespace perfsift::v0::detail {

struct RecordView {
  const reader::Record& record;
  reader::SampleId id;
};

}  // namespace perfsift::v0::detail
