// An engine that remembers what it is asked, and answers what a test says.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "store/engine/engine.h"

namespace perfsift::test {

class FakeEngine : public store::Engine {
 public:
  using Engine::query;
  // The error, or the answer, of the first prepared question that is a part of the SQL; no rows otherwise.
  std::string query(std::string_view sql, const store::Parameters& parameters) override {
    asked.emplace_back(sql);
    last_parameters = parameters.all();
    for (const auto& [question, error] : errors) {
      if (sql.find(question) != std::string_view::npos) throw InputError(error);
    }
    for (const auto& [question, answer] : answers) {
      if (sql.find(question) != std::string_view::npos) return answer;
    }
    return {};
  }
  void insert(const store::TableColumns& table, std::string_view rows) override {
    if (table.name == fails_at) throw InputError("the disk is full");
    inserted.emplace_back(table.name, rows);
  }
  std::vector<std::string> tables() const {
    std::vector<std::string> names;
    for (const auto& [name, rows] : inserted) names.push_back(name);
    return names;
  }

  std::vector<std::pair<std::string, std::string>> answers, errors;
  std::vector<std::string> asked;
  std::vector<std::pair<std::string, std::string>> last_parameters;
  std::vector<std::pair<std::string, std::string>> inserted;
  std::string fails_at;
};

// As if the engine were in this process.
class LockedEngine : public FakeEngine {
 public:
  bool is_alone() const override { return true; }
};

}  // namespace perfsift::test
