// A store in a database of one server of ClickHouse, by its interface over HTTP.
//
// A statement is the body of a POST, its parameters are in the query, and the answer is RowBinary. The server sends an
// answer when it has all of it (wait_end_of_query), so that an error never comes after rows. A request that may have
// failed for a while is repeated; all statements of a store can be: an insert has a token by which the server knows
// rows that it has already.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "store/clickhouse/credentials.h"
#include "store/clickhouse/http_post.h"
#include "store/engine/engine.h"

namespace perfsift::store::clickhouse {

class ClickhouseEngine : public Engine {
 public:
  ClickhouseEngine(Server server, std::string database);

  using Engine::query;
  std::string query(std::string_view sql, const Parameters& parameters) override;
  std::string query_alone(std::string_view sql, const Parameters& parameters) override;
  void insert(const TableColumns& table, std::string_view rows) override;
  // Makes the database if it is not there.
  void make_database();

 private:
  // Names and values of the query of a URL.
  using Settings = std::vector<std::pair<std::string, std::string>>;

  Settings settings_of(const Parameters& parameters) const;
  std::string ask(const Settings& settings, std::string_view body, bool is_compressed);
  HttpOutcome ask_once(const std::string& target, std::string_view body, bool is_compressed) const;
  std::string answer_in(const HttpOutcome& outcome) const;
  std::string why_too_old() const;
  [[noreturn]] void fail(const HttpOutcome& outcome) const;

  const Server server_;
  const std::string database_;
  const Credentials credentials_;
};

}  // namespace perfsift::store::clickhouse
