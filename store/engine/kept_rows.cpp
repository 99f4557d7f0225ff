#include "store/engine/kept_rows.h"

#include <atomic>
#include <exception>

#include <fmt/format.h>

namespace perfsift::store {
namespace {

std::string new_table() {
  static std::atomic<unsigned> tables = 0;
  return fmt::format("kept_rows_{}", ++tables);
}

}  // namespace

KeptRows::KeptRows(Engine& engine, std::string_view sql, const Parameters& parameters) : engine_(engine) {
  if (!engine.is_alone()) {
    source_ = fmt::format("({})", sql);
    return;
  }
  source_ = new_table();
  engine.query(fmt::format("CREATE TEMPORARY TABLE {} ENGINE = Memory AS {}", source_, sql), parameters);
}

KeptRows::~KeptRows() {
  if (!engine_.is_alone()) return;
  try {
    engine_.query(fmt::format("DROP TEMPORARY TABLE {}", source_));
  } catch (const std::exception&) {  // the table ends with the engine
  }
}

}  // namespace perfsift::store
