// A store whose rows several servers share.
//
// This program divides and adds up, instead of a table of ClickHouse's engine Distributed: the servers need not know
// each other and need no configuration, a stack's samples are summed where they are, and the answer of a shard that is
// away is an error, never a smaller sum.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/engine/engine.h"

namespace perfsift::store {

class ShardedEngine : public Engine {
 public:
  // In the order of the shards. At least one.
  explicit ShardedEngine(std::vector<std::unique_ptr<Engine>> shards) : shards_(std::move(shards)) {}

  using Engine::query;
  using Engine::query_shards;
  std::string query(std::string_view sql, const Parameters& parameters) override {
    return shards_.front()->query(sql, parameters);
  }
  std::vector<std::string> query_shards(std::string_view sql, const Parameters& parameters) override;
  std::string query_alone(std::string_view sql, const Parameters& parameters) override {
    return shards_.front()->query_alone(sql, parameters);
  }
  std::size_t shards() const override { return shards_.size(); }
  void insert(const TableColumns& table, std::string_view rows) override;

 private:
  const std::vector<std::unique_ptr<Engine>> shards_;
};

}  // namespace perfsift::store
