#include "store/clickhouse/clickhouse_engine.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"
#include "base/number_in.h"
#include "base/percent_encoding.h"
#include "base/printable.h"
#include "base/random_key.h"
#include "store/clickhouse/zstd_text.h"
#include "store/engine/row_binary.h"

namespace perfsift::store::clickhouse {
namespace {

constexpr std::size_t most_answer_bytes = std::size_t{4} << 30;
constexpr std::size_t most_error_bytes = 600;
constexpr unsigned most_tries = 7;  // about 10 seconds together
constexpr std::chrono::milliseconds first_pause{100};

// Numbers of ClickHouse's errors (ErrorCodes.cpp).
constexpr int unknown_database = 81;
constexpr std::array of_users = {192, 193, 194, 516};  // unknown, wrong password, none, failed
constexpr int not_allowed = 497;
constexpr std::array of_old_servers = {46, 50, 62, 89, 115};  // unknown function, type, syntax, compression, setting
// Too many queries or parts, a query with this id runs, a network of the server, a table that is read-only for a while.
constexpr std::array of_a_while = {159, 202, 209, 210, 216, 242, 252, 319, 999};

// Old servers, and some proxies, give the text alone: "Code: 193, e.displayText() = …".
std::optional<int> exception_code(const HttpOutcome& outcome) {
  constexpr std::string_view before_code = "Code: ";
  std::string_view text = outcome.header("X-ClickHouse-Exception-Code");
  if (text.empty() && outcome.status != 200 && outcome.body.starts_with(before_code))
    text = std::string_view(outcome.body).substr(before_code.size());
  return take_number<int>(text);
}

bool may_succeed_later(const HttpOutcome& outcome) {
  if (outcome.status == 0) return outcome.is_temporary;
  const auto code = exception_code(outcome);
  if (code) return std::ranges::find(of_a_while, *code) != of_a_while.end();
  return outcome.status == 429 || outcome.status == 502 || outcome.status == 503 || outcome.status == 504;
}

// Clients that fail together do not come back together.
void pause_before(unsigned next_try) {
  static thread_local std::minstd_rand random(static_cast<std::minstd_rand::result_type>(random_key().front()));
  std::uniform_real_distribution<double> jitter(0.5, 1.5);
  std::this_thread::sleep_for(first_pause * (1u << (next_try - 1)) * jitter(random));
}

// What a user can do about an error.
std::string advice(std::optional<int> code, const Credentials& credentials) {
  if (!code) return "";
  if (std::ranges::find(of_users, *code) != of_users.end()) {
    return fmt::format(
        "; the user {}: ~/.config/perfsift/credentials, or CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, say who asks",
        credentials.user.empty() ? "was not named" : fmt::format("was '{}'", credentials.user));
  }
  if (*code == unknown_database) return "; perfsift store add makes the store";
  if (*code == not_allowed) return "; the user needs this right on the database";
  return "";
}

// Servers have no reason to send a password back. A proxy may show a request.
std::string without(std::string text, const std::string& secret) {
  if (secret.empty()) return text;
  for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at))
    text.replace(at, secret.size(), "…");
  return text;
}

// The first version that has all that stores use: DELETE FROM.
struct Version {
  unsigned year = 23, release = 3;
  auto operator<=>(const Version&) const = default;
};

std::optional<Version> version_in(std::string_view text) {
  const auto year = take_number<unsigned>(text);
  if (!year || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  const auto release = take_number<unsigned>(text);
  return release ? std::optional(Version{.year = *year, .release = *release}) : std::nullopt;
}

std::string token() {
  const auto key = random_key();
  return hex_digits(Hash128{.low = key[0], .high = key[1]});
}

}  // namespace

ClickhouseEngine::ClickhouseEngine(Server server, std::string database)
    : server_(std::move(server)), database_(std::move(database)), credentials_(credentials_for(server_.host)) {}

ClickhouseEngine::Settings ClickhouseEngine::settings_of(const Parameters& parameters) const {
  Settings settings = {{"database", database_}};
  for (const auto& [name, value] : parameters.all()) settings.emplace_back("param_" + name, value);
  return settings;
}

std::string ClickhouseEngine::query(std::string_view sql, const Parameters& parameters) {
  return ask(settings_of(parameters), sql, false);
}

// A server refuses a statement with the id of one that runs (ProcessList::insert()), and it is repeated then.
std::string ClickhouseEngine::query_alone(std::string_view sql, const Parameters& parameters) {
  Settings settings = settings_of(parameters);
  settings.emplace_back("query_id", "perfsift-" + hex_digits(database_));
  return ask(settings, sql, false);
}

void ClickhouseEngine::insert(const TableColumns& table, std::string_view rows) {
  if (rows.empty()) return;
  // Recordings of many years are in many parts.
  ask({{"database", database_},
       {"query", fmt::format("INSERT INTO {} FORMAT RowBinary", table.name)},
       {"insert_deduplication_token", token()},
       {"max_partitions_per_insert_block", "0"}},
      compressed(rows), true);
}

// A user without the right to make databases can use one that is there.
void ClickhouseEngine::make_database() {
  const std::string is_there = ask({{"param_name", hex_digits(database_)}},
                                   "SELECT count() FROM system.databases WHERE name = unhex({name:String})", false);
  if (RowReader(is_there).u64() == 0)
    ask({{"param_name", database_}}, "CREATE DATABASE IF NOT EXISTS {name:Identifier}", false);
}

std::string ClickhouseEngine::ask(const Settings& settings, std::string_view body, bool is_compressed) {
  std::string target = fmt::format(
      "/?default_format=RowBinary&wait_end_of_query=1&enable_http_compression=1&join_use_nulls=0"
      "&max_execution_time={}",
      HttpPost().to_answer.count());
  for (const auto& [name, value] : settings)
    target += fmt::format("&{}={}", percent_encoded(name), percent_encoded(value));
  for (unsigned tries = 1;; ++tries) {
    const HttpOutcome outcome = ask_once(target, body, is_compressed);
    const bool is_done = outcome.status == 200 && !exception_code(outcome);
    if (is_done) return answer_in(outcome);
    if (tries == most_tries || !may_succeed_later(outcome)) fail(outcome);
    pause_before(tries);
  }
}

HttpOutcome ClickhouseEngine::ask_once(const std::string& target, std::string_view body, bool is_compressed) const {
  HttpPost request{.target = target, .headers = {}, .body = body, .most_bytes = most_answer_bytes};
  request.headers.emplace_back("Accept-Encoding", "zstd");
  if (is_compressed) request.headers.emplace_back("Content-Encoding", "zstd");
  if (!credentials_.user.empty()) request.headers.emplace_back("X-ClickHouse-User", credentials_.user);
  if (!credentials_.password.empty()) request.headers.emplace_back("X-ClickHouse-Key", credentials_.password);
  return post(server_, request);
}

std::string ClickhouseEngine::answer_in(const HttpOutcome& outcome) const {
  const std::string_view encoding = outcome.header("Content-Encoding");
  if (encoding.empty()) return outcome.body;
  if (encoding != "zstd")
    throw InputError(
        printable(fmt::format("{}: the answer has an encoding that was not asked for: {}", server_.name(), encoding)));
  auto rows = expanded(outcome.body, most_answer_bytes);
  if (!rows) throw InputError(fmt::format("{}: the answer is damaged, or too large", server_.name()));
  return std::move(*rows);
}

// Empty: the server is not too old for a store, or does not say its version.
std::string ClickhouseEngine::why_too_old() const {
  const HttpOutcome outcome = ask_once("/", "SELECT version()", false);
  const auto version = version_in(outcome.body);
  if (outcome.status != 200 || !version || *version >= Version()) return "";
  return fmt::format("the server is ClickHouse {}, and a store needs {}.{} or later",
                     std::string_view(outcome.body).substr(0, outcome.body.find('\n')), Version().year,
                     Version().release);
}

// The message of the server is its first line, without what follows: its version and its stack.
void ClickhouseEngine::fail(const HttpOutcome& outcome) const {
  if (outcome.status == 0) throw InputError(fmt::format("{}: {}", server_.name(), printable(outcome.failure)));
  const auto code = exception_code(outcome);
  if (code && std::ranges::find(of_old_servers, *code) != of_old_servers.end()) {
    if (const std::string why = why_too_old(); !why.empty())
      throw InputError(fmt::format("{}: {}", server_.name(), printable(why)));
  }
  std::string text = outcome.body;
  if (outcome.header("Content-Encoding") == "zstd") text = expanded(outcome.body, 1 << 20).value_or("");
  text = text.substr(0, std::min(text.find('\n'), most_error_bytes));
  throw InputError(printable(
      without(fmt::format("{}: HTTP status {}: {}{}", server_.name(), outcome.status, text, advice(code, credentials_)),
              credentials_.password)));
}

}  // namespace perfsift::store::clickhouse
