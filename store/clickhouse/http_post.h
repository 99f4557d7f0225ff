// One request of HTTP or HTTPS, and its response, over a connection of its own.
//
// Certificates of HTTPS are verified, and must be for the host. Redirections are not followed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfsift::store::clickhouse {

struct Server {
  std::string host;  // a name, or an address without brackets
  std::uint16_t port = 0;
  bool tls = false;

  // host:port, as addresses have it.
  std::string name() const;
};

struct HttpPost {
  std::string target;  // the path and the query
  std::vector<std::pair<std::string, std::string>> headers;
  std::string_view body;
  std::size_t most_bytes = 0;  // of the response's body
  std::chrono::seconds to_connect{10};
  std::chrono::seconds to_answer{300};  // from the first byte that is sent to the last one that is received
};

// A response, or the reason why there is none.
struct HttpOutcome {
  unsigned status = 0;  // 0: there is none
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  std::string failure;        // with status 0
  bool is_temporary = false;  // a later try may succeed

  // The value of a header, whose name is compared without case; empty if it is not there.
  std::string_view header(std::string_view name) const;
};

HttpOutcome post(const Server& server, const HttpPost& request);

// Empty: servers with TLS can be asked.
std::string why_no_tls();

}  // namespace perfsift::store::clickhouse
