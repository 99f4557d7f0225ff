#include "tools/http/http_server.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <new>
#include <system_error>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "base/number_in.h"

namespace perfsift::tools {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

// How long a client may send or take nothing.
constexpr std::chrono::seconds patience{10};
constexpr std::chrono::seconds last_patience{1};  // after the response
// The pause before the next try to accept a client after a failed one.
constexpr std::chrono::milliseconds pause{100};
constexpr std::size_t most_drained = 1 << 20;
constexpr std::uint32_t most_header_bytes = 16 * 1024;
constexpr std::size_t most_clients = 64;

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto escaped =
        text[i] == '%' && i + 2 < text.size() ? number_in<std::uint8_t>(text.substr(i + 1, 2), 16) : std::nullopt;
    if (escaped) {
      result.push_back(static_cast<char>(*escaped));
      i += 2;
    } else {
      result.push_back(text[i] == '+' ? ' ' : text[i]);
    }
  }
  return result;
}

std::map<std::string, std::string> parsed_query(std::string_view text) {
  std::map<std::string, std::string> query;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t equals = part.find('=');
    query[decoded(part.substr(0, equals))] =
        equals == std::string_view::npos ? std::string() : decoded(part.substr(equals + 1));
  }
  return query;
}

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

// One request and its response. The object keeps itself alive until the end of the response.
class Conversation : public std::enable_shared_from_this<Conversation> {
 public:
  Conversation(tcp::socket socket, const HttpServer::Handler& handler, std::atomic<std::size_t>& clients)
      : stream_(std::move(socket)), handler_(handler), clients_(clients) {
    ++clients_;
    parser_.header_limit(most_header_bytes);
    parser_.body_limit(std::uint64_t{0});
  }
  ~Conversation() { --clients_; }

  void start() {
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) return self->ask();
      if (error == http::error::header_limit) return self->send({.status = 431, .body = "the request is too large\n"});
      const bool is_wrong = error.category() == http::make_error_code(http::error::bad_method).category() &&
                            error != http::error::end_of_stream;
      if (is_wrong) self->send({.status = 400, .body = "this is no request without a body\n"});
    });
  }
  void refuse() { send({.status = 503, .body = "too many requests at once\n"}); }

 private:
  void ask() {
    const auto& message = parser_.get();
    const std::string target = text_of(message.target());
    const std::size_t mark = target.find('?');
    request_ = {.method = text_of(message.method_string()),
                .path = target.substr(0, mark),
                .query = mark == std::string::npos ? std::map<std::string, std::string>()
                                                   : parsed_query(std::string_view(target).substr(mark + 1)),
                .host = text_of(message[http::field::host]),
                .origin = text_of(message[http::field::origin]),
                .fetch_site = text_of(message["Sec-Fetch-Site"]),
                .gone = std::make_shared<analysis::StopFlag>()};
    watch();
    stream_.expires_never();  // the answer may take its time
    handler_(request_, [self = shared_from_this()](HttpResponse response) {
      asio::post(self->stream_.get_executor(), [self, moved = std::make_shared<HttpResponse>(std::move(response))] {
        self->send(std::move(*moved));
      });
    });
  }

  // A client that closes its side of the connection does not wait any more.
  void watch() {
    stream_.socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](beast::error_code error) {
      beast::error_code none;
      if (error || self->stream_.socket().available(none) == 0) self->request_.gone->stop();
    });
  }

  void send(HttpResponse response) {
    response_.version(11);
    response_.keep_alive(false);
    response_.result(response.status);
    response_.set(http::field::content_type, response.type);
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Cross-Origin-Opener-Policy", "same-origin");
    response_.set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : response.headers) response_.set(name, value);
    response_.body() = std::move(response.body);
    response_.prepare_payload();
    if (request_.method == "HEAD") response_.body().clear();
    stream_.expires_after(patience);
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, error);
      self->stream_.expires_after(last_patience);
      self->drain();
    });
  }

  // Reads all that the client still sends: closing the socket earlier would drop the response on its way.
  void drain() {
    stream_.async_read_some(asio::buffer(rest_),
                            [self = shared_from_this()](beast::error_code error, std::size_t size) {
                              self->drained_ += size;
                              if (!error && self->drained_ < most_drained) self->drain();
                            });
  }

  beast::tcp_stream stream_;
  const HttpServer::Handler& handler_;
  std::atomic<std::size_t>& clients_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  HttpRequest request_;
  http::response<http::string_body> response_;
  std::array<char, 4096> rest_;
  std::size_t drained_ = 0;
};

}  // namespace

struct HttpServer::Network {
  // Conversations count until the context ends. The thread that answers may be the last one to let go of one.
  std::atomic<std::size_t> clients = 0;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::signal_set signals{context};
  asio::steady_timer timer{context};

  void accept(const Handler& handler) {
    acceptor.async_accept([this, &handler](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later(handler);
      accept(handler);
      const bool is_too_much = clients >= most_clients;
      const auto conversation = std::make_shared<Conversation>(std::move(socket), handler, clients);
      is_too_much ? conversation->refuse() : conversation->start();
    });
  }
  // Without a free descriptor, accept() fails at once as long as a client waits (EMFILE, accept(2)).
  void accept_later(const Handler& handler) {
    timer.expires_after(pause);
    timer.async_wait([this, &handler](beast::error_code error) {
      if (!error) accept(handler);
    });
  }
};

HttpServer::HttpServer(const std::string& address, std::uint16_t port) : network_(std::make_unique<Network>()) {
  try {
    const tcp::endpoint place = *tcp::resolver(network_->context).resolve(address, std::to_string(port)).begin();
    tcp::acceptor& acceptor = network_->acceptor;
    acceptor.open(place.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(place);
    acceptor.listen();
  } catch (const boost::system::system_error& error) {
    throw std::system_error(error.code());
  }
}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const { return network_->acceptor.local_endpoint().port(); }

void HttpServer::stop_at_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) network_->signals.add(signal);
  network_->signals.async_wait([this](beast::error_code error, int) {
    if (!error) stop();
  });
}

void HttpServer::run(const Handler& handler) {
  network_->accept(handler);
  while (!network_->context.stopped()) {
    try {
      network_->context.run();
    } catch (const std::bad_alloc&) {  // the conversation that needed the memory has ended: its connection is closed
    }
  }
}

void HttpServer::stop() { network_->context.stop(); }

}  // namespace perfsift::tools
