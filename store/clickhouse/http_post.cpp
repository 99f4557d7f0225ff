#include "store/clickhouse/http_post.h"

#include <algorithm>

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/version.hpp>
#include <fmt/format.h>

#include "store/clickhouse/connection.h"

namespace perfsift::store::clickhouse {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using beast::error_code;

// A step that failed, and whether a later try may succeed.
struct Failure {
  std::string text;
  bool is_temporary = false;
};

template <typename Value>
std::string_view view_of(const Value& text) {
  return {text.data(), text.size()};
}

class Exchange {
 public:
  Exchange(const Server& server, const HttpPost& request) : server_(server), request_(request) {}

  HttpOutcome run() {
    if (server_.tls && !why_no_tls().empty()) throw Failure{why_no_tls(), false};
    connect();
    if (server_.tls) start_tls();
    connection_.end_within(request_.to_answer);
    return ask();
  }

 private:
  void check(error_code error, const char* what) const {
    if (!error) return;
    if (error == beast::error::timeout) throw Failure{fmt::format("{}: it took too long", what), false};
    if (const std::string why = connection_.tls_failure(); !why.empty()) throw Failure{why, false};
    if (error == http::error::body_limit)
      throw Failure{"the answer is too large: choose less by labels or times", false};
    // A server of another kind stays one.
    const bool is_of_http = error.category() == http::make_error_code(http::error::bad_version).category();
    const bool has_ended = error == http::error::partial_message || error == http::error::end_of_stream;
    throw Failure{fmt::format("{}: {}", what, error.message()), !is_of_http || has_ended};
  }

  void connect() {
    error_code error;
    const auto places = connection_.look_up(server_.host, std::to_string(server_.port), error);
    if (error == asio::error::host_not_found) throw Failure{"no such host", false};
    check(error, "the name of the host cannot be looked up");
    connection_.end_within(request_.to_connect);
    connection_.connect(places, error);
    check(error, "cannot connect");
  }

  void start_tls() {
    error_code error;
    connection_.end_within(request_.to_connect);
    connection_.start_tls(server_.host, error);
    check(error, "no TLS connection");
  }

  HttpOutcome ask() {
    http::request<http::span_body<const char>> message(http::verb::post, request_.target, 11);
    message.set(http::field::host, server_.name());
    message.set(http::field::user_agent, "perfsift");
    message.set(http::field::connection, "close");
    for (const auto& [name, value] : request_.headers) message.set(name, value);
    message.body() = {request_.body.data(), request_.body.size()};
    message.prepare_payload();
    // A server that refuses a request may answer, and close, before it has read the request.
    error_code sent, received;
    http::write(connection_, message, sent);
    http::response_parser<http::dynamic_body> response;  // grows with what comes, whatever length a server promises
    response.body_limit(request_.most_bytes);
    beast::flat_buffer buffer;
    http::read(connection_, buffer, response, received);
    if (received && sent) check(sent, "the request was not sent");
    check(received, "no whole answer");
    return outcome_of(response.release());
  }

  static HttpOutcome outcome_of(const http::response<http::dynamic_body>& response) {
    HttpOutcome outcome{.status = response.result_int(),
                        .headers = {},
                        .body = beast::buffers_to_string(response.body().data()),
                        .failure = {}};
    for (const auto& field : response)
      outcome.headers.emplace_back(view_of(field.name_string()), view_of(field.value()));
    return outcome;
  }

  const Server& server_;
  const HttpPost& request_;
  Connection connection_;
};

}  // namespace

std::string Server::name() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

std::string_view HttpOutcome::header(std::string_view name) const {
  const auto found = std::ranges::find_if(headers, [&](const auto& each) {
    return beast::iequals({each.first.data(), each.first.size()}, {name.data(), name.size()});
  });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

HttpOutcome post(const Server& server, const HttpPost& request) {
  try {
    return Exchange(server, request).run();
  } catch (const Failure& failure) {
    return {.headers = {}, .body = {}, .failure = failure.text, .is_temporary = failure.is_temporary};
  } catch (const boost::system::system_error& error) {  // of making a socket
    return {.headers = {}, .body = {}, .failure = error.what()};
  }
}

std::string why_no_tls() { return openssl().why_missing; }

}  // namespace perfsift::store::clickhouse
