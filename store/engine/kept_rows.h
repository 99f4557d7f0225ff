// The rows of a question that other questions are about.
//
// Servers answer each of these questions anew: making a table there needs a right that readers do not have. An engine
// in this process keeps the rows in a temporary table, so that they are added up once.
#pragma once

#include <string>
#include <string_view>

#include "store/engine/engine.h"

namespace perfsift::store {

class KeptRows {
 public:
  // `sql`: the question, with its parameters. The engine must live longer. Throws InputError.
  KeptRows(Engine& engine, std::string_view sql, const Parameters& parameters);
  ~KeptRows();
  KeptRows(const KeptRows&) = delete;
  KeptRows& operator=(const KeptRows&) = delete;

  // SQL: what a question about these rows has behind FROM. It needs the parameters, too.
  const std::string& source() const { return source_; }

 private:
  Engine& engine_;
  std::string source_;
};

}  // namespace perfsift::store
