// Asks a server of ClickHouse on this machine as stores do, for tests.
//   clickhouse_client PORT query DATABASE SQL          writes the rows of the answer
//   clickhouse_client PORT insert DATABASE TABLE       inserts rows of RowBinary from standard input
//   clickhouse_client PORT post TARGET [NAME VALUE]…   sends standard input with these headers, and writes the answer
// Ends with 3, and an error in one line, where the server refuses or breaks off. Of a post, the error is the status of
// the answer, which is written, too.

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "store/clickhouse/clickhouse_engine.h"
#include "store/clickhouse/http_post.h"

namespace {

using namespace perfsift::store;

std::string standard_input() { return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()}; }

void post(const clickhouse::Server& server, const std::vector<std::string>& words) {
  const std::string body = standard_input();
  clickhouse::HttpPost request{.target = words.at(0), .headers = {}, .body = body, .most_bytes = std::size_t{1} << 30};
  for (std::size_t i = 1; i + 1 < words.size(); i += 2) request.headers.emplace_back(words[i], words[i + 1]);
  const clickhouse::HttpOutcome outcome = clickhouse::post(server, request);
  std::cout << outcome.body;
  if (outcome.status == 0) throw perfsift::InputError(outcome.failure);
  if (outcome.status != 200) throw perfsift::InputError(fmt::format("HTTP status {}", outcome.status));
}

void run(const clickhouse::Server& server, std::string_view verb, const std::vector<std::string>& words) {
  if (verb == "post") return post(server, words);
  clickhouse::ClickhouseEngine engine(server, words.at(0));
  if (verb == "query") std::cout << engine.query(words.at(1));
  if (verb == "insert") engine.insert({.name = words.at(1), .columns = {}}, standard_input());
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int usage = 2, input = 3;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 3) return usage;
  try {
    run({.host = "127.0.0.1", .port = static_cast<std::uint16_t>(std::stoul(words[0]))}, words[1],
        {words.begin() + 2, words.end()});
  } catch (const perfsift::InputError& error) {
    std::cerr << error.what() << '\n';
    return input;
  }
}
