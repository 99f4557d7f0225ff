#include "store/clickhouse/http_post.h"

#include <algorithm>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/version.hpp>
#include <fmt/format.h>

namespace perfsift::store::clickhouse {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using asio::ip::tcp;
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

// Only asynchronous operations of Beast have timeouts. Each is run to its end.
class Exchange {
 public:
  Exchange(const Server& server, const HttpPost& request) : server_(server), request_(request) {}

  HttpOutcome run() {
    const auto places = resolve();
    return server_.tls ? over_tls(places) : over_tcp(places);
  }

 private:
  using Places = tcp::resolver::results_type;

  template <typename Start>
  error_code wait_for(Start&& start) {
    error_code result;
    start([&result](error_code error, auto&&...) { result = error; });
    context_.restart();
    context_.run();
    return result;
  }

  static void check(error_code error, const char* what) {
    if (!error) return;
    if (error == beast::error::timeout) throw Failure{fmt::format("{}: it took too long", what), false};
    if (error == http::error::body_limit)
      throw Failure{"the answer is too large: choose less by labels or times", false};
    // A server of another kind stays one.
    const bool is_of_http = error.category() == http::make_error_code(http::error::bad_version).category();
    const bool has_ended = error == http::error::partial_message || error == http::error::end_of_stream;
    throw Failure{fmt::format("{}: {}", what, error.message()), !is_of_http || has_ended};
  }

  Places resolve() {
    error_code error;
    auto places = tcp::resolver(context_).resolve(server_.host, std::to_string(server_.port), error);
    if (error == asio::error::host_not_found) throw Failure{"no such host", false};
    check(error, "the name of the host cannot be looked up");
    return places;
  }

  void connect(beast::tcp_stream& stream, const Places& places) {
    stream.expires_after(request_.to_connect);
    check(wait_for([&](auto done) { stream.async_connect(places, done); }), "cannot connect");
  }

  HttpOutcome over_tcp(const Places& places) {
    beast::tcp_stream stream(context_);
    connect(stream, places);
    stream.expires_after(request_.to_answer);
    return ask(stream);
  }

  HttpOutcome over_tls(const Places& places) {
    ssl::context tls(ssl::context::tls_client);
    tls.set_default_verify_paths();  // $SSL_CERT_FILE and $SSL_CERT_DIR replace them
    tls.set_verify_mode(ssl::verify_peer);
    SSL_CTX_set_min_proto_version(tls.native_handle(), TLS1_2_VERSION);
    beast::ssl_stream<beast::tcp_stream> stream(context_, tls);
    expect_host(stream.native_handle());
    connect(beast::get_lowest_layer(stream), places);
    beast::get_lowest_layer(stream).expires_after(request_.to_connect);
    shake_hands(stream);
    beast::get_lowest_layer(stream).expires_after(request_.to_answer);
    return ask(stream);
  }

  // The certificate must be for the host: for its address if that is what the user named.
  void expect_host(SSL* connection) {
    const bool is_address = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), server_.host.c_str()) == 1;
    if (is_address) return;
    SSL_set_tlsext_host_name(connection, server_.host.c_str());
    if (SSL_set1_host(connection, server_.host.c_str()) != 1) throw Failure{"no name of a host", false};
  }

  void shake_hands(beast::ssl_stream<beast::tcp_stream>& stream) {
    const error_code error = wait_for([&](auto done) { stream.async_handshake(ssl::stream_base::client, done); });
    if (error.category() == asio::error::get_ssl_category()) {
      const long verified = SSL_get_verify_result(stream.native_handle());
      throw Failure{verified == X509_V_OK
                        ? fmt::format("no TLS connection: {}", error.message())
                        : fmt::format("its certificate cannot be trusted: {}", X509_verify_cert_error_string(verified)),
                    false};
    }
    check(error, "no TLS connection");
  }

  template <typename Stream>
  HttpOutcome ask(Stream& stream) {
    http::request<http::span_body<const char>> message(http::verb::post, request_.target, 11);
    message.set(http::field::host, server_.name());
    message.set(http::field::user_agent, "perfsift");
    message.set(http::field::connection, "close");
    for (const auto& [name, value] : request_.headers) message.set(name, value);
    message.body() = {request_.body.data(), request_.body.size()};
    message.prepare_payload();
    // A server that refuses a request may answer, and close, before it has read the request.
    const error_code sent = wait_for([&](auto done) { http::async_write(stream, message, done); });
    http::response_parser<http::dynamic_body> response;  // grows with what comes, whatever length a server promises
    response.body_limit(request_.most_bytes);
    beast::flat_buffer buffer;
    const error_code received = wait_for([&](auto done) { http::async_read(stream, buffer, response, done); });
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
  asio::io_context context_{1};
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
  } catch (const boost::system::system_error& error) {  // of making a socket or the context of TLS
    return {.headers = {}, .body = {}, .failure = error.what()};
  }
}

}  // namespace perfsift::store::clickhouse
