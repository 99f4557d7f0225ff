#include "store/engine/sharded_engine.h"

#include "base/share_work.h"
#include "store/engine/row_division.h"

namespace perfsift::store {
namespace {

// Of threads, which mostly wait.
constexpr std::size_t most_at_once = 32;

template <typename Work>
void for_each_shard(std::size_t shards, Work&& work) {
  for_each_task(static_cast<unsigned>(std::min(shards, most_at_once)), shards, work);
}

}  // namespace

std::vector<std::string> ShardedEngine::query_shards(std::string_view sql, const Parameters& parameters) {
  std::vector<std::string> answers(shards_.size());
  for_each_shard(shards_.size(), [&](std::size_t shard) { answers[shard] = shards_[shard]->query(sql, parameters); });
  return answers;
}

void ShardedEngine::insert(const TableColumns& table, std::string_view rows) {
  const bool is_divided = !table.divided_by.empty();
  const std::vector<std::string> parts = is_divided ? divided(table, rows, shards_.size()) : std::vector<std::string>();
  for_each_shard(shards_.size(), [&](std::size_t shard) {
    shards_[shard]->insert(table, is_divided ? std::string_view(parts[shard]) : rows);
  });
}

}  // namespace perfsift::store
